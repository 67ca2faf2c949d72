import Foundation
import Glibc
import Testing
import TransitModel
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// A FIFO or folder in the place of a file must neither block nor end the daemon.
@Suite(.ownThreads) struct SpecialFileTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

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
