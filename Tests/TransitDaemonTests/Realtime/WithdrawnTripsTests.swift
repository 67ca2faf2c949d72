import Foundation
import Logging
import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitFetch
import TransitModel
import TransitQueries
import TransitStore
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// A source whose full messages suddenly contain no trips, in all that a user sees.
@Suite(.ownThreads)
struct WithdrawnTripsTests {
    private let fixture: NotificationFixture
    private var daemon: TestDaemon { fixture.daemon }

    init() async throws { fixture = try await NotificationFixture(feed: .nineBuses) }

    private func receive(
        _ entities: [RealtimeEntity], _ incrementality: Incrementality = .fullDataset
    ) -> RealtimeFeed.ReceiveResult {
        let now = daemon.clock.now()
        let header = RealtimeHeader(version: "2.0", incrementality: incrementality, timestamp: now)
        let result = daemon.daemon.realtimeFeeds.receive(
            RealtimeWriter.bytes(header, entities), of: DatasetID("city", .tripUpdates), received: now, now: now)
        fixture.service.feedChanged("city")
        fixture.service.pass()
        return result
    }

    /// Lines such as "b1 canceled live low" for the next departures at the harbor.
    private func board() throws -> [String] {
        try daemon.ask(DeparturesParameters(stop: "harbor")).departures.prefix(3).map {
            "\($0.trip) \($0.status) \($0.delay.map { "\($0) " } ?? "")\($0.source) \($0.confidence)"
        }
    }

    private func notices() throws -> [Notice] { try daemon.ask(DeparturesParameters(stop: "harbor")).notices }

    private func counts() throws -> RealtimeCounts {
        try #require(try daemon.ask(StatusParameters()).feeds.first?.realtime)
    }

    private static let live = ["b1 canceled live high", "b2 scheduled 240 live high", "b3 scheduled 240 live high"]
    private static let kept = ["b1 canceled live low", "b2 scheduled 240 live low", "b3 scheduled 240 live low"]
    private static let planned = (1...3).map { "b\($0) scheduled scheduled medium" }

    /// Returns another daemon with the same folders and timetable, as after a restart.
    private func restarted() throws -> FeedSnapshot {
        daemon.daemon.realtimeFeeds.write()
        let subsystem = try RefreshSubsystem(
            daemon.daemon.configuration.current,
            RefreshSubsystem.Dependencies(
                directories: daemon.daemon.directories, state: daemon.daemon.state, clock: daemon.clock, boot: "other",
                transport: LocalFileTransport(fallback: CurlTransport()), keys: FeedKeys(), zones: TimeZoneDatabase(),
                logger: .init(label: "test"), changed: { _ in }))
        return try #require(subsystem.registry.snapshot("city"))
    }

    /// The board of a daemon that was restarted.
    private func boardAfterRestart() throws -> [String] {
        let snapshot = try restarted()
        let context = QueryContext(now: daemon.clock.now(), feeds: [snapshot.view])
        return try (1...3).map { number in
            let planned = try daemon.ask(DeparturesParameters(stop: "harbor")).departures[number - 1]
            let call = try ExplainQuery(planned.id, context).result(context).own.call
            return
                "\(planned.trip) \(call.status) \(call.delay.map { "\($0) " } ?? "")\(call.source) \(call.confidence)"
        }
    }

    @Test func emptyMessageKeepsCancellationOnBoardStatusAndNotices() throws {
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        #expect(try board() == Self.live)
        #expect(try (counts().tripsMatched, counts().tripsLastKnown) == (9, 0))
        daemon.clock.advance(by: 60)
        let since = daemon.clock.now()
        #expect(receive([]).isUsed)
        #expect(try board() == Self.kept)
        #expect(try (counts().tripsMatched, counts().tripsLastKnown, counts().tripsCanceled) == (0, 9, 1))
        let notice = try #require(try notices().first)
        #expect((notice.kind, notice.since?.instant) == (.stale, since))
        #expect(notice.message.hasPrefix("Since 07:31, the live data of city lacks 9 trips that it reported before"))
        let explained = try daemon.ask(ExplainParameters(departure: daemon.first().id))
        #expect(explained.facts.first { $0.fact == "realtime" }?.value.contains("its last prediction is used") == true)
    }

    @Test func confirmedWithdrawalSaysSinceWhenAndHowManyCancellationsEnded() throws {
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        daemon.clock.advance(by: 60)
        let since = daemon.clock.now()
        for _ in 0..<5 {
            #expect(receive([]).isUsed)
            #expect(try board() == Self.kept)
            daemon.clock.advance(by: 60)
        }
        #expect(receive([]).isUsed)
        #expect(try board() == Self.planned)
        #expect(try (counts().tripsMatched, counts().tripsLastKnown) == (0, 0))
        let notice = try #require(try notices().first)
        #expect((notice.kind, notice.since?.instant) == (.partial, since))
        #expect(
            notice.message.contains("no longer contains 9 trips that are not over. One cancellation ended with them."))
        // The notice survives a restart, and ends with the next usual message.
        let restored = try restarted().realtime?.responses[.tripUpdates]?.dataset.withdrawal
        #expect((restored?.since, restored?.trips, restored?.cancellations) == (since, 9, 1))
        daemon.clock.advance(by: 60)
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        #expect(try notices().isEmpty)
        #expect(try restarted().realtime?.responses[.tripUpdates]?.dataset.withdrawal == nil)
    }

    @Test func retainedTripsSurviveRestartWithTheirTimes() throws {
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        daemon.clock.advance(by: 60)
        let since = daemon.clock.now()
        #expect(receive([]).isUsed)
        daemon.clock.advance(by: 60)
        #expect(receive([FeedBuilder.updatesOfNineBuses[1]]).isUsed)
        let expected = [Self.kept[0], Self.live[1], Self.kept[2]]
        #expect(try board() == expected)
        #expect(try boardAfterRestart() == expected)
        let dataset = try #require(try restarted().realtime?.responses[.tripUpdates]?.dataset)
        #expect(dataset.retainedTrips == 8)
        #expect(
            dataset.retentions == [
                TripRetention(reported: since.advanced(by: -60), missingSince: since, messages: 2)
            ])
    }

    @Test func shownCancellationDoesNotRunAgainByEmptyMessages() throws {
        for _ in 0..<2 {
            #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
            fixture.advance(by: 60)
        }
        let shown = try fixture.events("canceled")
        #expect(shown.count == 1)
        for _ in 0..<10 {
            #expect(receive([]).isUsed)
            fixture.advance(by: 60)
        }
        #expect(try fixture.events("canceled").map(\.id) == shown.map(\.id))
        #expect(try !fixture.current.events.contains { $0.title.contains("runs") && $0.rule == "canceled" })
    }

    @Test func missingDepartureStaysMissingWhenItsSourceDies() throws {
        var updates = FeedBuilder.updatesOfNineBuses
        updates.remove(at: 4)
        // The source reports all buses except the one that leaves at 08:40, until 08:44.
        for _ in 0..<37 {
            daemon.clock.advance(by: 120)
            #expect(receive(updates).isUsed)
        }
        func state() throws -> String? {
            try daemon.ask(DeparturesParameters(stop: "market")).departures.first { $0.trip == "b5" }.map {
                "\($0.realtimeState) \($0.source) \($0.confidence)"
            }
        }
        #expect(try state() == "missing scheduled low")
        daemon.clock.advance(by: 330)
        #expect(try notices().contains { $0.kind == .stale })
        #expect(try state() == "missing scheduled low")
    }

    @Test func silentSourceHasNoLiveTrips() throws {
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        daemon.clock.advance(by: 900)
        #expect(try (counts().tripsMatched, counts().tripsLastKnown) == (0, 9))
    }

    // MARK: Differential messages

    @Test func accumulatedChangesSurviveRestart() throws {
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        daemon.clock.advance(by: 30)
        #expect(receive([FeedBuilder.cancellation(ofBus: 2)], .differential).isUsed)
        daemon.clock.advance(by: 30)
        #expect(receive([.deleted("3")], .differential).isUsed)
        let expected = ["b1 canceled live high", "b2 canceled live high"]
        #expect(try Array(board().prefix(2)) == expected)
        #expect(try Array(boardAfterRestart().prefix(2)) == expected)
        let dataset = try #require(try restarted().realtime?.responses[.tripUpdates]?.dataset)
        #expect(dataset.trips.count == 8)
    }

    @Test func changesThatAreNotYetOnDiskAreWrittenWithinThirtySeconds() throws {
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        daemon.clock.advance(by: 30)
        for number in 2...4 {
            #expect(receive([FeedBuilder.cancellation(ofBus: number)], .differential).isUsed)
            daemon.clock.advance(by: 5)
        }
        // The second and third change are less than 20 seconds after the first one.
        #expect(try boardAfterRestart()[2] == "b3 scheduled 240 live high")
        let sinceUnsaved = try #require(secondsToSave)
        #expect(sinceUnsaved <= 0)
        daemon.daemon.realtimeFeeds.saveAccumulated(now: daemon.clock.now())
        #expect(try boardAfterRestart()[2] == "b3 canceled live high")
    }

    @Test func retainedResponsesAreNotWrittenWithEachMessage() throws {
        func file() throws -> Int {
            daemon.daemon.realtimeFeeds.write()
            let path = "\(daemon.daemon.directories.realtimeResponses)/city.trip_updates.retained.live"
            return try #require(
                try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
        }
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        daemon.clock.advance(by: 60)
        #expect(receive([]).isUsed)
        let first = try file()
        daemon.clock.advance(by: 60)
        #expect(receive([]).isUsed)
        #expect(try file() == first)
        daemon.clock.advance(by: 60)
        #expect(receive([FeedBuilder.updatesOfNineBuses[1]]).isUsed)
        #expect(try file() != first)
        #expect(try restarted().realtime?.responses[.tripUpdates]?.dataset.retainedTrips == 8)
    }

    /// The number of seconds until the next scheduled write; `nil` if none is scheduled.
    private var secondsToSave: Int? {
        daemon.daemon.realtimeFeeds.saveTimer.snapshot.moment.map {
            Int(daemon.clock.reading().boot.milliseconds(to: $0) / 1000)
        }
    }

    @Test func nothingIsScheduledWhileEverythingIsInTheCache() throws {
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        #expect(receive([FeedBuilder.cancellation(ofBus: 2)], .differential).isUsed)
        #expect(secondsToSave == nil)
        let cache = daemon.daemon.realtimeFeeds.cache
        let now = daemon.clock.reading().boot
        #expect(cache.timer.snapshot.moment == now)
        cache.timer.clear(cache.timer.snapshot)
        daemon.daemon.realtimeFeeds.write()
        #expect(cache.timer.snapshot.moment == nil && cache.waitingBytes(of: DatasetID("city", .tripUpdates)) == 0)
    }

    /// Makes writes of the last response of the trip updates fail.
    private func setCacheFull(_ isFull: Bool) throws {
        let path = "\(daemon.daemon.directories.realtimeResponses)/city.trip_updates.live.building"
        try? FileManager.default.removeItem(atPath: path)
        if isFull { try FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true) }
    }

    @Test func changesToAResponseThatCouldNotBeCachedAreCachedWithIt() throws {
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        daemon.clock.advance(by: 60)
        try setCacheFull(true)
        // The first bus runs again, the second one does not.
        var updates = FeedBuilder.updatesOfNineBuses
        updates[0] = .tripUpdate(
            TripUpdate(
                id: "1", trip: TripDescriptor(tripID: "b1", startDate: ServiceDate(iso8601: "2026-03-27")),
                updates: [StopTimeUpdate(stopID: "harbor", departure: StopTimeEvent(delay: 60))]))
        updates[1] = FeedBuilder.cancellation(ofBus: 2)
        #expect(receive(updates).isUsed)
        daemon.daemon.realtimeFeeds.write()
        try setCacheFull(false)
        daemon.clock.advance(by: 30)
        #expect(receive([FeedBuilder.cancellation(ofBus: 3)], .differential).isUsed)
        let expected = ["b1 scheduled 60 live high", "b2 canceled live high", "b3 canceled live high"]
        #expect(try board() == expected)
        #expect(try boardAfterRestart() == expected)
    }

    @Test func responseThatCouldNotBeCachedIsCachedLater() throws {
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        daemon.clock.advance(by: 60)
        try setCacheFull(true)
        #expect(receive((1...9).map { FeedBuilder.cancellation(ofBus: $0) }).isUsed)
        let cache = daemon.daemon.realtimeFeeds.cache
        cache.timer.clear(cache.timer.snapshot)
        daemon.daemon.realtimeFeeds.write()
        #expect(cache.waitingBytes(of: DatasetID("city", .tripUpdates)) > 0)
        let retry = try #require(cache.timer.snapshot.moment)
        #expect(daemon.clock.reading().boot.milliseconds(to: retry) == 10_000)
        try setCacheFull(false)
        #expect(try boardAfterRestart()[2] == "b3 canceled live high")
    }

    @Test func sourceWithoutTripUpdatesLosesNoTrips() throws {
        daemon.clock.advance(by: 2700)  // 08:15: the first two buses are under way.
        let now = daemon.clock.now()
        let header = RealtimeHeader(version: "2.0", incrementality: .differential, timestamp: now)
        for kind in [DatasetKind.alerts, .vehicles, .tripUpdates] {
            let result = daemon.daemon.realtimeFeeds.receive(
                RealtimeWriter.bytes(header, [.deleted("x")]), of: DatasetID("city", kind), received: now, now: now)
            #expect(result.isUsed)
        }
        let responses = try #require(daemon.daemon.feeds.snapshot("city")?.realtime?.responses)
        // Alerts and positions never mention the trips.
        #expect(responses[.alerts]?.dataset.lostChanges == nil && responses[.vehicles]?.dataset.lostChanges == nil)
        #expect(responses[.tripUpdates]?.dataset.lostChanges?.pending.count == 2)
    }

    // MARK: Changed times

    @Test func changedTimesStayCurrentWithANewTimetable() throws {
        let measured = daemon.clock.now().advanced(by: -720)
        func updates(_ delay: Int32) -> [RealtimeEntity] {
            FeedBuilder.updatesOfNineBuses.map { entity in
                guard case .tripUpdate(var update) = entity else { return entity }
                update.timestamp = measured
                update.updates = update.updates.map { _ in
                    StopTimeUpdate(stopID: "harbor", departure: StopTimeEvent(delay: delay))
                }
                return .tripUpdate(update)
            }
        }
        #expect(receive(updates(60)).isUsed)
        daemon.clock.advance(by: 60)
        #expect(receive(updates(120)).isUsed)
        let changed = ["b1 canceled live high", "b2 scheduled 120 live high", "b3 scheduled 120 live high"]
        #expect(try board() == changed)
        let timetable = try #require(daemon.daemon.feeds.snapshot("city")?.timetable)
        let next = Timetable(feed: "city", version: 2, file: timetable.file, zones: TimeZoneDatabase())
        daemon.daemon.realtimeFeeds.rematch(next, of: "city", now: daemon.clock.now())
        let dataset = try #require(daemon.daemon.feeds.snapshot("city")?.realtime?.responses[.tripUpdates]?.dataset)
        #expect(dataset.trips.filter(\.isRunning).allSatisfy { $0.measured == daemon.clock.now() })
    }

    @Test func lostChangesAreNotMissingAndANoticeSaysSo() throws {
        daemon.clock.advance(by: 2700)  // 08:15: the first two buses are under way.
        #expect(receive(FeedBuilder.updatesOfNineBuses).isUsed)
        #expect(receive([.deleted("2")], .differential).isUsed)
        let saved = daemon.clock.now()
        daemon.clock.advance(by: 60)
        let snapshot = try restarted()
        let lost = try #require(snapshot.realtime?.responses[.tripUpdates]?.dataset.lostChanges)
        #expect((lost.since, lost.pending.count) == (saved, 2))
        let facts = snapshot.view.notices(at: daemon.clock.now()).map(\.fact)
        #expect(facts.contains { if case .changesLost(saved) = $0 { true } else { false } })
    }
}

extension TestDaemon {
    fileprivate func first() throws -> Departure {
        try #require(try ask(DeparturesParameters(stop: "harbor")).departures.first)
    }
}
