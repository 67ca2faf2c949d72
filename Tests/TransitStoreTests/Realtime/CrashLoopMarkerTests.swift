import Glibc
import Testing
import TransitModel

@testable import TransitStore

/// Only cached responses with which the process crashed twice within a minute are set aside.
struct CrashLoopMarkerTests {
    private let folder: TemporaryDirectory
    private let cache: RealtimeCache

    init() throws {
        folder = try TemporaryDirectory()
        cache = try RealtimeCache(directory: folder.file("live"))
    }

    private func keep(_ text: String, _ dataset: String = "trip_updates", at seconds: Int64 = 17) throws {
        try cache.save(
            CachedRealtimeResponse(body: Array(text.utf8), fetched: Instant(secondsSince1970: seconds)), feed: "city",
            dataset: dataset)
    }

    private func body(_ dataset: String = "trip_updates") throws -> String? {
        try cache.response(feed: "city", dataset: dataset).map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// A start whose process crashes: the marker file stays because `deinit` does not run.
    private func startAndCrash() -> [String] {
        let marker = CrashLoopMarker(directory: cache.directory)
        let result = marker.begin()
        #expect(result.failure == nil)
        _ = Unmanaged.passRetained(marker)
        return result.setAside.map { "\($0.feed) \($0.dataset)" }
    }

    @Test func twoCrashesSetResponseAside() throws {
        try keep("poison")
        #expect(startAndCrash() == [])
        #expect(startAndCrash() == [])
        #expect(try body() == "poison")
        let marker = CrashLoopMarker(directory: cache.directory)
        let setAside = try #require(marker.begin().setAside.first)
        #expect(setAside.feed == "city" && setAside.dataset == "trip_updates")
        #expect(FileSystem.size(of: setAside.path) != nil)
        #expect(try body() == nil)
        marker.end()
        // The crash count of the next response starts at zero, even if the content is the same.
        try keep("poison", at: 18)
        #expect(startAndCrash() == [])
        #expect(startAndCrash() == [])
        #expect(startAndCrash() == ["city trip_updates"])
    }

    @Test func oneCrashHasNoEffect() throws {
        try keep("good")
        for _ in 0..<5 {
            #expect(startAndCrash() == [])
            let marker = CrashLoopMarker(directory: cache.directory)
            #expect(marker.begin().setAside.isEmpty)
            marker.end()
        }
        #expect(try body() == "good")
    }

    @Test func newContentRestartsCount() throws {
        try keep("poison")
        try keep("same", "alerts")
        #expect(startAndCrash() == [])
        try keep("other")
        try keep("same", "alerts", at: 99)
        #expect(startAndCrash() == [])
        // The response was received again with the same content, so it is counted.
        #expect(startAndCrash() == ["city alerts"])
        #expect(try body() == "other")
        #expect(startAndCrash() == ["city trip_updates"])
    }

    @Test func failedStartIsOrderlyExit() throws {
        try keep("good")
        for _ in 0..<5 {
            let marker = CrashLoopMarker(directory: cache.directory)
            #expect(marker.begin().setAside.isEmpty)
        }
        #expect(startAndCrash() == [])
        #expect(startAndCrash() == [])
        #expect(startAndCrash() == ["city trip_updates"])
    }

    @Test(arguments: [
        "", "\n", "transitd started with, deaths content name:\n9 x", "9 1-1.1.1.1 city.trip_updates.live",
    ])
    func corruptMarkerIsIgnored(text: String) throws {
        try keep("good")
        try FileSystem.write(Array(text.utf8), to: cache.directory + "/started")
        #expect(startAndCrash() == [])
        #expect(startAndCrash() == [])
        #expect(try body() == "good")
    }

    @Test func otherFileTypesAreSkipped() throws {
        #expect(mkfifo(cache.directory + "/city.vehicles.live", 0o600) == 0)
        #expect(mkdir(cache.directory + "/city.alerts.live", 0o700) == 0)
        #expect(mkfifo(cache.directory + "/started", 0o600) == 0)
        let marker = CrashLoopMarker(directory: cache.directory)
        #expect(marker.begin().setAside.isEmpty)
    }

    @Test func markerIsKeptWhenFeedsAreRemoved() throws {
        try keep("good")
        #expect(startAndCrash() == [])
        try cache.removeFeeds(except: ["city"])
        _ = try RealtimeCache(directory: cache.directory)
        #expect(startAndCrash() == [])
        #expect(startAndCrash() == ["city trip_updates"])
        try cache.removeFeeds(except: ["other"])
        #expect(try FileSystem.names(in: cache.directory) == ["started"])
    }
}
