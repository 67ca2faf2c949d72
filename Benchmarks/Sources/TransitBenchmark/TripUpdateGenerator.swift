import TransitFeeds
import TransitModel
import TransitStore

/// Generates trip updates for the trips of a timetable that are closest to a time. They are the same on every machine.
///
/// As in real feeds, each has the trip, route and date and, for the first twenty calls, the sequence, the stop, and the
/// times and delays of arrival and departure.
struct TripUpdateGenerator {
    let file: TimetableFile
    private let context: BenchmarkContext
    private let runs: [Run]

    private struct Run {
        var pattern: Pattern
        var timingGroup: Int
        var position: Int
        var date: ServiceDate
        /// The start in seconds since 1970.
        var begins: Int64
    }

    static let callsPerTrip = 20

    /// - Throws: `BenchmarkError` if the timetable has too few trips with twenty calls on the three dates around the time.
    init(_ file: TimetableFile, trips: Int, around moment: Instant) throws {
        self.file = file
        context = BenchmarkContext(file)
        let center = moment.secondsSince1970 - 1_200
        var runs = try Self.runs(of: file, context, around: moment)
        runs.sort {
            let (left, right) = (abs($0.begins - center), abs($1.begins - center))
            if left != right { return left < right }
            return $0.pattern.trip(timingGroup: $0.timingGroup, position: $0.position).rawValue
                < $1.pattern.trip(timingGroup: $1.timingGroup, position: $1.position).rawValue
        }
        guard runs.count >= trips else {
            throw BenchmarkError(
                "the feed has only \(runs.count) trips with \(Self.callsPerTrip) calls around the given time")
        }
        // Real messages order trips by route, not by time.
        self.runs = runs.prefix(trips).sorted {
            ($0.pattern.index.rawValue, $0.begins) < ($1.pattern.index.rawValue, $1.begins)
        }
    }

    private static func runs(
        of file: TimetableFile, _ context: BenchmarkContext, around moment: Instant
    ) throws -> [Run] {
        var runs: [Run] = []
        for number in 0..<file.summary.counts.patterns {
            let pattern = try file.pattern(PatternIndex(number))
            guard pattern.callCount >= callsPerTrip else { continue }
            let zone = context.zone(of: pattern.route)
            for back in -1...1 {
                let date = zone.civil(at: moment).date.advanced(by: back)
                let start = zone.serviceDayStart(date).secondsSince1970
                for (timingGroup, trips) in pattern.timingGroups.enumerated() {
                    for position in trips.starts.indices where context.runs(trips.services[position], on: date) {
                        runs.append(
                            Run(
                                pattern: pattern, timingGroup: timingGroup, position: position, date: date,
                                begins: start + Int64(trips.starts[position])))
                    }
                }
            }
        }
        return runs
    }

    /// - Parameter shift: additional delay of every trip, in seconds.
    func message(at now: Instant, shift: Int32 = 0) throws -> [UInt8] {
        var writer = RealtimeWriter(RealtimeHeader(version: "2.0", timestamp: now))
        for number in runs.indices { writer.append(.tripUpdate(try update(number, at: now, shift: shift))) }
        return writer.bytes
    }

    private func update(_ number: Int, at now: Instant, shift: Int32) throws -> TripUpdate {
        let run = runs[number]
        let trip = try file.trip(run.pattern.trip(timingGroup: run.timingGroup, position: run.position))
        let descriptor = TripDescriptor(
            tripID: trip.id, routeID: file.routes[run.pattern.route.position].id, direction: run.pattern.direction,
            startDate: run.date)
        var update = TripUpdate(
            id: EntityID("\(number)"), trip: descriptor, vehicle: VehicleDescriptor(id: VehicleID("v\(number)")),
            timestamp: now.advanced(by: -(number % 30)))
        let delay = Int32(number * 7 % 900 - 60) + shift
        let times = run.pattern.times(ofTimingGroup: run.timingGroup)
        for position in 0..<Self.callsPerTrip {
            let call = run.pattern.calls[position]
            let base = Instant(secondsSince1970: run.begins + Int64(delay))
            update.updates.append(
                StopTimeUpdate(
                    sequence: call.sequence, stopID: try file.stop(call.stop).id,
                    arrival: StopTimeEvent(
                        time: base.advanced(by: Int(times[position].arrival)), delay: delay),
                    departure: StopTimeEvent(
                        time: base.advanced(by: Int(times[position].departure)), delay: delay)))
        }
        return update
    }

    /// Returns the stops with the most calls of these trips, in descending order of calls.
    func hubs(_ count: Int) -> [StopIndex] {
        var calls: [StopIndex: Int] = [:]
        for run in runs {
            for position in 0..<Self.callsPerTrip { calls[run.pattern.stop(at: position), default: 0] += 1 }
        }
        let stops = calls.keys.sorted { (calls[$1] ?? 0, $0.rawValue) < (calls[$0] ?? 0, $1.rawValue) }
        return Array(stops.prefix(count))
    }
}
