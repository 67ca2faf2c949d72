internal import TransitEngine
internal import TransitModel

/// A handwritten timetable with stops by number and, by default, one service that runs daily.
struct SmallTimetable {
    var services = [SmallTimetable.daily("daily")]
    var patterns: [Pattern] = []

    static func daily(_ id: ServiceID) -> Service {
        Service(
            id: id, weekdays: 0b111_1111, start: ServiceDate(daysSince1970: 0), end: ServiceDate(daysSince1970: 40_000))
    }

    /// Adds a pattern with one timing group. `calls` are stops with the seconds from the start.
    @discardableResult
    mutating func add(
        _ calls: [(stop: Int, time: Int)], starts: [String], service: Int = 0, route: Int = 0,
        pickup: [PickupDropOff] = [], dropOff: [PickupDropOff] = [], frequencies: [Frequency] = [],
        dwells: [Int: Int] = [:]
    ) -> Pattern {
        let timingGroup = TimingGroup(
            times: calls.enumerated().map { position, call in
                CallTimes(arrival: Int32(call.time), departure: Int32(call.time + (dwells[position] ?? 0)))
            },
            firstTrip: TripIndex(patterns.flatMap(\.timingGroups).map(\.starts.count).reduce(0, +)),
            starts: starts.map { seconds($0) }, services: starts.map { _ in ServiceIndex(service) },
            frequencies: frequencies)
        let pattern = Pattern(
            index: PatternIndex(patterns.count), route: RouteIndex(route), direction: nil,
            calls: calls.enumerated().map { position, call in
                PatternCall(
                    stop: StopIndex(call.stop), sequence: UInt32(position),
                    pickup: position < pickup.count ? pickup[position] : .regular,
                    dropOff: position < dropOff.count ? dropOff[position] : .regular)
            }, timingGroups: [timingGroup])
        patterns.append(pattern)
        return pattern
    }

    func visits(_ stops: Int...) -> [PatternCallPosition] {
        patterns.flatMap { pattern in
            pattern.calls.indices.filter { stops.contains(pattern.calls[$0].stop.position) }.map {
                PatternCallPosition(pattern: pattern, position: $0)
            }
        }
    }

    var latestStopTime: ServiceTime {
        let calls = patterns.flatMap(\.timingGroups).flatMap { timingGroup in
            timingGroup.starts.map { $0 + (timingGroup.times.last?.departure ?? 0) }
                + timingGroup.frequencies.map { $0.end + (timingGroup.times.last?.departure ?? 0) }
        }
        return ServiceTime(seconds: calls.max() ?? 0)
    }

    func context(_ zone: ServiceZone) -> TimetableCalendar {
        TimetableCalendar(services: services, zone: zone, latestStopTime: latestStopTime)
    }
}

/// `H:MM` in seconds of service time.
func seconds(_ text: String) -> Int32 {
    let parts = text.split(separator: ":").compactMap { Int32($0) }
    return parts[0] * 3600 + parts[1] * 60
}

func instant(_ text: String) -> Instant { Instant(rfc3339: text) ?? Instant(secondsSince1970: .min) }
