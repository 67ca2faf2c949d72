import Foundation
import Testing
import TransitModel
import TransitStore
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

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
}
