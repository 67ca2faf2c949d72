import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

struct DirectTripFinderTests {
    let berlin: ServiceZone
    var timetable = SmallTimetable()

    init() throws { berlin = try systemZone("Europe/Berlin") }

    /// Direct trips as `HH:MM stop -> HH:MM stop`.
    func directTrips(_ origins: [Int: Int], _ destinations: [Int: Int], at: String, count: Int = 3) -> [String] {
        func walks(_ stops: [Int: Int]) -> [StopIndex: Int] {
            Dictionary(uniqueKeysWithValues: stops.map { (StopIndex($0), $1) })
        }
        let directTrips = DirectTripFinder.next(
            origins: walks(origins), destinations: walks(destinations), patterns: timetable.patterns,
            context: timetable.context(berlin), at: instant("2026-06-10T\(at):00+02:00"), count: count)
        func show(_ call: ScheduledCall, _ moment: Instant) -> String {
            "\(berlin.rfc3339(moment).dropFirst(11).prefix(5)) \(call.call.stop.rawValue)"
        }
        return directTrips.map {
            show($0.departure, $0.departure.departure) + " -> " + show($0.arrival, $0.arrival.arrival)
        }
    }

    @Test("Only trips that call at both ends in the right order are found")
    mutating func tripMustCallAtBothEndsInOrder() {
        timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["08:00", "09:00"])
        timetable.add([(3, 0), (2, 600), (1, 1200)], starts: ["08:10"])
        timetable.add([(1, 0), (4, 600)], starts: ["08:05"])
        #expect(directTrips([1: 0], [3: 0], at: "07:00", count: 2) == ["08:00 1 -> 08:20 3", "09:00 1 -> 09:20 3"])
        #expect(directTrips([3: 0], [1: 0], at: "07:00", count: 1) == ["08:10 3 -> 08:30 1"])
        #expect(directTrips([3: 0], [4: 0], at: "07:00") == [])
    }

    @Test("A query late at night finds tomorrow's first trip")
    mutating func lateQueryFindsTripOfTomorrow() {
        timetable.add([(1, 0), (2, 600)], starts: ["05:00", "20:00"])
        let directTrips = DirectTripFinder.next(
            origins: [StopIndex(1): 0], destinations: [StopIndex(2): 0], patterns: timetable.patterns,
            context: timetable.context(berlin), at: instant("2026-06-10T23:00:00+02:00"), count: 1)
        #expect(directTrips.map { $0.departure.departure } == [instant("2026-06-11T05:00:00+02:00")])
    }

    @Test("Boarding and alighting must be allowed")
    mutating func boardingAndAlightingMustBeAllowed() {
        timetable.add([(1, 0), (2, 60), (3, 120)], starts: ["08:00"], pickup: [.none])
        timetable.add([(1, 0), (2, 60), (3, 120)], starts: ["08:10"], dropOff: [.regular, .regular, .none])
        timetable.add(
            [(1, 0), (2, 60), (3, 120)], starts: ["08:20"], pickup: [.driver], dropOff: [.none, .none, .phone])
        #expect(directTrips([1: 0], [3: 0], at: "07:00", count: 1) == ["08:20 1 -> 08:22 3"])
        #expect(directTrips([1: 0], [2: 0], at: "07:00", count: 1) == ["08:10 1 -> 08:11 2"])
    }

    @Test("The boarding stop must be reachable in time")
    mutating func boardingStopMustBeReachable() {
        timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["08:00", "08:30"])
        // Stop 2 is reached at 08:07, before 08:10. Stop 1 is reached at 08:05, too late for the first trip.
        #expect(
            directTrips([1: 300, 2: 420], [3: 0], at: "08:00") == [
                "08:10 2 -> 08:20 3", "08:40 2 -> 08:50 3", "08:10 2 -> 08:20 3",
            ])
        #expect(directTrips([1: 0], [3: 0], at: "08:00", count: 1) == ["08:00 1 -> 08:20 3"])
        #expect(directTrips([1: 1], [3: 0], at: "08:00", count: 1) == ["08:30 1 -> 08:50 3"])
    }

    @Test("A trip is listed with the leg that arrives first, then leaves last")
    mutating func bestLegOfTripIsListed() {
        timetable.add([(1, 0), (2, 600), (3, 1200), (4, 1800)], starts: ["08:00"])
        // Arriving at 3 and walking for five minutes is faster than arriving at 4.
        #expect(directTrips([1: 0], [3: 300, 4: 0], at: "07:00", count: 1) == ["08:00 1 -> 08:20 3"])
        #expect(directTrips([1: 0], [3: 601, 4: 0], at: "07:00", count: 1) == ["08:00 1 -> 08:30 4"])
        // With the same arrival, riders who walk to stop 2 can set out later, although it is farther away.
        #expect(directTrips([1: 60, 2: 300], [4: 0], at: "07:00", count: 1) == ["08:10 2 -> 08:30 4"])
        #expect(directTrips([1: 60, 2: 661], [4: 0], at: "07:00", count: 1) == ["08:00 1 -> 08:30 4"])
    }

    @Test("A loop gives one leg for each trip, from the last call before the destination")
    mutating func loopGivesOneLegPerTrip() {
        timetable.add([(1, 0), (2, 600), (1, 1200), (3, 1800), (2, 2400)], starts: ["08:00"])
        #expect(directTrips([1: 0], [3: 0], at: "07:00", count: 1) == ["08:20 1 -> 08:30 3"])
        #expect(directTrips([1: 0], [2: 0], at: "07:00", count: 1) == ["08:00 1 -> 08:10 2"])
        #expect(directTrips([1: 0], [2: 0], at: "08:10", count: 1) == ["08:20 1 -> 08:40 2"])
    }

    @Test("The time to set out and the time of arrival include the walks")
    mutating func walksCountForDepartureAndArrival() throws {
        timetable.add([(1, 0), (2, 600)], starts: ["08:00"])
        let directTrips = DirectTripFinder.next(
            origins: [StopIndex(1): 240], destinations: [StopIndex(2): 120], patterns: timetable.patterns,
            context: timetable.context(berlin), at: instant("2026-06-10T07:56:00+02:00"), count: 1)
        let first = directTrips.first
        let directTrip = try #require(first)
        #expect(directTrip.leaveBy == instant("2026-06-10T07:56:00+02:00"))
        #expect(directTrip.destinationArrival == instant("2026-06-10T08:12:00+02:00"))
        #expect(directTrip.walkBefore == 240)
        #expect(directTrip.walkAfter == 120)
        #expect(directTrip.departure.trip == directTrip.arrival.trip)
    }
}
