import Glibc
import Testing
import TransitModel

@testable import TransitStore

/// A process that is killed during an import leaves the current version unchanged, and its files are removed.
@Suite struct KilledImportTests {
    private static func large() -> TimetableDraft { RandomDraft.make(seed: 41, stops: 3000, trips: 9000) }

    /// The child process imports into the given folder and kills itself after the given number of rows.
    @Test func killedImportKeepsCurrentVersion() throws {
        if let argument = ChildProcessTest.argument {
            let parts = argument.split(separator: " ")
            let limit = try #require(Int(parts[0]))
            let library = try TimetableLibrary(directory: String(parts[1]))
            try library.add(
                Self.large(), origin: .sample, contentDigest: "large", report: .sample,
                progress: { if $0.done >= limit { kill(getpid(), SIGKILL) } })
            return
        }
        let folder = try TemporaryDirectory()
        let path = folder.file("feed")
        let small = RandomDraft.make(seed: 42, stops: 5, trips: 20)
        try TimetableLibrary(directory: path)
            .add(small, origin: .sample, contentDigest: "small", report: .sample)
        for rows in [1, 6000, 10_000] {
            let ending = try ChildProcessTest.run("killedImportKeepsCurrentVersion", argument: "\(rows) \(path)")
            #expect(ending == .signal(SIGKILL))
            #expect(TemporaryDirectory.names(path) == ["1.timetable", "2.timetable.building", "live"])
            let library = try TimetableLibrary(directory: path)
            #expect(TemporaryDirectory.names(path) == ["1.timetable", "live"])
            #expect(library.currentNumber == 1)
            #expect(library.openErrors.isEmpty)
            #expect(try library.current?.trip(TripIndex(3)) == small.trips[TripIndex(3)])
        }
        let ending = try ChildProcessTest.run("killedImportKeepsCurrentVersion", argument: "\(Int.max) \(path)")
        #expect(ending == .status(0))
        #expect(try TimetableLibrary(directory: path).current?.summary.contentDigest == "large")
        withExtendedLifetime(folder) {}
    }
}
