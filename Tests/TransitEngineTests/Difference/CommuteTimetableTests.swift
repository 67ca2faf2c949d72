import Testing
internal import TransitModel

@testable import TransitEngine

struct CommuteTimetableTests {
    var timetable = SmallTimetable()
    let route = Route(id: "r", agency: AgencyIndex(0), shortName: "24", type: 3)

    func excerpt(from: Int, to: Int, running: [UInt64] = [0b11]) -> CommuteTimetable {
        var excerpt = CommuteTimetable()
        for pattern in timetable.patterns {
            excerpt.add(
                pattern, route: route, origins: [StopIndex(from)], destinations: [StopIndex(to)], running: running,
                stopID: { StopID("s\($0.rawValue)") }, tripID: { TripID("t\($0.rawValue)") })
        }
        return excerpt
    }

    @Test("The trips of a commute have their stable identifiers")
    mutating func tripsOfCommuteHaveIdentifiers() {
        timetable.add([(1, 0), (2, 600), (1, 1200), (3, 1800), (3, 2400)], starts: ["8:00", "9:00"])
        timetable.add([(3, 0), (1, 600)], starts: ["8:10"])
        let excerpt = excerpt(from: 1, to: 3)
        #expect(excerpt.trips.keys.sorted() == ["t0", "t1"])
        let commuteTrip = excerpt.trips["t1"]
        #expect(commuteTrip?.departure.description == "09:20:00")
        #expect(commuteTrip?.arrival.description == "09:30:00")
        #expect(commuteTrip?.board == "s1")
        #expect(commuteTrip?.alight == "s3")
        #expect(commuteTrip?.dates == 0b11)
        #expect(excerpt.routes == ["r": route])
    }

    @Test("Trips that run on none of the compared dates are left out with their route")
    mutating func tripsOutsideComparedDatesAreLeftOut() {
        timetable.add([(1, 0), (3, 600)], starts: ["8:00"])
        let excerpt = excerpt(from: 1, to: 3, running: [0])
        #expect(excerpt.trips.isEmpty)
        #expect(excerpt.routes.isEmpty)
    }

    @Test("The times of a repeated trip are those of its first instance")
    mutating func repeatedTripCountsFromFirstInstance() {
        let row = Frequency(trip: 0, start: seconds("6:00"), end: seconds("9:00"), headway: 600, isExact: false)
        timetable.add([(2, 0), (1, 300), (3, 900)], starts: ["5:00"], frequencies: [row])
        let commuteTrip = excerpt(from: 1, to: 3).trips["t0"]
        #expect(commuteTrip?.departure.description == "06:05:00")
        #expect(commuteTrip?.arrival.description == "06:15:00")
        #expect(commuteTrip?.frequencies.map { "\($0.start) \($0.end) \($0.headway)" } == ["06:05:00 09:05:00 600"])
    }

    @Test("Boarding and alighting must be allowed")
    mutating func boardingAndAlightingMustBeAllowed() {
        timetable.add([(1, 0), (3, 600)], starts: ["8:00"], pickup: [.none])
        timetable.add([(1, 0), (3, 600)], starts: ["8:00"], dropOff: [.regular, .none])
        #expect(excerpt(from: 1, to: 3).trips.isEmpty)
    }
}

struct VersionFingerprintsTests {
    let dates = ComparedDates(
        today: ServiceDate(daysSince1970: 20_500),
        old: ServiceDate(daysSince1970: 20_000)...ServiceDate(daysSince1970: 20_600),
        new: ServiceDate(daysSince1970: 20_000)...ServiceDate(daysSince1970: 20_600))

    func digest(
        _ timetable: SmallTimetable, stops: [Stop] = [], routes: [Route] = [], trips: [TripID] = ["x", "y", "z"]
    ) -> VersionFingerprints {
        var digest = VersionFingerprints(services: timetable.services, dates: dates)
        for stop in stops { digest.add(stop, parent: stop.parent.map { StopID("p\($0.rawValue)") }) }
        for route in routes { digest.add(route, agency: "a") }
        for pattern in timetable.patterns {
            digest.add(
                pattern, route: "r", stopID: { StopID("s\($0.rawValue)") }, tripID: { trips[$0.position] })
        }
        return digest
    }

    @Test("Stops and routes are compared by their contents")
    func stopAndRouteChangesAreCounted() {
        let old = [Stop(id: "1", name: "One"), Stop(id: "2", name: "Two"), Stop(id: "3", name: "Three")]
        let new = [
            Stop(id: "3", name: "Tree"), Stop(id: "2", name: "Two"), Stop(id: "4", name: "Four"),
            Stop(id: "5", name: "Five"),
        ]
        let route = Route(id: "r", agency: AgencyIndex(3), shortName: "24", type: 3)
        let timetable = SmallTimetable()
        let changes = digest(timetable, stops: old, routes: [route]).changes(
            to: digest(timetable, stops: new, routes: [route]))
        #expect(changes.stops == TimetableChangeCounts(added: 2, removed: 1, changed: 1))
        #expect(changes.routes == TimetableChangeCounts())
    }

    @Test("Agencies are compared by identifier and not by index")
    func agencyIsComparedByIdentifier() {
        var digests = [3, 4].map { number in
            digest(SmallTimetable(), routes: [Route(id: "r", agency: AgencyIndex(number), type: 3)])
        }
        #expect(digests[0].changes(to: digests[1]).routes == TimetableChangeCounts())
        digests[1].add(Route(id: "q", agency: AgencyIndex(4), type: 3), agency: nil)
        digests[0].add(Route(id: "q", agency: AgencyIndex(4), type: 3), agency: "a")
        #expect(digests[0].changes(to: digests[1]).routes == TimetableChangeCounts(changed: 1))
    }

    @Test("Trips are compared by their calls, times, frequencies and dates")
    func tripChangesAreCounted() {
        var old = SmallTimetable()
        old.add([(1, 0), (2, 600)], starts: ["8:00", "9:00", "10:00"])
        let before = digest(old)
        #expect(before.changes(to: digest(old)).trips == TimetableChangeCounts())
        #expect(before.changes(to: digest(old, trips: ["x", "y", "q"])).trips == TimetableChangeCounts())

        var new = SmallTimetable()
        new.add([(1, 0), (2, 600)], starts: ["8:00", "9:00", "10:01"])
        #expect(before.changes(to: digest(new)).trips == TimetableChangeCounts(changed: 1))

        new = old
        new.services[0].end = dates.first.advanced(by: 400)
        #expect(before.changes(to: digest(new)).trips == TimetableChangeCounts())
        new.services[0].removed = [dates.first]
        #expect(before.changes(to: digest(new)).trips == TimetableChangeCounts(changed: 3))

        new = SmallTimetable()
        let row = Frequency(trip: 1, start: 0, end: 3600, headway: 600, isExact: true)
        new.add([(1, 0), (2, 600)], starts: ["8:00", "9:00", "10:00"], frequencies: [row])
        #expect(before.changes(to: digest(new)).trips == TimetableChangeCounts(changed: 1))
    }
}
