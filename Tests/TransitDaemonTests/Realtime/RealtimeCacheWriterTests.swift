import Dispatch
import Foundation
import Glibc
import Logging
import Synchronization
import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitStore
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Writes of realtime responses that fail, or that do not end.
@Suite(.ownThreads)
struct RealtimeCacheWriterTests {
    private static let dataset = DatasetID("city", .tripUpdates)

    /// A writer over a folder of its own.
    private struct Fixture {
        let folder: TestFolder
        let cache: RealtimeCache
        let writer: RealtimeCacheWriter

        init() throws {
            folder = try TestFolder()
            cache = try RealtimeCache(directory: folder.path)
            writer = RealtimeCacheWriter(
                cache, clock: SleepingClock("2026-03-27T08:00:00Z"),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }

        func save(_ name: String, _ text: String, feed: FeedID = "city") {
            writer.save(
                CachedRealtimeResponse(body: Array(text.utf8), fetched: Instant(secondsSince1970: 0)), feed: feed,
                name: name)
        }

        /// The content of a file on disk.
        func onDisk(_ name: String, feed: FeedID = "city") throws -> String? {
            try cache.response(feed: feed, dataset: name).map { String(decoding: $0.body, as: UTF8.self) }
        }

        func known(_ name: String) throws -> String? {
            try writer.response(feed: "city", name: name).map { String(decoding: $0.body, as: UTF8.self) }
        }
    }

    @Test func lastVersionIsReadBeforeItIsOnDisk() throws {
        let fixture = try Fixture()
        #expect(try fixture.known("trip_updates") == nil)
        fixture.save("trip_updates", "first")
        fixture.save("trip_updates", "second")
        #expect(try fixture.known("trip_updates") == "second" && fixture.onDisk("trip_updates") == nil)
        #expect(fixture.writer.waitingBytes(of: Self.dataset) == 6)
        #expect(fixture.writer.write() == [Self.dataset])
        #expect(try fixture.known("trip_updates") == "second" && fixture.onDisk("trip_updates") == "second")
        fixture.writer.remove(feed: "city", name: "trip_updates")
        #expect(try fixture.known("trip_updates") == nil && fixture.onDisk("trip_updates") == "second")
        fixture.writer.write()
        #expect(try fixture.onDisk("trip_updates") == nil)
    }

    @Test func failedWriteIsRepeatedBeforeTheLaterFilesOfItsDataset() throws {
        let fixture = try Fixture()
        fixture.save("trip_updates.retained", "retained")
        fixture.save("trip_updates", "response")
        fixture.save("alerts", "alert")
        let full = FileFaults { operation, path in
            operation == .write && path.contains("retained") ? ENOSPC : nil
        }
        let written = FileFaults.$current.withValue(full) { fixture.writer.write() }
        #expect(written == [DatasetID("city", .alerts)])
        #expect(try fixture.onDisk("alerts") == "alert")
        #expect(try fixture.onDisk("trip_updates") == nil && fixture.onDisk("trip_updates.retained") == nil)
        // A newer version replaces the one that could not be written.
        fixture.save("trip_updates.retained", "newer")
        #expect(fixture.writer.write() == [Self.dataset])
        #expect(try fixture.onDisk("trip_updates") == "response" && fixture.onDisk("trip_updates.retained") == "newer")
    }

    @Test func filesOfRemovedFeedsAreNotWritten() throws {
        let fixture = try Fixture()
        fixture.save("alerts", "alert")
        fixture.save("alerts", "other", feed: "gone")
        try fixture.writer.removeFeeds(except: ["city"])
        fixture.writer.write()
        #expect(try fixture.onDisk("alerts") == "alert" && fixture.onDisk("alerts", feed: "gone") == nil)
    }

    /// Blocks each write of a cached response until it is released.
    private final class HangingDisk: Sendable {
        private let released = DispatchSemaphore(value: 0)
        private let isReleased = Mutex(false)
        let isReached = Mutex(false)

        var faults: FileFaults {
            FileFaults { [self] operation, _ in
                guard operation == .write, !isReleased.withLock({ $0 }) else { return nil }
                isReached.withLock { $0 = true }
                released.wait()
                return nil
            }
        }

        func release() {
            isReleased.withLock { $0 = true }
            released.signal()
        }
    }

    @Test func boardsAndSubscribersHaveMessagesWhileTheDiskHangs() async throws {
        let fixture = try await NotificationFixture(feed: .nineBuses)
        let daemon = fixture.daemon
        let feeds = daemon.daemon.realtimeFeeds
        func receive(_ entities: [RealtimeEntity]) -> Bool {
            daemon.clock.advance(by: 60)
            let now = daemon.clock.now()
            let header = RealtimeHeader(version: "2.0", timestamp: now)
            return feeds.receive(RealtimeWriter.bytes(header, entities), of: Self.dataset, received: now, now: now)
                .isUsed
        }
        func second() throws -> String {
            let departure = try daemon.ask(DeparturesParameters(stop: "harbor")).departures[1]
            return "\(departure.trip) \(departure.status) \(departure.source)"
        }
        let changes = Mutex(0)
        daemon.daemon.feedChanges.listen { feed in if feed == "city" { changes.withLock { $0 += 1 } } }
        let disk = HangingDisk()

        #expect(receive(FeedBuilder.updatesOfNineBuses))
        let write = startTask { FileFaults.$current.withValue(disk.faults) { feeds.write() } }
        eventually { disk.isReached.withLock { $0 } }
        #expect(try second() == "b2 scheduled live" && changes.withLock { $0 } == 1)
        #expect(receive((1...9).map { FeedBuilder.cancellation(ofBus: $0) }))
        #expect(receive((1...8).map { FeedBuilder.cancellation(ofBus: $0) }))
        #expect(try second() == "b2 canceled live" && changes.withLock { $0 } == 3)
        #expect(feeds.cache.isWriting)

        disk.release()
        await write.value
        // Of the two messages that had to wait, the last one is on disk.
        let stored = try #require(
            try RealtimeCache(directory: daemon.daemon.directories.realtimeResponses)
                .response(feed: "city", dataset: "trip_updates"))
        #expect(stored.fetched == daemon.clock.now())
    }
}
