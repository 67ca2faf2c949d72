import Glibc
import Testing
import TransitModel

@testable import TransitStore

/// A process that is killed while it imports leaves the version that was live, and nothing that stays.
@Suite struct KilledImportTests {
    private static func large() -> TimetableDraft { RandomDraft.make(seed: 41, stops: 3000, trips: 9000) }

    /// The child imports into the folder that it is told, and kills itself when it has written that many rows.
    @Test func aKilledImportLeavesTheLiveVersion() throws {
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
            let ending = try ChildProcessTest.run("aKilledImportLeavesTheLiveVersion", argument: "\(rows) \(path)")
            #expect(ending == .signal(SIGKILL))
            #expect(TemporaryDirectory.names(path) == ["1.timetable", "2.timetable.building", "live"])
            let library = try TimetableLibrary(directory: path)
            #expect(TemporaryDirectory.names(path) == ["1.timetable", "live"])
            #expect(library.currentNumber == 1)
            #expect(library.damages.isEmpty)
            #expect(try library.live?.trip(TripIndex(3)) == small.trips[TripIndex(3)])
        }
        let ending = try ChildProcessTest.run("aKilledImportLeavesTheLiveVersion", argument: "\(Int.max) \(path)")
        #expect(ending == .status(0))
        #expect(try TimetableLibrary(directory: path).live?.summary.contentDigest == "large")
        withExtendedLifetime(folder) {}
    }
}
