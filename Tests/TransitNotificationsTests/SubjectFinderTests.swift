import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitNotifications
import TransitQueries
import TransitStore
import TransitTestSupport

/// Subjects from a user's data. It is Friday, March 27, 2026, 07:30; bus 24 leaves the harbor at 08:00, 08:20 and 23:50.
@Suite struct SubjectFinderTests {
    private let fixture: QueryFixture

    init() throws { fixture = try QueryFixture() }

    private func context(_ change: (inout PersonalState) -> Void = { _ in }) -> QueryContext {
        fixture.personal = PersonalState()
        change(&fixture.personal)
        return fixture.context
    }

    /// Applies a message about one trip.
    private func receive(
        _ trip: TripID, _ relationship: TripScheduleRelationship = .scheduled, delay: Int32? = nil
    ) throws {
        let descriptor = TripDescriptor(
            tripID: trip, startDate: ServiceDate(iso8601: "2026-03-27"), relationship: relationship)
        let updates = delay.map {
            [StopTimeUpdate(stopID: "harbor", departure: StopTimeEvent(delay: $0, uncertainty: 20))]
        }
        try fixture.receive(
            [TripUpdate(id: "1", trip: descriptor, updates: updates ?? [], timestamp: fixture.now)], of: "city")
    }

    private func usual(
        _ time: String, days: Set<Weekday> = [.friday, .monday], date: String? = nil, isPinned: Bool = false
    ) -> SavedUsualDeparture {
        SavedUsualDeparture(
            feed: "city", route: "bus24", direction: Direction(rawValue: 0), stop: "harbor",
            time: Array(time.utf8).withUnsafeBufferPointer { ServiceTime(gtfs: $0)! }, days: days,
            date: date.flatMap { ServiceDate(iso8601: $0) }, isPinned: isPinned)
    }

    private func subjects(_ usual: SavedUsualDeparture...) -> [WatchedSubject] {
        let context = context { $0.usualDepartures = usual }
        var finder = SubjectFinder(context)
        #expect(finder.problems.isEmpty)
        return finder.subjects(context, changed: nil) ?? []
    }

    @Test func usualDepartureComesFirstWithItsAlternatives() throws {
        let subject = try #require(subjects(usual("08:00:00")).first)
        #expect(subject.kind == .usual)
        #expect(subject.name == "08:00 Bus 24")
        #expect(
            subject.departures.map { $0.key.scheduled.rfc3339(offset: 3600).dropFirst(11).prefix(5) } == [
                "08:00", "08:20",
            ])
        #expect(subject.departures[0].names.stop == "Harbor")
        #expect(subject.departures[0].names.headsign == "Central Station")
        #expect(subject.departures[0].observation.expected == nil)
        #expect(!subject.isForDate)
    }

    @Test func departureOfAnotherDayIsTheNextOne() throws {
        let monday = try #require(subjects(usual("08:00:00", days: [.monday])).first)
        #expect(monday.departures.first?.key.serviceDate == ServiceDate(iso8601: "2026-03-30"))
        let pinned = try #require(subjects(usual("08:20:00", days: [], date: "2026-03-31", isPinned: true)).first)
        #expect(pinned.kind == .pinned)
        #expect(pinned.isForDate)
        #expect(pinned.departures.first?.key.serviceDate == ServiceDate(iso8601: "2026-03-31"))
    }

    @Test func departureThatMovedByAFewMinutesIsFound() throws {
        let subject = try #require(subjects(usual("08:02:00")).first)
        #expect(subject.departures.first?.key.scheduled == Instant(rfc3339: "2026-03-27T08:00:00+01:00"))
        // One that is gone has no subject.
        #expect(subjects(usual("10:00:00")).isEmpty)
    }

    @Test func departureAfterMidnightBelongsToItsServiceDate() throws {
        let subject = try #require(subjects(usual("23:50:00")).first)
        #expect(subject.departures.first?.key.serviceDate == ServiceDate(iso8601: "2026-03-27"))
    }

    @Test func realtimeDataIsObserved() throws {
        try receive("b1", delay: 240)
        let departure = try #require(subjects(usual("08:00:00")).first?.departures.first)
        #expect(departure.observation.delay == 240)
        #expect(departure.observation.uncertainty == 20)
        #expect(departure.observation.isFresh)
        #expect(departure.observation.measured == fixture.now)
        fixture.now = fixture.now.advanced(by: 30)
        try receive("b1", .canceled)
        let canceled = try #require(subjects(usual("08:00:00")).first?.departures.first)
        #expect(canceled.observation.status == .canceled)
        #expect(canceled.key == departure.key)
    }

    @Test func commuteHasItsWindowAndItsDestination() throws {
        let window = try #require(CommuteWindow("07:00-09:00"))
        let context = context {
            $0.commutes = [
                CommuteConfiguration(name: "trip", from: "city:harbor", to: "city:central", windows: [window])
            ]
        }
        var finder = SubjectFinder(context)
        let subject = try #require(finder.subjects(context, changed: nil)?.first)
        #expect(subject.kind == .commute)
        #expect(subject.window?.lowerBound == Instant(rfc3339: "2026-03-27T07:00:00+01:00"))
        let first = try #require(subject.departures.first)
        #expect(first.names.destination == "Central Station")
        #expect(first.arrival == Instant(rfc3339: "2026-03-27T08:20:00+01:00"))
        #expect(first.departureBeforeArrival == Instant(rfc3339: "2026-03-27T08:09:00+01:00"))
        #expect(subject.walk == nil)
        // A message of another feed, and one that changes nothing about it, evaluate nothing.
        #expect(finder.subjects(context, changed: ["other"]) == nil)
        #expect(finder.subjects(context, changed: ["city"]) != nil)
        #expect(finder.isCurrent(context))
    }

    /// The board shows low confidence for the times of a timetable that has expired.
    @Test func observationHasTheConfidenceOfTheBoard() throws {
        let context = context()
        let timetable = try #require(context.feeds.first?.timetable)
        let board = try BoardQuery(stop: "city:harbor", route: nil, feed: nil, at: nil, context)
        let shown = try #require(board.result(count: 1, context).departures.first)
        let later = QueryContext(now: context.now.advanced(by: 366 * 86_400), feeds: context.feeds)
        var observer = DepartureObserver()
        #expect(try observer.departure(shown)?.observation.confidence == .medium)
        let old = MergedDeparture(FeedConditions(timetable, later), shown.call)
        #expect(try observer.departure(old)?.observation.confidence == .low)
    }

    @Test func favoriteRouteAtAStopIsASubject() throws {
        let context = context {
            $0.favorites = [
                SavedFavorite(name: "bus", feed: "city", target: .routeAtStop("bus24", "harbor", bothSides: false)),
                SavedFavorite(name: "stop", feed: "city", target: .stop("harbor", bothSides: false)),
            ]
        }
        var finder = SubjectFinder(context)
        #expect(finder.subjects(context, changed: nil)?.map(\.name) == ["bus"])
    }

    @Test func subjectThatCannotBeWatchedHasAReason() throws {
        let window = try #require(CommuteWindow("07:00-09:00"))
        var gone = usual("08:00:00")
        gone.stop = "gone"
        let context = context {
            $0.commutes = [CommuteConfiguration(name: "trip", from: "gym", to: "city:central", windows: [window])]
            $0.usualDepartures = [gone]
        }
        let finder = SubjectFinder(context)
        #expect(
            finder.problems.map(\.reason) == [
                "city no longer has the stop \"gone\".", "The place \"gym\" is not set.",
            ])
    }

    @Test func newTimetableVersionResolvesAgain() throws {
        let before = context { $0.usualDepartures = [usual("08:00:00")] }
        let finder = SubjectFinder(before)
        try fixture.replace(
            "city",
            with: FeedBuilder.small.adding(
                "b9,09:00:00,09:00:00,harbor,1\nb9,09:10:00,09:10:00,market,2\n", to: "stop_times.txt"
            ).adding("bus24,weekday,b9,Central Station,0\n", to: "trips.txt"))
        let after = context { $0.usualDepartures = [usual("08:00:00")] }
        #expect(!finder.isCurrent(after))
    }
}
