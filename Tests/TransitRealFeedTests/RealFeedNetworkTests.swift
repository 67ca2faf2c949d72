import Foundation
import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitQueries
import TransitStore
import TransitTestSupport
import TransitTestTraits

/// Derives the network for journeys of every recorded feed.
@Suite(.ownThreads) struct RealFeedNetworkTests {
    @Test(
        "Networks are written and found again",
        .enabled(if: SharedData.isAvailable, "the recorded feeds are missing"),
        arguments: RealFeedBoardTests.archives)
    func networkIsFoundAgain(of archive: URL) throws {
        // RealFeedBoardTests lists the feeds that are rejected.
        guard
            let reading = try? GTFSReader(
                FileByteSource(path: archive.path), options: try RealFeedBoardTests.options()
            ).read()
        else { return }
        let folder = try TestFolder()
        let library = try TimetableLibrary(directory: folder("feed"))
        try library.add(
            reading.draft, origin: TimetableSummary.Origin(url: "test:", fetched: Instant(secondsSince1970: 0)),
            contentDigest: reading.contentDigest, report: reading.report)
        let file = try #require(library.current)
        let derived = try DerivedJourneyNetwork(file)
        #expect(try library.writeNetwork(derived.bytes, of: file))
        let network = try #require(try JourneyNetworkFile.open(of: file, from: JourneyNetwork.Source(of: file)))
        #expect(network.size == derived.bytes.count)
        #expect(network.stopCount == file.summary.counts.stops)
        #expect(network.trips.count >= 1 || file.summary.serviceDates == nil)
        #expect(DerivedJourneyNetwork.memoryEstimate(of: file) > UInt64(derived.bytes.count) * 2)
    }
}
