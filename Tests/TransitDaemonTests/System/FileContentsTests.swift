import Foundation
import Glibc
import Testing
import TransitModel
import TransitTestSupport

@testable import TransitDaemon

/// What lies in a file's place must neither keep the daemon waiting nor end it.
@Suite struct FileContentsTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func whatIsNoFileIsNotRead() {
        #expect(mkfifo(folder("fifo"), 0o600) == 0)
        #expect(mknod(folder("socket"), S_IFSOCK | 0o600, 0) == 0)
        for name in ["fifo", "socket", ""] {
            guard case .failure = FileContents.read(folder(name), limit: 10) else {
                Issue.record("\(name) was read")
                continue
            }
        }
        #expect(FileContents.read("/dev/null", limit: 10) == .success([]))
    }

    @Test func aBodyTakesThePlaceOfWhatIsNoFile() throws {
        #expect(mkfifo(folder("body"), 0o600) == 0)
        let sink = try ResponseBodyWriter(.file(path: folder("body")), limit: 100)
        try Array("new".utf8).withUnsafeBytes { (bytes) throws in try sink.take(bytes, isKept: true) }
        #expect(FileContents.read(folder("body"), limit: 10) == .success(Array("new".utf8)))
        #expect(mkfifo(folder("source"), 0o600) == 0)
        #expect(throws: FetchFailure.file(EINVAL)) { try sink.take(contentsOf: folder("source")) }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make a device"))
    func aDeviceIsNeitherWrittenNorRemoved() throws {
        // The device of /dev/full, in a folder of the test: a defect then removes nothing of the machine's.
        try #require(mknod(folder("device"), S_IFCHR | 0o600, 1 << 8 | 7) == 0)
        #expect(throws: FetchFailure.file(EINVAL)) {
            _ = try ResponseBodyWriter(.file(path: folder("device")), limit: 100)
        }
        #expect(access(folder("device"), F_OK) == 0)
    }

    @Test("A collection that finds a FIFO or a folder among its files begins anew")
    func aCollection() throws {
        let collection = CollectionFolder("city", in: folder.path)
        #expect(mkdir(folder("city"), 0o700) == 0)
        #expect(mkfifo(folder("city/collection"), 0o600) == 0)
        #expect(mkdir(folder("city/more"), 0o700) == 0)
        let now = Instant(secondsSince1970: 1_800_000_000)
        for _ in 0..<2 { try collection.open(for: "here", at: now, longest: 60) }
        #expect(
            FileContents.read(folder("city/collection"), limit: 100) == .success(Array("1800000000\nhere\n".utf8)))
    }

    @Test("A FIFO in a live answer's place is set aside when the daemon starts, and said")
    func aLiveAnswer() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small]) { [folder] configuration in
            configuration.feeds[0].realtime[.vehicles] = .file(path: folder("vehicles.pb"))
        }
        let cache = daemon.daemon.directories.live
        #expect(mkfifo("\(cache)/city.vehicles.live", 0o600) == 0)
        #expect(try await daemon.update("city").outcome == .updated)
        #expect(daemon.daemon.damages.entries.map(\.name) == ["city vehicles"])
        #expect(access("\(cache)/city.vehicles.live.damaged", F_OK) == 0)
    }
}
