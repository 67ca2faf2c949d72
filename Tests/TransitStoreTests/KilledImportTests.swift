import Glibc
import Testing
import TransitModel
import TransitTestTraits

@testable import TransitStore

/// A process that is killed during an import leaves the current version unchanged, and its files are removed.
@Suite(.ownThreads) struct KilledImportTests {
    /// Imports a large timetable into a folder, and kills the process after a number of rows.
    fileprivate static func importLarge(in path: String, killedAfter rows: Int) throws {
        let large = RandomDraft.make(seed: 41, stops: 3000, trips: 9000)
        try TimetableLibrary(directory: path).add(
            large, origin: .sample, contentDigest: "large", report: .sample,
            progress: { if $0.done >= rows { kill(getpid(), SIGKILL) } })
    }

    @Test func killedImportKeepsCurrentVersion() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("feed")
        let small = RandomDraft.make(seed: 42, stops: 5, trips: 20)
        try TimetableLibrary(directory: path)
            .add(small, origin: .sample, contentDigest: "small", report: .sample)
        for rows in [1, 6000, 10_000] {
            await #expect(processExitsWith: .signal(SIGKILL)) { [rows = rows as Int, path = path as String] in
                try KilledImportTests.importLarge(in: path, killedAfter: rows)
            }
            #expect(TemporaryDirectory.names(path) == ["1.timetable", "2.timetable.building", "live"])
            let library = try TimetableLibrary(directory: path)
            #expect(TemporaryDirectory.names(path) == ["1.timetable", "live"])
            #expect(library.currentNumber == 1)
            #expect(library.openErrors.isEmpty)
            #expect(try library.current?.trip(TripIndex(3)) == small.trips[TripIndex(3)])
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            try KilledImportTests.importLarge(in: path, killedAfter: .max)
        }
        #expect(try TimetableLibrary(directory: path).current?.summary.contentDigest == "large")
        withExtendedLifetime(folder) {}
    }
}
