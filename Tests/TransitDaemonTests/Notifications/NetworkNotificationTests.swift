import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitNotifications
import TransitStore
import TransitTestSupport

@testable import TransitDaemon

/// Notifications about alerts, timetables and trips, from the sources of the daemon to the events.
@Suite struct NetworkNotificationTests {
    @Test func alertOfTheOwnRouteIsToldOnceByItsText() async throws {
        let fixture = try await NotificationFixture { $0.feeds[0].realtime[.alerts] = .file(path: "") }
        fixture.receive(alerts: [])
        fixture.receive(alerts: [Self.alert("1", "No buses on route 24 today")])
        let event = try #require(try fixture.events("alert").first)
        #expect(event.title.contains("No buses on route 24 today") || event.body.contains("No buses on route 24 today"))
        #expect(event.alert?.id == "1")
        // The publisher gives the same alert a new identifier.
        fixture.daemon.clock.advance(by: 60)
        fixture.receive(alerts: [Self.alert("2", "No buses on route 24 today")])
        #expect(try fixture.events("alert").map(\.id) == [event.id])
    }

    @Test func alertThatStandsAtTheFirstRunIsNotTold() async throws {
        let fixture = try await NotificationFixture(isOn: false) { $0.feeds[0].realtime[.alerts] = .file(path: "") }
        fixture.receive(alerts: [Self.alert("1", "No buses on route 24 today")])
        _ = try fixture.daemon.ask(NotifyEnableParameters(isOn: true))
        fixture.service.pass()
        #expect(try fixture.events("alert").isEmpty)
    }

    @Test func takenTripEndsItsBubbleAndEarnsABadge() async throws {
        let fixture = try await NotificationFixture()
        fixture.advance(by: 15 * 60)
        let leave = try #require(try fixture.events("leave").first)
        fixture.advance(by: 15 * 60)
        let departure = try #require(leave.departure)
        let taken = try fixture.daemon.ask(TakenAddParameters(departure: departure.id))
        #expect(taken.changed)
        fixture.service.topicChanged(.personal(uid: 1000))
        fixture.service.pass()
        let events = try fixture.current.events
        #expect(events.contains { $0.rule == "badge" && $0.title.contains("First Ride") })
        #expect(fixture.service.overview(of: 1000).engine?.followedDepartures.count == 1)
    }

    @Test func buttonLogsTheTrip() async throws {
        let fixture = try await NotificationFixture()
        fixture.advance(by: 15 * 60)
        let leave = try #require(try fixture.events("leave").first)
        _ = try fixture.daemon.ask(NotifyActParameters(id: leave.id, action: "taken"))
        #expect(try fixture.daemon.ask(TakenListParameters()).trips.map(\.routeName) == ["24"])
    }

    @Test func dayOffDoesNotEndTheStreak() async throws {
        let fixture = try await NotificationFixture()
        // Wednesday and Friday; the Thursday between them is a day off.
        let trips = ["2026-03-25", "2026-03-27"].map { Self.trip(on: $0) }
        _ = try fixture.daemon.daemon.state.addTrips(trips, of: 1000)
        #expect(try fixture.daemon.ask(InsightsParameters()).currentStreak.days == 1)
        let thursday = ServiceDate(iso8601: "2026-03-26")!
        try fixture.daemon.daemon.state.setNotificationSettings(
            [NotificationSettingKey.daysOff: "\(thursday)"], of: 1000)
        #expect(try fixture.daemon.ask(InsightsParameters()).currentStreak.days == 2)
    }

    private static func alert(_ id: String, _ header: String) -> Alert {
        var alert = Alert(id: EntityID(id))
        alert.effect = .noService
        alert.header = TranslatedText([TranslatedText.Translation(header)])
        alert.informed = [InformedEntity(routeID: "bus24")]
        return alert
    }

    private static func trip(on date: String) -> SavedTrip {
        let departed = Instant(rfc3339: "\(date)T07:00:00Z")!
        return SavedTrip(
            departure: DepartureKey(
                feed: "city", route: "bus24", direction: nil, stop: "harbor", scheduled: departed,
                serviceDate: ServiceDate(iso8601: date)!),
            departed: departed, offset: 3600, routeName: "24", stopName: "Harbor", destination: nil,
            destinationName: nil, commute: "trip", meters: 4000, isStraightLine: false, logged: departed)
    }
}

extension NotificationFixture {
    /// Applies a message with alerts, and decides.
    fileprivate func receive(alerts: [Alert]) {
        let now = daemon.clock.now()
        let taken = daemon.daemon.realtimeFeeds.receive(
            RealtimeWriter.bytes(RealtimeHeader(version: "2.0", timestamp: now), alerts.map { .alert($0) }),
            of: DatasetID("city", .alerts), received: now, now: now)
        #expect(taken.isUsed)
        service.feedChanged("city")
        service.pass()
    }
}
