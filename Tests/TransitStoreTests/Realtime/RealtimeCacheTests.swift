import Glibc
import Testing
import TransitModel

@testable import TransitStore

@Suite("Cache of the last responses of realtime sources")
struct RealtimeCacheTests {
    private let folder: TemporaryDirectory
    private let cache: RealtimeCache
    private let snapshot = CachedRealtimeResponse(
        body: Array("not too long".utf8), fetched: Instant(secondsSince1970: 1_700_000_000))

    init() throws {
        folder = try TemporaryDirectory()
        cache = try RealtimeCache(directory: folder.file("live"))
    }

    private var path: String { cache.directory + "/bart.vehicles.live" }

    @Test("A cached response is found again for its own dataset, also after a restart")
    func responseIsReadBack() throws {
        try cache.save(snapshot, feed: "bart", dataset: "vehicles")
        #expect(try cache.response(feed: "bart", dataset: "vehicles") == snapshot)
        #expect(try cache.response(feed: "bart", dataset: "alerts") == nil)
        #expect(try cache.response(feed: "caltrain", dataset: "vehicles") == nil)
        let again = try RealtimeCache(directory: cache.directory)
        #expect(try again.response(feed: "bart", dataset: "vehicles") == snapshot)
    }

    @Test("A new response replaces the old one, also if it is empty or has an early time")
    func newResponseReplacesOld() throws {
        try cache.save(snapshot, feed: "bart", dataset: "vehicles")
        let other = CachedRealtimeResponse(body: [], fetched: Instant(secondsSince1970: -5))
        try cache.save(other, feed: "bart", dataset: "vehicles")
        #expect(try cache.response(feed: "bart", dataset: "vehicles") == other)
        // The next response is written to the second file.
        #expect(try FileSystem.names(in: cache.directory) == ["bart.vehicles.live", "bart.vehicles.live.building"])
        // Longer and shorter responses overwrite this file.
        for count in [0, 5000, 3, 70_000, 0, 12] {
            let next = CachedRealtimeResponse(body: [UInt8](repeating: 7, count: count), fetched: snapshot.fetched)
            try cache.save(next, feed: "bart", dataset: "vehicles")
            #expect(try cache.response(feed: "bart", dataset: "vehicles") == next)
        }
        try cache.remove(feed: "bart", dataset: "vehicles")
        #expect(try FileSystem.names(in: cache.directory).isEmpty)
    }

    @Test(
        "Every corrupt byte and every truncation is detected, and the file is set aside and can be replaced"
    )
    func corruptFileIsSetAside() throws {
        try cache.save(snapshot, feed: "bart", dataset: "vehicles")
        let intact = RawFile.read(path)
        var broken = (0..<intact.count).map { Array(intact[..<$0]) }
        broken += intact.indices.map { position in
            var bytes = intact
            bytes[position] ^= 0x10
            return bytes
        }
        broken.append(intact + [0])
        for bytes in broken {
            try FileSystem.write(bytes, to: path)
            #expect(throws: StoreError.self) { try cache.response(feed: "bart", dataset: "vehicles") }
            #expect(FileSystem.size(of: path + FileSystem.damagedSuffix) == bytes.count)
            #expect(try cache.response(feed: "bart", dataset: "vehicles") == nil)
        }
        try cache.save(snapshot, feed: "bart", dataset: "vehicles")
        #expect(try cache.response(feed: "bart", dataset: "vehicles") == snapshot)
    }

    @Test("Responses of removed feeds and unfinished files are removed")
    func removedFeedsAreDeleted() throws {
        try cache.save(snapshot, feed: "bart", dataset: "vehicles")
        try cache.save(snapshot, feed: "caltrain", dataset: "alerts")
        try cache.removeFeeds(except: ["caltrain"])
        #expect(try FileSystem.names(in: cache.directory) == ["caltrain.alerts.live"])
        try FileSystem.write([1], to: path + TimetableFile.buildingSuffix)
        _ = try RealtimeCache(directory: cache.directory)
        #expect(try FileSystem.names(in: cache.directory) == ["caltrain.alerts.live"])
    }

    @Test(
        "A folder or a FIFO in place of a file is set aside, and the next response is cached", arguments: [true, false])
    func otherFileTypesAreSetAside(isFolder: Bool) throws {
        #expect((isFolder ? mkdir(path, 0o700) : mkfifo(path, 0o600)) == 0)
        #expect(mkdir(path + ".building", 0o700) == 0)
        #expect(mkfifo(path + ".building/left", 0o600) == 0)
        let cache = try RealtimeCache(directory: folder.file("live"))
        #expect(throws: StoreError.corrupt(path: path, detail: FileSystem.notRegular)) {
            try cache.response(feed: "bart", dataset: "vehicles")
        }
        try cache.save(snapshot, feed: "bart", dataset: "vehicles")
        #expect(try cache.response(feed: "bart", dataset: "vehicles") == snapshot)
    }
}
