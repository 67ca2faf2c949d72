import Testing
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitStore

/// Every operation on the files of the cache fails once, or from then on. After a restart, the cache has the former or
/// the new data, as a whole.
@Suite(.ownThreads) struct CacheFaultTests {
    @Test(arguments: [true, false]) func responseIsTheFormerOrTheNewOne(isLasting: Bool) throws {
        let (former, new) = (
            CachedRealtimeResponse(body: [1, 2, 3], fetched: Instant(secondsSince1970: 1000)),
            CachedRealtimeResponse(body: [4, 5, 6, 7], fetched: Instant(secondsSince1970: 2000))
        )
        var operation = 0
        while true {
            operation += 1
            let folder = try TemporaryDirectory()
            let cache = try RealtimeCache(directory: folder.path)
            // The first response leaves no file to overwrite, the second one does.
            for _ in 1...2 { try cache.save(former, feed: "city", dataset: "alerts") }
            let counter = FailureCounter(first: operation, isLasting: isLasting)
            var isConfirmed = false
            FileFaults.$current.withValue(counter.faults) {
                isConfirmed = (try? cache.save(new, feed: "city", dataset: "alerts")) != nil
            }
            let found = try RealtimeCache(directory: folder.path).response(feed: "city", dataset: "alerts")
            #expect(found == new || !isConfirmed && found == former, "operation \(operation)")
            if counter.count < operation { break }
        }
        #expect(operation > 4)
    }

    @Test func countsOfEndedFaultsAreKept() throws {
        try DiskFaults.prepare()
        let folder = try TemporaryDirectory()
        let faults = try DiskFaults(in: folder.path, first: 0)
        try TimetableLibrary(directory: folder.file("city")).add(
            RandomDraft.make(seed: 1, stops: 2, trips: 2), origin: .sample, contentDigest: "first", report: .sample)
        let count = faults.count
        faults.end()
        // Takes the handle of the ended fault.
        let others = try (0..<4).map { _ in try DiskFaults(in: folder.path, first: 0) }
        defer { for other in others { other.end() } }
        #expect(count > 0 && faults.count == count)
    }

    /// - Returns: The number of operations of SQLite and of ``FileSystem``.
    private static func replaceTimetable(
        sqlite: Int, file: Int, isLasting: Bool
    ) throws -> (sqlite: Int, file: Int) {
        let folder = try TemporaryDirectory()
        let path = folder.file("city")
        let drafts = [31, 32].map { RandomDraft.make(seed: $0, stops: 5, trips: 20) }
        try TimetableLibrary(directory: path).add(
            drafts[0], origin: .sample, contentDigest: "first", report: .sample)
        let faults = try DiskFaults(in: path, first: sqlite, isLasting: isLasting)
        let counter = FailureCounter(first: file == 0 ? .max : file, isLasting: isLasting)
        var isConfirmed = false
        FileFaults.$current.withValue(counter.faults) {
            isConfirmed =
                (try? TimetableLibrary(directory: path).add(
                    drafts[1], origin: .sample, contentDigest: "second", report: .sample)) != nil
        }
        faults.end()
        let library = try TimetableLibrary(directory: path)
        let current = try #require(library.current)
        let place = "operation \(sqlite) of SQLite, \(file) of files"
        #expect(library.currentNumber == 2 || !isConfirmed && library.currentNumber == 1, "\(place)")
        let stops = drafts[library.currentNumber == 2 ? 1 : 0].stops
        #expect(try current.stop(StopIndex(0)) == stops[0], "\(place)")
        #expect(try current.stop(StopIndex(4)) == stops[4], "\(place)")
        // The next import succeeds.
        #expect(
            try library.add(drafts[1], origin: .sample, contentDigest: "third", report: .sample).isCurrent, "\(place)")
        return (faults.count, counter.count)
    }

    @Test(arguments: [true, false]) func timetableIsTheFormerOrTheNewOne(isLasting: Bool) throws {
        try DiskFaults.prepare()
        let count = try Self.replaceTimetable(sqlite: 0, file: 0, isLasting: false)
        #expect(count.sqlite > 3 && count.file > 3)
        for first in 1...count.sqlite { _ = try Self.replaceTimetable(sqlite: first, file: 0, isLasting: isLasting) }
        for first in 1...count.file { _ = try Self.replaceTimetable(sqlite: 0, file: first, isLasting: isLasting) }
    }
}
