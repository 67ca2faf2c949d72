import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

struct DirectTripFinderTests {
    let berlin: ServiceZone
    var timetable = SmallTimetable()

    init() throws { berlin = try systemZone("Europe/Berlin") }

    /// Rides as `HH:MM stop -> HH:MM stop`.
    func rides(_ origins: [Int: Int], _ destinations: [Int: Int], at: String, count: Int = 3) -> [String] {
        func walks(_ stops: [Int: Int]) -> [StopIndex: Int] {
            Dictionary(uniqueKeysWithValues: stops.map { (StopIndex($0), $1) })
        }
        let journeys = DirectTripFinder.next(
            origins: walks(origins), destinations: walks(destinations), patterns: timetable.patterns,
            context: timetable.context(berlin), at: instant("2026-06-10T\(at):00+02:00"), count: count)
        func show(_ call: ScheduledCall, _ moment: Instant) -> String {
            "\(berlin.rfc3339(moment).dropFirst(11).prefix(5)) \(call.call.stop.rawValue)"
        }
        return journeys.map {
            show($0.departure, $0.departure.departure) + " -> " + show($0.arrival, $0.arrival.arrival)
        }
    }

    @Test("Only trips that call at both ends in the right order")
    mutating func order() {
        timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["08:00", "09:00"])
        timetable.add([(3, 0), (2, 600), (1, 1200)], starts: ["08:10"])
        timetable.add([(1, 0), (4, 600)], starts: ["08:05"])
        #expect(rides([1: 0], [3: 0], at: "07:00", count: 2) == ["08:00 1 -> 08:20 3", "09:00 1 -> 09:20 3"])
        #expect(rides([3: 0], [1: 0], at: "07:00", count: 1) == ["08:10 3 -> 08:30 1"])
        #expect(rides([3: 0], [4: 0], at: "07:00") == [])
    }

    @Test("Late at night it is tomorrow's early trip")
    mutating func tomorrow() {
        timetable.add([(1, 0), (2, 600)], starts: ["05:00", "20:00"])
        let journeys = DirectTripFinder.next(
            origins: [StopIndex(1): 0], destinations: [StopIndex(2): 0], patterns: timetable.patterns,
            context: timetable.context(berlin), at: instant("2026-06-10T23:00:00+02:00"), count: 1)
        #expect(journeys.map { $0.departure.departure } == [instant("2026-06-11T05:00:00+02:00")])
    }

    @Test("Boarding and alighting must be allowed")
    mutating func allowed() {
        timetable.add([(1, 0), (2, 60), (3, 120)], starts: ["08:00"], pickup: [.none])
        timetable.add([(1, 0), (2, 60), (3, 120)], starts: ["08:10"], dropOff: [.regular, .regular, .none])
        timetable.add(
            [(1, 0), (2, 60), (3, 120)], starts: ["08:20"], pickup: [.driver], dropOff: [.none, .none, .phone])
        #expect(rides([1: 0], [3: 0], at: "07:00", count: 1) == ["08:20 1 -> 08:22 3"])
        #expect(rides([1: 0], [2: 0], at: "07:00", count: 1) == ["08:10 1 -> 08:11 2"])
    }

    @Test("The stop one walks to must be reached in time")
    mutating func walk() {
        timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["08:00", "08:30"])
        // Stop 2 is reached at 08:07, before 08:10; stop 1 would be reached at 08:05, too late for the first trip.
        #expect(
            rides([1: 300, 2: 420], [3: 0], at: "08:00") == [
                "08:10 2 -> 08:20 3", "08:40 2 -> 08:50 3", "08:10 2 -> 08:20 3",
            ])
        #expect(rides([1: 0], [3: 0], at: "08:00", count: 1) == ["08:00 1 -> 08:20 3"])
        #expect(rides([1: 1], [3: 0], at: "08:00", count: 1) == ["08:30 1 -> 08:50 3"])
    }

    @Test("Of a trip's calls the pair that arrives first, then leaves latest")
    mutating func bestPair() {
        timetable.add([(1, 0), (2, 600), (3, 1200), (4, 1800)], starts: ["08:00"])
        // Arriving at 3 and walking five minutes beats arriving at 4.
        #expect(rides([1: 0], [3: 300, 4: 0], at: "07:00", count: 1) == ["08:00 1 -> 08:20 3"])
        #expect(rides([1: 0], [3: 601, 4: 0], at: "07:00", count: 1) == ["08:00 1 -> 08:30 4"])
        // The same arrival: stop 2 lets one leave later although it is further away.
        #expect(rides([1: 60, 2: 300], [4: 0], at: "07:00", count: 1) == ["08:10 2 -> 08:30 4"])
        #expect(rides([1: 60, 2: 661], [4: 0], at: "07:00", count: 1) == ["08:00 1 -> 08:30 4"])
    }

    @Test("A loop gives one ride for each trip, the last call before the destination")
    mutating func loop() {
        timetable.add([(1, 0), (2, 600), (1, 1200), (3, 1800), (2, 2400)], starts: ["08:00"])
        #expect(rides([1: 0], [3: 0], at: "07:00", count: 1) == ["08:20 1 -> 08:30 3"])
        #expect(rides([1: 0], [2: 0], at: "07:00", count: 1) == ["08:00 1 -> 08:10 2"])
        #expect(rides([1: 0], [2: 0], at: "08:10", count: 1) == ["08:20 1 -> 08:40 2"])
    }

    @Test("A ride knows when to leave and when it reaches the destination")
    mutating func walkingTimes() throws {
        timetable.add([(1, 0), (2, 600)], starts: ["08:00"])
        let journeys = DirectTripFinder.next(
            origins: [StopIndex(1): 240], destinations: [StopIndex(2): 120], patterns: timetable.patterns,
            context: timetable.context(berlin), at: instant("2026-06-10T07:56:00+02:00"), count: 1)
        let first = journeys.first
        let journey = try #require(first)
        #expect(journey.leaveBy == instant("2026-06-10T07:56:00+02:00"))
        #expect(journey.reaches == instant("2026-06-10T08:12:00+02:00"))
        #expect(journey.walkBefore == 240)
        #expect(journey.walkAfter == 120)
        #expect(journey.departure.trip == journey.arrival.trip)
    }
}
