import Foundation
import Testing
import TransitModel
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon
@testable import TransitStore

/// The start marker is removed when the process has run long enough, and the service keeps running.
@Suite(.ownThreads) struct CrashLoopMarkerServiceTests {
    @Test func markerIsRemovedWhileServiceRuns() async throws {
        let folder = try TestFolder()
        let cache = try RealtimeCache(directory: folder("live"))
        try cache.save(
            CachedRealtimeResponse(body: [1, 2, 3], fetched: Instant(secondsSince1970: 0)), feed: "city",
            dataset: "alerts")
        let marker = CrashLoopMarker(directory: cache.directory)
        let beginning = marker.begin()
        #expect(beginning.setAside.isEmpty && beginning.failure == nil)
        let path = folder("live/started")
        #expect(FileManager.default.fileExists(atPath: path))
        let timer = try BootTimeTimer()
        let isOver = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                try? await CrashLoopMarkerService(marker: marker, timer: timer, seconds: 0).run()
                return true
            }
            group.addTask {
                eventually { !FileManager.default.fileExists(atPath: path) }
                return false
            }
            let first = await group.next()
            group.cancelAll()
            return first
        }
        // The marker was removed before the service returned. A service that returns would end the daemon.
        #expect(isOver == false)
    }

    @Test func filesOfOneDatasetAreReportedOnce() throws {
        let daemon = try TestDaemon(feeds: ["city": .small])
        func file(_ dataset: String) -> CrashLoopMarker.SetAsideResponse {
            CrashLoopMarker.SetAsideResponse(feed: "city", dataset: dataset, path: "/\(dataset)")
        }
        daemon.daemon.note(
            setAside: ["reporting", "trip_updates-undated", "trip_updates", "vehicles.retained"].map(file),
            at: daemon.clock.now())
        #expect(daemon.daemon.corruptFiles.entries.map(\.name) == ["city trip_updates", "city vehicles"])
        #expect(
            daemon.daemon.corruptFiles.entries.map { $0.message.contains("the next response will replace it") }
                == [true, false])
        // The last response about vehicles is still used.
        let failures = try #require(daemon.daemon.feeds.snapshot("city")?.sourceFailures)
        #expect(Set(failures.keys) == [.tripUpdates])
    }
}
