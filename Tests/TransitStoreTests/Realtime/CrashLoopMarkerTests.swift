import Glibc
import Testing
import TransitModel

@testable import TransitStore

/// Kept answers with which the process died twice within a minute are set aside, and no others.
struct CrashLoopMarkerTests {
    private let folder: TemporaryDirectory
    private let cache: RealtimeCache

    init() throws {
        folder = try TemporaryDirectory()
        cache = try RealtimeCache(directory: folder.file("live"))
    }

    private func keep(_ text: String, _ dataset: String = "trip_updates", at seconds: Int64 = 17) throws {
        try cache.keep(
            CachedRealtimeResponse(body: Array(text.utf8), fetched: Instant(secondsSince1970: seconds)), feed: "city",
            dataset: dataset)
    }

    private func body(_ dataset: String = "trip_updates") throws -> String? {
        try cache.snapshot(feed: "city", dataset: dataset).map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// A start whose process dies: what the marker wrote stays, as `deinit` does not run.
    private func startAndDie() -> [String] {
        let marker = CrashLoopMarker(directory: cache.directory)
        let beginning = marker.begin()
        #expect(beginning.failure == nil)
        _ = Unmanaged.passRetained(marker)
        return beginning.setAside.map { "\($0.feed) \($0.dataset)" }
    }

    @Test func twoDeathsSetTheAnswerAside() throws {
        try keep("poison")
        #expect(startAndDie() == [])
        #expect(startAndDie() == [])
        #expect(try body() == "poison")
        let marker = CrashLoopMarker(directory: cache.directory)
        let setAside = try #require(marker.begin().setAside.first)
        #expect(setAside.feed == "city" && setAside.dataset == "trip_updates")
        #expect(FileSystem.size(of: setAside.path) != nil)
        #expect(try body() == nil)
        marker.end()
        // What comes next begins anew, also when it is the same.
        try keep("poison", at: 18)
        #expect(startAndDie() == [])
        #expect(startAndDie() == [])
        #expect(startAndDie() == ["city trip_updates"])
    }

    @Test func oneDeathCostsNothing() throws {
        try keep("good")
        for _ in 0..<5 {
            #expect(startAndDie() == [])
            let marker = CrashLoopMarker(directory: cache.directory)
            #expect(marker.begin().setAside.isEmpty)
            marker.end()
        }
        #expect(try body() == "good")
    }

    @Test func anotherAnswerBeginsAnew() throws {
        try keep("poison")
        try keep("same", "alerts")
        #expect(startAndDie() == [])
        try keep("other")
        try keep("same", "alerts", at: 99)
        #expect(startAndDie() == [])
        // Known by its content: it came again, and is the same.
        #expect(startAndDie() == ["city alerts"])
        #expect(try body() == "other")
        #expect(startAndDie() == ["city trip_updates"])
    }

    @Test func aStartThatFailsIsAnOrderlyEnd() throws {
        try keep("good")
        for _ in 0..<5 {
            let marker = CrashLoopMarker(directory: cache.directory)
            #expect(marker.begin().setAside.isEmpty)
        }
        #expect(startAndDie() == [])
        #expect(startAndDie() == [])
        #expect(startAndDie() == ["city trip_updates"])
    }

    @Test(arguments: [
        "", "\n", "transitd started with, deaths content name:\n9 x", "9 1-1.1.1.1 city.trip_updates.live",
    ])
    func aDamagedMarkerSaysNothing(text: String) throws {
        try keep("good")
        try FileSystem.write(Array(text.utf8), to: cache.directory + "/started")
        #expect(startAndDie() == [])
        #expect(startAndDie() == [])
        #expect(try body() == "good")
    }

    @Test func whatIsNoFileIsPassedOver() throws {
        #expect(mkfifo(cache.directory + "/city.vehicles.live", 0o600) == 0)
        #expect(mkdir(cache.directory + "/city.alerts.live", 0o700) == 0)
        #expect(mkfifo(cache.directory + "/started", 0o600) == 0)
        let marker = CrashLoopMarker(directory: cache.directory)
        #expect(marker.begin().setAside.isEmpty)
    }

    @Test func theMarkerOutlivesTheCacheOfFeedsThatAreGone() throws {
        try keep("good")
        #expect(startAndDie() == [])
        try cache.removeFeeds(besides: ["city"])
        _ = try RealtimeCache(directory: cache.directory)
        #expect(startAndDie() == [])
        #expect(startAndDie() == ["city trip_updates"])
        try cache.removeFeeds(besides: ["other"])
        #expect(try FileSystem.names(in: cache.directory) == ["started"])
    }
}
