import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@Suite struct GTFSReaderTests {
    @Test func smallFeedIsRead() throws {
        let feed = try GTFSFixture(.small)
        #expect(feed.report.findings.isEmpty)
        #expect(
            feed.draft.stops.map(\.id.rawValue) == ["harbor", "market", "central", "central:1", "central:2", "park"])
        #expect(feed.stop("central:1")?.parent == StopIndex(2))
        #expect(feed.draft.routes.map(\.shortName) == ["24", "T1"])
        #expect(feed.draft.agencies.map(\.timezone) == ["Europe/Berlin"])
        #expect(feed.draft.stopTimeCount == 16)
        #expect(feed.draft.patterns.count == 2)
        expectOrder(feed.draft.patterns, feed.draft.trips)
        #expect((0..<6).map { feed.draft.trips.ids[$0] } == ["b1", "b2", "b4", "b3", "t1", "t2"])
        #expect(feed.trips["b3"]?.calls.map(\.arrival) == [85_800, 86_280, 87_000])
        #expect(feed.service("weekend")?.runs(on: date(2026, 5, 1)) == true)
        #expect(feed.service("weekday")?.runs(on: date(2026, 5, 1)) == false)
        #expect(feed.reading.contentDigest.utf8.count == 64)
    }

    @Test func digestDependsOnContents() throws {
        let stored = MemoryByteSource(FeedBuilder.small.zip(isStored: true))
        let digest = try GTFSReader(stored, options: GTFSFixture.options).read().contentDigest
        #expect(try GTFSFixture(.small).reading.contentDigest == digest)
        #expect(try GTFSFixture(.small.adding("extra", to: "notes.txt")).reading.contentDigest != digest)
    }

    @Test func progressReachesTheTotal() throws {
        var steps: [GTFSReader.Progress] = []
        _ = try GTFSReader(FeedBuilder.small.source, options: GTFSFixture.options, progress: { steps.append($0) })
            .read()
        #expect(steps.contains { $0.file == "stop_times.txt" })
        #expect(steps.last?.done == steps.last?.total)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.done < $1.done })
    }

    @Test func readingCanBeCanceled() {
        var asked = 0
        let reader = GTFSReader(
            FeedBuilder.small.source, options: GTFSFixture.options,
            isCancelled: {
                asked += 1
                return asked > 3
            })
        #expect(throws: FeedError.canceled) { try reader.read() }
    }
}
