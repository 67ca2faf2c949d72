import Foundation
import Glibc
import Testing
import TransitModel
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon
@testable import TransitFetch

/// A FIFO, socket or device in the place of a file must neither block nor end the daemon.
@Suite(.ownThreads) struct FileContentsTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func specialFilesAreNotRead() {
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

    @Test func bodyReplacesFIFO() throws {
        #expect(mkfifo(folder("body"), 0o600) == 0)
        let writer = try ResponseBodyWriter(.file(path: folder("body")), limit: 100)
        try Array("new".utf8).withUnsafeBytes { (bytes) throws in try writer.append(bytes, isKept: true) }
        #expect(FileContents.read(folder("body"), limit: 10) == .success(Array("new".utf8)))
        #expect(mkfifo(folder("source"), 0o600) == 0)
        #expect(throws: TransportFailure.file(EINVAL)) { try writer.append(contentsOf: folder("source")) }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can create a device"))
    func deviceIsNeitherWrittenNorRemoved() throws {
        // The device is a copy of /dev/full in the test's folder, so that a defect cannot remove the system's device.
        try #require(mknod(folder("device"), S_IFCHR | 0o600, 1 << 8 | 7) == 0)
        #expect(throws: TransportFailure.file(EINVAL)) {
            _ = try ResponseBodyWriter(.file(path: folder("device")), limit: 100)
        }
        #expect(access(folder("device"), F_OK) == 0)
    }

    @Test("A collection that finds a FIFO or a folder among its files starts again")
    func collectionWithSpecialFilesRestarts() throws {
        let collection = CollectionFolder("city", in: folder.path)
        #expect(mkdir(folder("city"), 0o700) == 0)
        #expect(mkfifo(folder("city/collection"), 0o600) == 0)
        #expect(mkdir(folder("city/more"), 0o700) == 0)
        let now = Instant(secondsSince1970: 1_800_000_000)
        for _ in 0..<2 { try collection.open(for: "here", at: now, maximumAge: 60) }
        #expect(
            FileContents.read(folder("city/collection"), limit: 100) == .success(Array("1800000000\nhere\n".utf8)))
    }

    @Test("A FIFO in the place of a cached response is set aside at the start and reported")
    func specialFileInPlaceOfCachedResponseIsSetAside() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small]) { [folder] configuration in
            configuration.feeds[0].realtime[.vehicles] = .file(path: folder("vehicles.pb"))
        }
        let cache = daemon.daemon.directories.realtimeResponses
        #expect(mkfifo("\(cache)/city.vehicles.live", 0o600) == 0)
        #expect(try await daemon.update("city").outcome == .updated)
        #expect(daemon.daemon.corruptFiles.entries.map(\.name) == ["city vehicles"])
        #expect(access("\(cache)/city.vehicles.live.damaged", F_OK) == 0)
    }
}
