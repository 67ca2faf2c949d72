internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// A small random timetable that depends only on its seed. It has loops, timing groups with equal times, frequencies,
/// trips longer than a day, stops without boarding, and various services.
struct RandomTimetable {
    static let stopCount = 6
    var generator: SeededGenerator
    private(set) var services: [Service] = []
    private(set) var patterns: [Pattern] = []
    private var trips = 0

    /// Creates a timetable with services in the three weeks around the day.
    init(seed: UInt64, around day: ServiceDate) {
        generator = SeededGenerator(seed: seed)
        for position in 0..<Int.random(in: 1...5, using: &generator) {
            services.append(service(position, around: day))
        }
        for position in 0..<Int.random(in: 1...6, using: &generator) { patterns.append(pattern(position)) }
    }

    var latestStopTime: ServiceTime {
        let ends = patterns.flatMap(\.timingGroups).flatMap { timingGroup in
            (timingGroup.starts + timingGroup.frequencies.map(\.end)).map {
                $0 + (timingGroup.times.last?.departure ?? 0)
            }
        }
        return ServiceTime(seconds: ends.max() ?? 0)
    }

    mutating func stops(_ count: Int) -> [StopIndex] {
        (0..<Self.stopCount).shuffled(using: &generator).prefix(count).map { StopIndex($0) }
    }

    /// Mostly round numbers, so that equal times are frequent.
    mutating func walks(_ count: Int) -> [StopIndex: Int] {
        Dictionary(uniqueKeysWithValues: stops(count).map { ($0, Int.random(in: 0...4, using: &generator) * 150) })
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func service(_ position: Int, around day: ServiceDate) -> Service {
        var exceptions: [ServiceDate] = []
        for days in -10...10 where chance(15) { exceptions.append(day.advanced(by: days)) }
        return Service(
            id: ServiceID("s\(position)"), weekdays: chance(20) ? 0 : UInt8.random(in: 0...127, using: &generator),
            start: day.advanced(by: Int.random(in: -10...0, using: &generator)),
            end: day.advanced(by: Int.random(in: -2...10, using: &generator)),
            added: exceptions.filter { $0.daysSince1970 % 2 == 0 },
            removed: exceptions.filter { $0.daysSince1970 % 2 != 0 })
    }

    private mutating func pattern(_ position: Int) -> Pattern {
        let calls = (0..<Int.random(in: 2...7, using: &generator)).map { sequence in
            PatternCall(
                stop: StopIndex(Int.random(in: 0..<Self.stopCount, using: &generator)), sequence: UInt32(sequence),
                pickup: chance(15) ? .none : .regular, dropOff: chance(15) ? .none : .phone)
        }
        let timingGroups = (0..<Int.random(in: 1...3, using: &generator)).map { _ in timingGroup(calls: calls.count) }
        return Pattern(
            index: PatternIndex(position), route: RouteIndex(position % 3), direction: nil, calls: calls,
            timingGroups: timingGroups)
    }

    private mutating func timingGroup(calls: Int) -> TimingGroup {
        // In about one of eight timing groups, trips take days. All other times are multiples of a quarter of an hour,
        // so that equal times are frequent.
        let scale: Int32 = chance(12) ? 9 * 3600 : 900
        var clock = -Int32.random(in: 0...2, using: &generator) * 60
        let times = (0..<calls).map { _ in
            let arrival = clock
            let departure = max(0, clock + Int32.random(in: 0...1, using: &generator) * 900)
            clock = departure + Int32.random(in: 0...2, using: &generator) * scale
            return CallTimes(arrival: min(arrival, departure), departure: departure)
        }
        let starts = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
            Int32.random(in: 0...108, using: &generator) * 900  // to 27:00, with ties
        }
        let first = trips
        trips += starts.count
        return TimingGroup(
            times: times, firstTrip: TripIndex(first), starts: starts.sorted(),
            services: starts.map { _ in ServiceIndex(Int.random(in: 0..<services.count, using: &generator)) },
            frequencies: chance(30) ? frequencies(trips: starts.count) : [])
    }

    private mutating func frequencies(trips: Int) -> [Frequency] {
        var rows: [Frequency] = []
        for trip in 0..<trips where chance(40) {
            var start = Int32.random(in: 0...20, using: &generator) * 3600
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let end = start + Int32.random(in: 0...8, using: &generator) * 1800
                let headway = Int32.random(in: 1...10, using: &generator) * 450
                rows.append(
                    Frequency(trip: UInt32(trip), start: start, end: end, headway: headway, isExact: chance(50)))
                start = end + Int32.random(in: 0...2, using: &generator) * 1800
            }
        }
        return rows
    }
}
