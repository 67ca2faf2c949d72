internal import TransitEngine
internal import TransitModel

/// A plain implementation of the rules of ``DepartureBoard`` and ``DirectTripFinder``. The implementation enumerates
/// all trip instances on all dates, then sorts and filters them.
struct ReferenceBoard {
    /// A call of one trip instance.
    struct Call {
        var pattern: Pattern
        var timingGroup: Int
        var trip: Int
        var date: ServiceDate
        var position: Int
        var arrival: Instant
        var departure: Instant
        /// The start of the trip instance in service time, and the index of its row in the frequencies of the timing
        /// group.
        var start: ServiceTime
        var frequency: Int?
    }

    /// All calls of one trip instance, in order.
    struct Run {
        var calls: [Call]
        var trip: TripIndex
    }

    var runs: [Run] = []

    init(_ timetable: RandomTimetable, dates: ClosedRange<Int32>, zone: (RouteIndex) -> ServiceZone) {
        self.init(patterns: timetable.patterns, services: timetable.services, dates: dates, zone: zone)
    }

    init(
        patterns: [Pattern], services: [Service], dates: ClosedRange<Int32>, zone: (RouteIndex) -> ServiceZone
    ) {
        for days in dates {
            let date = ServiceDate(daysSince1970: days)
            for pattern in patterns {
                for timingGroup in pattern.timingGroups.indices {
                    add(pattern, timingGroup, date, services: services, zone: zone(pattern.route))
                }
            }
        }
    }

    private mutating func add(
        _ pattern: Pattern, _ number: Int, _ date: ServiceDate, services: [Service], zone: ServiceZone
    ) {
        let timingGroup = pattern.timingGroups[number]
        for trip in timingGroup.starts.indices where services[timingGroup.services[trip].position].runs(on: date) {
            var starts: [(Int32, Int?)] = []
            for (row, frequency) in timingGroup.frequencies.enumerated() where frequency.trip == trip {
                for start in stride(from: frequency.start, to: frequency.end, by: Int(frequency.headway)) {
                    starts.append((start, row))
                }
            }
            if !timingGroup.frequencies.contains(where: { $0.trip == trip }) {
                starts = [(timingGroup.starts[trip], nil)]
            }
            let noon = zone.instant(date: date, secondsOfDay: 12 * 3600)
            for (start, row) in starts {
                let calls = timingGroup.times.enumerated().map { position, times in
                    Call(
                        pattern: pattern, timingGroup: number, trip: trip, date: date, position: position,
                        arrival: noon.advanced(by: Int(start + times.arrival) - 12 * 3600),
                        departure: noon.advanced(by: Int(start + times.departure) - 12 * 3600),
                        start: ServiceTime(seconds: start), frequency: row)
                }
                runs.append(Run(calls: calls, trip: timingGroup.trip(trip)))
            }
        }
    }

    func departures(stops: [StopIndex], from: Instant, before: Instant) -> [Call] {
        let calls = runs.flatMap { instance in
            instance.calls.dropLast().filter { call in
                guard call.departure >= from, call.departure < before else { return false }
                let place = call.pattern.calls[call.position]
                return stops.contains(place.stop) && place.pickup != .none
            }
        }
        let keyed = calls.map { (key: Self.key($0), call: $0) }
        return keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.call)
    }

    /// Returns the best pair of calls of each trip instance, in order.
    func directTrips(
        origins: [StopIndex: Int], destinations: [StopIndex: Int], from: Instant, before: Instant
    ) -> [(board: Call, alight: Call)] {
        let legs = runs.compactMap { instance -> (board: Call, alight: Call, key: [Int])? in
            var best: (board: Call, alight: Call, key: [Int])?
            for board in instance.calls {
                let on = board.pattern.calls[board.position]
                guard on.pickup != .none, let walk = origins[on.stop], from.advanced(by: walk) <= board.departure
                else { continue }
                for alight in instance.calls where alight.position > board.position {
                    let off = alight.pattern.calls[alight.position]
                    guard off.dropOff != .none, let walkOn = destinations[off.stop] else { continue }
                    let leave = Int(board.departure.secondsSince1970) - walk
                    let reach = Int(alight.arrival.secondsSince1970) + walkOn
                    let key = [reach, -leave, walk + walkOn, board.position, walkOn, alight.position]
                    if best.map({ key.lexicographicallyPrecedes($0.key) }) ?? true { best = (board, alight, key) }
                }
            }
            return best
        }
        let known = legs.filter { $0.board.departure < before }.map { leg in
            let rest = Self.key(leg.board)
            return (key: [rest[0], leg.key[0]] + rest[1...3] + rest[5...], board: leg.board, alight: leg.alight)
        }
        return known.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.board, $0.alight) }
    }

    private static func key(_ call: Call) -> [Int] {
        [
            Int(call.departure.secondsSince1970), call.pattern.index.position,
            call.pattern.timingGroups[call.timingGroup].trip(call.trip).position, Int(call.date.daysSince1970),
            call.position,
            call.frequency ?? -1,
        ]
    }
}

extension ScheduledCall {
    /// All properties in a line of text, for comparisons.
    var line: String {
        "\(departure.rfc3339()) \(arrival.rfc3339()) pattern \(pattern.index.rawValue) lane \(timingGroup) trip \(tripPosition) on \(serviceDate) call \(position) row \(frequency.map { "\($0.start) \($0.row)" } ?? "-")"
    }
}

extension ReferenceBoard.Call {
    var line: String {
        let row = frequency.map { "\(start) \(pattern.timingGroups[timingGroup].frequencies[$0])" }
        return
            "\(departure.rfc3339()) \(arrival.rfc3339()) pattern \(pattern.index.rawValue) lane \(timingGroup) trip \(trip) on \(date) call \(position) row \(row ?? "-")"
    }
}
