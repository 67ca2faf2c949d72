import Glibc
import Testing
import TransitModel

@testable import TransitStore

@Suite("The last answers of live sources")
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

    @Test("What was kept is found again, also after a restart, for its own dataset only")
    func roundTrip() throws {
        try cache.keep(snapshot, feed: "bart", dataset: "vehicles")
        #expect(try cache.snapshot(feed: "bart", dataset: "vehicles") == snapshot)
        #expect(try cache.snapshot(feed: "bart", dataset: "alerts") == nil)
        #expect(try cache.snapshot(feed: "caltrain", dataset: "vehicles") == nil)
        let again = try RealtimeCache(directory: cache.directory)
        #expect(try again.snapshot(feed: "bart", dataset: "vehicles") == snapshot)
    }

    @Test("A new answer takes the place of the old one; an empty one and an early time are kept too")
    func replaced() throws {
        try cache.keep(snapshot, feed: "bart", dataset: "vehicles")
        let other = CachedRealtimeResponse(body: [], fetched: Instant(secondsSince1970: -5))
        try cache.keep(other, feed: "bart", dataset: "vehicles")
        #expect(try cache.snapshot(feed: "bart", dataset: "vehicles") == other)
        // Beside it the file that the next one is written to.
        #expect(try FileSystem.names(in: cache.directory) == ["bart.vehicles.live", "bart.vehicles.live.building"])
        // Which is written over, whatever was in it: a longer one, a shorter one.
        for count in [0, 5000, 3, 70_000, 0, 12] {
            let next = CachedRealtimeResponse(body: [UInt8](repeating: 7, count: count), fetched: snapshot.fetched)
            try cache.keep(next, feed: "bart", dataset: "vehicles")
            #expect(try cache.snapshot(feed: "bart", dataset: "vehicles") == next)
        }
        try cache.forget(feed: "bart", dataset: "vehicles")
        #expect(try FileSystem.names(in: cache.directory).isEmpty)
    }

    @Test(
        "Every damaged byte and every missing end is found, set aside, and does not stand in the way of the next answer"
    )
    func damaged() throws {
        try cache.keep(snapshot, feed: "bart", dataset: "vehicles")
        let sound = RawFile.read(path)
        var broken = (0..<sound.count).map { Array(sound[..<$0]) }
        broken += sound.indices.map { position in
            var bytes = sound
            bytes[position] ^= 0x10
            return bytes
        }
        broken.append(sound + [0])
        for bytes in broken {
            try FileSystem.write(bytes, to: path)
            #expect(throws: StoreError.self) { try cache.snapshot(feed: "bart", dataset: "vehicles") }
            #expect(FileSystem.size(of: path + FileSystem.damagedSuffix) == bytes.count)
            #expect(try cache.snapshot(feed: "bart", dataset: "vehicles") == nil)
        }
        try cache.keep(snapshot, feed: "bart", dataset: "vehicles")
        #expect(try cache.snapshot(feed: "bart", dataset: "vehicles") == snapshot)
    }

    @Test("What belongs to feeds that are gone, and half written files, are removed")
    func tidied() throws {
        try cache.keep(snapshot, feed: "bart", dataset: "vehicles")
        try cache.keep(snapshot, feed: "caltrain", dataset: "alerts")
        try cache.removeFeeds(besides: ["caltrain"])
        #expect(try FileSystem.names(in: cache.directory) == ["caltrain.alerts.live"])
        try FileSystem.write([1], to: path + TimetableFile.buildingSuffix)
        _ = try RealtimeCache(directory: cache.directory)
        #expect(try FileSystem.names(in: cache.directory) == ["caltrain.alerts.live"])
    }

    @Test(
        "A folder or a FIFO in an answer's place is set aside, and the next answer is kept", arguments: [true, false])
    func notAFile(isFolder: Bool) throws {
        #expect((isFolder ? mkdir(path, 0o700) : mkfifo(path, 0o600)) == 0)
        #expect(mkdir(path + ".building", 0o700) == 0)
        #expect(mkfifo(path + ".building/left", 0o600) == 0)
        let cache = try RealtimeCache(directory: folder.file("live"))
        #expect(throws: StoreError.corrupt(path: path, detail: FileSystem.notRegular)) {
            try cache.snapshot(feed: "bart", dataset: "vehicles")
        }
        try cache.keep(snapshot, feed: "bart", dataset: "vehicles")
        #expect(try cache.snapshot(feed: "bart", dataset: "vehicles") == snapshot)
    }
}
