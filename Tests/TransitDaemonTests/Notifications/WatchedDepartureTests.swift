import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitModel
import TransitNotifications
import TransitQueries
import TransitReplies
import TransitStore
import TransitTestSupport

@testable import TransitDaemon

/// The departures of subjects from the data in use to the notification. It is Friday, March 27, 2026, 07:30.
@Suite struct WatchedDepartureTests {
    private let fixture: NotificationFixture

    init() async throws { fixture = try await NotificationFixture(isOn: false) }

    private func context() -> QueryContext {
        let own = fixture.daemon.daemon.contexts.context(from: fixture.daemon.caller(1000)).query
        var personal = PersonalState()
        personal.usualDepartures = [
            SavedUsualDeparture(
                feed: "city", route: "bus24", direction: Direction(rawValue: 0), stop: "harbor",
                time: ServiceTime(seconds: 8 * 3600), days: [.friday], date: nil, isPinned: false)
        ]
        return QueryContext(now: own.now, feeds: own.feeds, personal: personal, settings: own.settings)
    }

    private func departures() -> [WatchedDeparture] {
        var finder = SubjectFinder(context())
        return finder.subjects(context(), changed: nil)?.first?.departures ?? []
    }

    /// Two feeds of one agency have the departure. The town's data is shown for the trip of the city's timetable.
    @Test func departureOfTwoFeedsHasItsDestination() async throws {
        let pair = try await FeedPairTests()
        pair.tell(
            [try pair.vehicle("v1", [("1", "08:03:00"), ("2", "08:12:00"), ("3", "08:23:00")])], of: "town")
        let own = pair.daemon.daemon.contexts.context(from: pair.daemon.caller(1000)).query
        var personal = PersonalState()
        personal.commutes = [
            CommuteConfiguration(
                name: "trip", from: "city:harbor", to: "city:central",
                windows: [try #require(CommuteWindow("07:00-09:00"))])
        ]
        let context = QueryContext(now: own.now, feeds: own.feeds, personal: personal, settings: own.settings)
        var finder = SubjectFinder(context)
        let subjects = finder.subjects(context, changed: nil)
        let first = try #require(subjects?.first?.departures.first)
        #expect(first.shown?.merged.confirmation?.isUsed == true)
        #expect(first.names.destination == "Central Station")
    }

    /// A bus calls at two stops with the same name, three kilometers from each other.
    @Test func vehicleUnderWayArrivesAtTheStopWhereTheUserGetsOff() async throws {
        let feed = FeedBuilder.small
            .adding("far,,Market Square,53.5800,9.9900,0,,\n", to: "stops.txt")
            .adding("bus24,weekday,long,Market Square,0\n", to: "trips.txt")
            .adding(
                "long,08:05:00,08:05:00,harbor,1\nlong,08:10:00,08:10:00,market,2\nlong,08:30:00,08:30:00,far,3\n",
                to: "stop_times.txt")
        let fixture = try await NotificationFixture(isOn: false, feed: feed)
        var personal = PersonalState()
        personal.commutes = [
            CommuteConfiguration(
                name: "trip", from: "city:harbor", to: "city:far",
                windows: [try #require(CommuteWindow("07:00-09:00"))])
        ]
        func context() -> QueryContext {
            let own = fixture.daemon.daemon.contexts.context(from: fixture.daemon.caller(1000)).query
            return QueryContext(now: own.now, feeds: own.feeds, personal: personal, settings: own.settings)
        }
        var finder = SubjectFinder(context())
        let before = finder.subjects(context(), changed: nil)
        let departure = try #require(before?.first?.departures.first)
        #expect(departure.arrival == Instant(rfc3339: "2026-03-27T08:30:00+01:00"))
        // The bus left four minutes ago.
        fixture.daemon.clock.advance(by: 39 * 60)
        let later = finder.subjects(context(), changed: nil, following: [departure.key])
        let underWay = try #require(later?.first?.departures.first { $0.key == departure.key })
        #expect(underWay.observation.status == .departed)
        #expect(underWay.arrival == Instant(rfc3339: "2026-03-27T08:30:00+01:00"))
        #expect(underWay.departureBeforeArrival == Instant(rfc3339: "2026-03-27T08:10:00+01:00"))
    }

    /// The message with the delay is replaced before the notification is rendered.
    @Test func notificationShowsTheDepartureAsItWasDecided() throws {
        fixture.receive("b1", delay: 240)
        let watched = try #require(departures().first)
        var decision = NotificationDecision(
            id: "1", key: "1", revision: 1, operation: .show, rule: .delay, at: fixture.daemon.clock.now(),
            validUntil: fixture.daemon.clock.now(), title: "", body: "", subjectKind: "usual", subjectName: "bus",
            reason: "")
        decision.departure = watched
        fixture.daemon.clock.advance(by: 30)
        fixture.receive("b1", delay: 600)
        let event = NotificationRenderer(context: context(), logger: fixture.service.dependencies.logger)
            .event(decision)
        #expect(event.departure?.id == watched.id)
        #expect(event.departure?.delay == 240)
        #expect(event.departure?.age == 30)
    }
}
