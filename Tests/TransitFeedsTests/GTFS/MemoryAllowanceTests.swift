import Synchronization
import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// The memory limit for reading a feed.
@Suite struct MemoryAllowanceTests {
    private func read(_ feed: FeedBuilder, _ memory: MemoryAllowance) throws(FeedError) -> GTFSReading {
        var options = GTFSFixture.options
        options.memory = memory
        return try GTFSReader(feed.source, options: options).read()
    }

    @Test func excessiveEstimateRejectsFeedBeforeReading() throws {
        let estimate = try ZipArchive(FeedBuilder.small.source).memoryEstimate()
        var rows = 0
        #expect(throws: FeedError.limit(.memory(estimate, limit: 1 << 20))) {
            var options = GTFSFixture.options
            options.memory = MemoryAllowance(limit: 1 << 20) { 0 }
            _ = try GTFSReader(FeedBuilder.small.source, options: options, progress: { _ in rows += 1 }).read()
        }
        #expect(rows == 0)
        _ = try read(.small, MemoryAllowance(limit: estimate) { 0 })
    }

    @Test func estimateGrowsWithTables() throws {
        let before = try ZipArchive(FeedBuilder.small.source).memoryEstimate()
        let stops = String(repeating: "harbor,100,Harbor,53.5400,9.9800,0,,\n", count: 10_000)
        let after = try ZipArchive(FeedBuilder.small.adding(stops, to: "stops.txt").source).memoryEstimate()
        #expect(after - before > 1 << 20)
        let other = try ZipArchive(FeedBuilder.small.adding(stops, to: "attributions.txt").source).memoryEstimate()
        #expect(other == before)
    }

    /// A table's rows can take far more memory than rows of typical length.
    @Test func excessiveMemoryUseStopsReading() throws {
        let stops = String(repeating: "harbor,100,Harbor,53.5400,9.9800,0,,\n", count: 100_000)
        let feed = FeedBuilder.small.adding(stops, to: "stops.txt")
        let looks = Mutex<UInt64>(0)
        let memory = MemoryAllowance(limit: 100 << 20) {
            looks.withLock { looks in
                looks += 1
                return (500 + (looks - 1) * 60) << 20
            }
        }
        #expect(throws: FeedError.limit(.memory(120 << 20, limit: 100 << 20))) { try read(feed, memory) }
        #expect(looks.withLock { $0 } == 3)
    }
}
