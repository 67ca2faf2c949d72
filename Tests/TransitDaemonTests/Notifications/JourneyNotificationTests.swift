import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Notifications of a daemon about the pinned journey of ``FeedBuilder/valley``, with realtime data. The clock starts on Friday,
/// March 27, 2026, at 07:30 in Berlin.
@Suite(.ownThreads) struct JourneyNotificationTests {
    private func daemon(after former: TestDaemon? = nil) async throws -> TestDaemon {
        let change: (inout Configuration) -> Void = { $0.feeds[0].realtime[.tripUpdates] = .file(path: "") }
        if let former { return try TestDaemon(feeds: ["valley": .valley], change, folder: former.folder) }
        let daemon = try await TestDaemon.imported(["valley": .valley], change)
        // The network for journeys is built by the first search.
        _ = try await daemon.askLengthy(JourneysParameters(from: "Alder", to: "Zinnia"))
        _ = try daemon.ask(
            JourneyPinParameters(
                from: "Alder", to: "Zinnia",
                legs: [
                    PinnedLeg(departure: "valley:t0@2026-03-27/1", to: "c"),
                    PinnedLeg(departure: "valley:n25@2026-03-27/1", to: "z", changeTime: 60),
                ]))
        _ = try daemon.ask(NotifyEnableParameters(isOn: true))
        return daemon
    }

    /// Passes until the searches have ended.
    private func pass(_ daemon: TestDaemon) async {
        let service = daemon.daemon.notifications
        service.pass()
        await service.searches.runWaiting {}
        service.pass()
    }

    /// Applies a message in which the train is 11 minutes late from Cedar on.
    private func receive(_ daemon: TestDaemon) {
        let now = daemon.clock.now()
        func update(_ trip: TripID, _ stop: StopID, _ delay: Int32) -> RealtimeEntity {
            let event = StopTimeEvent(delay: delay, uncertainty: 0)
            return .tripUpdate(
                TripUpdate(
                    id: EntityID(trip.rawValue), trip: TripDescriptor(tripID: trip, startDate: SavedJourney.valleyDate),
                    updates: [StopTimeUpdate(stopID: stop, arrival: event, departure: event)], timestamp: now))
        }
        let taken = daemon.daemon.realtimeFeeds.receive(
            RealtimeWriter.bytes(
                RealtimeHeader(version: "2.0", timestamp: now),
                [update("t0", "c", 660), update("n25", "c", 0), update("m15", "b", 0)]),
            of: DatasetID("valley", .tripUpdates), received: now, now: now)
        #expect(taken.isUsed)
        daemon.daemon.notifications.feedChanged("valley")
    }

    private func titles(_ daemon: TestDaemon) throws -> [String] {
        let events = try daemon.ask(NotificationsParameters()).events
        return events.filter { $0.rule == "change" || $0.rule == "getoff" }.map(\.title)
    }

    private func way(_ daemon: TestDaemon) async throws -> [String] {
        let pinned = try await daemon.askLengthy(PinnedJourneysParameters(), uid: 1000)
        return try #require(pinned.journeys.first?.journey).legs.map(\.departure.line)
    }

    /// The way is searched on the thread for searches, which a client's search may occupy.
    @Test func passDoesNotSearch() async throws {
        let daemon = try await daemon()
        let service = daemon.daemon.notifications
        await pass(daemon)
        daemon.clock.advance(by: 35 * 60)
        receive(daemon)
        service.pass()
        #expect(try titles(daemon).isEmpty)
        await service.searches.runWaiting {}
        #expect(try titles(daemon).isEmpty)
        service.pass()
        #expect(try titles(daemon) == ["You will miss Bus 1 at 08:25"])
    }

    @Test func daemonThatWasKilledGoesOnWithTheWayThatItNamed() async throws {
        let daemon = try await daemon()
        daemon.clock.advance(by: 35 * 60)
        receive(daemon)
        await pass(daemon)
        daemon.clock.advance(by: 7 * 60)
        receive(daemon)
        await pass(daemon)
        let way = ["T 08:00 a > b 08:10", "2 08:15 b > z 08:45"]
        #expect(try await self.way(daemon) == way)
        let titles = try titles(daemon)
        #expect(titles.filter { $0.hasPrefix("You will miss") }.count == 1)
        let restarted = try await self.daemon(after: daemon)
        restarted.clock.advance(by: 42 * 60)
        // Before the first pass, too.
        #expect(try await self.way(restarted) == way)
        receive(restarted)
        await pass(restarted)
        #expect(try await self.way(restarted) == way)
        #expect(try self.titles(restarted) == titles)
        restarted.clock.advance(by: 31 * 60)
        receive(restarted)
        await pass(restarted)
        #expect(try self.titles(restarted).last == "Get off at Zinnia: Bus 2 arrives at 08:45")
    }
}
