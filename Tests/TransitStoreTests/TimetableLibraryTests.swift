import Glibc
import Synchronization
import Testing
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitStore

@Suite(.ownThreads) struct TimetableLibraryTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.file("caltrain")
    }

    private func draft(_ name: String) -> TimetableDraft {
        var draft = TimetableDraft(patterns: PatternList([]))
        draft.stops = [Stop(id: "s", name: name)]
        return draft
    }

    @discardableResult
    private func add(_ name: String, to library: TimetableLibrary) throws -> TimetableLibrary.Version {
        try library.add(draft(name), origin: .sample, contentDigest: name, report: .sample)
    }

    private func currentName(_ library: TimetableLibrary) throws -> String? {
        try library.current?.stop(StopIndex(0)).name
    }

    private var names: [String] { TemporaryDirectory.names(path) }

    @Test func newLibraryIsEmpty() throws {
        let library = try TimetableLibrary(directory: path)
        #expect(library.current == nil)
        #expect(library.currentNumber == nil)
        #expect(try library.versions().isEmpty)
        #expect(try library.unchanged(contentDigest: "") == nil)
        #expect(throws: StoreError.notFound("version before version 0")) { try library.rollback() }
        #expect(throws: StoreError.notFound("version 3")) { try library.rollback(to: 3) }
        #expect(throws: StoreError.notFound("version 1")) { try library.file(version: 1) }
        #expect(try !library.abandonCurrent(at: path + "/1.timetable"))
    }

    @Test func requestOfPathwaysIsRecordedForOneVersion() throws {
        let library = try TimetableLibrary(directory: path)
        #expect(try !library.lacksPathways() && !library.hasRequestedPathways)
        try add("1", to: library)
        #expect(try !library.lacksPathways())
        try library.recordPathwaysRequest()
        #expect(library.hasRequestedPathways)
        #expect(try TimetableLibrary(directory: path).hasRequestedPathways)
        try library.removePathwaysRequest()
        #expect(!library.hasRequestedPathways)
        try library.recordPathwaysRequest()
        try add("2", to: library)
        #expect(!library.hasRequestedPathways)
        // The record is removed with its version.
        for number in 3...8 { try add("\(number)", to: library) }
        #expect(!names.contains { $0.hasSuffix("requested") })
    }

    @Test func sevenVersionsAreKept() throws {
        let library = try TimetableLibrary(directory: path)
        for number in 1...8 {
            let version = try add("n\(number)", to: library)
            #expect(version.number == number)
            #expect(version.isCurrent)
            #expect(version.size > 0)
        }
        let versions = try library.versions()
        #expect(versions.map(\.number) == [8, 7, 6, 5, 4, 3, 2])
        #expect(versions.map(\.isCurrent) == [true] + [Bool](repeating: false, count: 6))
        #expect(versions.map(\.summary.contentDigest) == (2...8).reversed().map { "n\($0)" })
        #expect(versions[0].summary.origin == .sample)
        #expect(try currentName(library) == "n8")
        #expect(try library.file(version: 3).stop(StopIndex(0)).name == "n3")
        #expect(try library.current?.report() == .sample)
    }

    @Test func currentVersionIsFoundAgain() throws {
        try add("one", to: try TimetableLibrary(directory: path))
        let library = try TimetableLibrary(directory: path)
        #expect(try currentName(library) == "one")
        #expect(library.openErrors.isEmpty)
        #expect(try add("two", to: library).number == 2)
    }

    @Test func rollbackLastsUntilNewContent() throws {
        var library = try TimetableLibrary(directory: path)
        for name in ["one", "two", "three"] { try add(name, to: library) }
        #expect(try library.rollback().number == 2)
        #expect(try currentName(library) == "two")
        library = try TimetableLibrary(directory: path)
        #expect(try currentName(library) == "two")
        #expect(try library.versions().map(\.number) == [3, 2, 1])
        #expect(try library.unchanged(contentDigest: "two")?.number == 2)
        #expect(try library.unchanged(contentDigest: "three")?.number == 3)
        #expect(try library.unchanged(contentDigest: "one") == nil)
        #expect(try library.rollback(to: 1).summary.contentDigest == "one")
        #expect(throws: StoreError.notFound("version before version 1")) { try library.rollback() }
        #expect(try add("four", to: library).number == 4)
        #expect(try currentName(library) == "four")
        #expect(names == ["1.timetable", "2.timetable", "3.timetable", "4.timetable", "live"])
    }

    @Test func currentVersionIsNeverPruned() throws {
        let library = try TimetableLibrary(directory: path)
        for number in 1...7 { try add("n\(number)", to: library) }
        try library.rollback(to: 1)
        try add("n8", to: library)
        #expect(try library.versions().map(\.number) == [8, 7, 6, 5, 4, 3, 2])
    }

    @Test func replacedVersionStaysReadable() throws {
        let library = try TimetableLibrary(directory: path)
        try add("old", to: library)
        let old = try #require(library.current)
        for number in 1...8 { try add("new \(number)", to: library) }
        #expect(!names.contains("1.timetable"))
        #expect(try old.stop(StopIndex(0)).name == "old")
        #expect(try old.stop(id: "s") == StopIndex(0))
    }

    @Test func readersSeeCompleteVersionsOnly() async throws {
        let library = try TimetableLibrary(directory: path)
        try add("0", to: library)
        let isDone = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var last = 0
                    while !isDone.isSet {
                        let file = try #require(library.current)
                        let name = try #require(Int(try file.stop(StopIndex(0)).name))
                        #expect(String(name) == file.summary.contentDigest)
                        #expect(name >= last)
                        last = name
                        await Task.yield()
                    }
                }
            }
            for number in 1...12 {
                try add("\(number)", to: library)
                await Task.yield()
            }
            isDone.set()
            try await group.waitForAll()
        }
        #expect(try currentName(library) == "12")
    }

    // MARK: Interrupted imports

    @Test func filesOfKilledImportAreRemoved() throws {
        try add("one", to: try TimetableLibrary(directory: path))
        // The files of imports that were interrupted during the write, before the version became current, and while the
        // link was replaced.
        RawFile.write([1, 2, 3], to: path + "/2.timetable.building")
        RawFile.write([1, 2, 3], to: path + "/live.building")
        RawFile.write(RawFile.read(path + "/1.timetable"), to: path + "/2.timetable")
        let library = try TimetableLibrary(directory: path)
        #expect(names == ["1.timetable", "live"])
        #expect(try currentName(library) == "one")
        #expect(library.openErrors.isEmpty)
        #expect(try add("two", to: library).number == 2)
    }

    @Test func missingLinkFallsBackToNewestVersion() throws {
        var library = try TimetableLibrary(directory: path)
        for name in ["one", "two"] { try add(name, to: library) }
        unlink(path + "/live")
        library = try TimetableLibrary(directory: path)
        #expect(try currentName(library) == "two")
    }

    // MARK: Corruption

    @Test func corruptVersionFallsBackToPrevious() throws {
        var library = try TimetableLibrary(directory: path)
        for name in ["one", "two", "three"] { try add(name, to: library) }
        RawFile.write(Array(RawFile.read(path + "/3.timetable").dropLast(700)), to: path + "/3.timetable")
        library = try TimetableLibrary(directory: path)
        #expect(try currentName(library) == "two")
        #expect(library.openErrors.count == 1)
        #expect(library.openErrors.first?.description.contains("3.timetable is corrupt") == true)
        #expect(try library.versions().map(\.number) == [2, 1])
    }

    @Test("A folder or a FIFO in place of a version or of the link neither blocks nor prevents opening")
    func otherFileTypesAreSkipped() throws {
        var library = try TimetableLibrary(directory: path)
        for name in ["one", "two", "three"] { try add(name, to: library) }
        for number in [2, 3] { unlink(path + "/\(number).timetable") }
        #expect(mkfifo(path + "/3.timetable", 0o600) == 0)
        #expect(mkdir(path + "/2.timetable", 0o700) == 0)
        #expect(mkdir(path + "/4.timetable.building", 0o700) == 0)
        library = try TimetableLibrary(directory: path)
        #expect(try currentName(library) == "one")
        #expect(library.openErrors.count == 2)
        // The unusable files do not prevent the creation of new versions either.
        for number in 4...12 { try add("n\(number)", to: library) }
        #expect(try currentName(library) == "n12")
        unlink(path + "/live")
        #expect(mkdir(path + "/live", 0o700) == 0)
        library = try TimetableLibrary(directory: path)
        #expect(try currentName(library) == "n12")
        #expect(FileSystem.target(of: path + "/live") != nil)
    }

    @Test func corruptVersionIsAbandoned() throws {
        let library = try TimetableLibrary(directory: path)
        for name in ["one", "two"] { try add(name, to: library) }
        let damaged = try #require(library.current?.path)
        #expect(try library.abandonCurrent(at: damaged))
        #expect(try currentName(library) == "one")
        #expect(names == ["1.timetable", "2.damaged", "live"])
        // Another request has found the same file corrupt.
        #expect(try !library.abandonCurrent(at: damaged))
        #expect(try currentName(library) == "one")
        #expect(try library.abandonCurrent(at: try #require(library.current?.path)))
        #expect(library.current == nil)
        for number in 3...10 { try add("n\(number)", to: library) }
        #expect(!names.contains("2.damaged"))
    }

    @Test func rejectedDraftKeepsCurrentVersion() throws {
        let library = try TimetableLibrary(directory: path)
        try add("one", to: library)
        var bad = draft("bad")
        bad.stops.append(Stop(id: "t", name: "t", parent: StopIndex(9)))
        #expect(throws: StoreError.draft("stop t refers to an unknown parent")) {
            try library.add(bad, origin: .sample, contentDigest: "bad", report: .sample)
        }
        #expect(throws: StoreError.canceled) {
            try library.add(
                draft("x"), origin: .sample, contentDigest: "x", report: .sample, isCancelled: { true })
        }
        #expect(try currentName(library) == "one")
        #expect(names == ["1.timetable", "live"])
    }
}

/// A flag that one task sets and others poll.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
