import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitTestSupport

@testable import TransitDaemon

/// A daemon with the small feed and a user with a commute from the harbor to the central station, in a window from 07:00
/// to 09:00. It is Friday, 07:30; the buses leave at 08:00 and 08:20.
struct NotificationFixture {
    let daemon: TestDaemon

    var service: NotificationService { daemon.daemon.notifications }

    init(
        isOn: Bool = true, at: String = "2026-03-27T06:30:00Z", feed: FeedBuilder = .small,
        _ change: (inout Configuration) -> Void = { _ in }
    ) async throws {
        self.init(
            try await TestDaemon.imported(["city": feed], at: at) { configuration in
                configuration.feeds[0].realtime[.tripUpdates] = .file(path: "")
                change(&configuration)
            })
        try addCommute(isOn: isOn)
    }

    /// A daemon whose feed "city" has realtime updates.
    init(_ daemon: TestDaemon) { self.daemon = daemon }

    /// Adds the commute, and turns notifications on.
    func addCommute(isOn: Bool = true) throws {
        _ = try daemon.ask(
            CommuteAddParameters(
                name: "trip", from: "city:harbor", to: "city:central", windows: ["07:00-09:00"], days: ["weekdays"]))
        if isOn { _ = try daemon.ask(NotifyEnableParameters(isOn: true)) }
        service.pass()
    }

    /// Applies a message about one trip, and decides.
    ///
    /// - Parameter decides: Whether to make a pass, which the running service makes otherwise.
    func receive(
        _ trip: TripID, _ relationship: TripScheduleRelationship = .scheduled, delay: Int32? = nil, decides: Bool = true
    ) {
        let now = daemon.clock.now()
        let update = TripUpdate(
            id: "1",
            trip: TripDescriptor(
                tripID: trip, startDate: ServiceDate(iso8601: "2026-03-27"), relationship: relationship),
            updates: delay.map {
                [StopTimeUpdate(stopID: "harbor", departure: StopTimeEvent(delay: $0, uncertainty: 20))]
            }
                ?? [], timestamp: now)
        let taken = daemon.daemon.realtimeFeeds.receive(
            RealtimeWriter.bytes(RealtimeHeader(version: "2.0", timestamp: now), [.tripUpdate(update)]),
            of: DatasetID("city", .tripUpdates), received: now, now: now)
        #expect(taken.isUsed)
        service.feedChanged("city")
        if decides { service.pass() }
    }

    /// Advances the clock, and decides.
    func advance(by seconds: Int) {
        daemon.clock.advance(by: seconds)
        service.pass()
    }

    var current: NotificationsResult {
        get throws { try daemon.ask(NotificationsParameters()) }
    }

    func events(_ rule: String) throws -> [NotificationEvent] { try current.events.filter { $0.rule == rule } }
}
