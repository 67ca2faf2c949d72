import Glibc
import Testing
import TransitModel

@testable import TransitStore

/// Each byte of the state file's header (sqlite.org/fileformat2.html, 1.3) is changed. Either the file is still used as a
/// whole, or the newest backup replaces it.
@Suite struct StateHeaderTests {
    private static let today = ServiceDate(year: 2026, month: 3, day: 28)!
    private static let commutes = (0..<40).map { SavedCommute(name: "n\($0)", from: "Zürich HB", to: "b") }

    private static func open(_ folder: TemporaryDirectory) throws -> StateStore {
        try StateStore(directory: folder.path, today: today)
    }

    private static func state() throws -> [String: [UInt8]] {
        let folder = try TemporaryDirectory()
        do {
            let store = try open(folder)
            for commute in commutes { try store.addCommute(commute, of: 1) }
            try store.backUp(today: today)
        }
        // Everything is in the file itself, as after a checkpoint.
        try SQLiteConnection.database(folder.file("state.sqlite"), isReader: false)
            .execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return Dictionary(
            uniqueKeysWithValues: folder.names.filter { $0.hasSuffix(".sqlite") }.map {
                ($0, RawFile.read(folder.file($0)))
            })
    }

    @Test(arguments: [0x00, 0x03, 0x09, 0xFF] as [UInt8]) func damagedHeaderLosesNothing(_ value: UInt8) throws {
        let files = try Self.state()
        for position in 0..<100 {
            let folder = try TemporaryDirectory()
            for (name, bytes) in files { RawFile.write(bytes, to: folder.file(name)) }
            var bytes = try #require(files["state.sqlite"])
            guard bytes[position] != value else { continue }
            bytes[position] = value
            RawFile.write(bytes, to: folder.file("state.sqlite"))
            let store = try Self.open(folder)
            switch store.openResult {
            case .intact: break
            case .restored(let backup, let damaged?, _):
                #expect(backup == Self.today)
                #expect(RawFile.read(damaged)[position] == value, "the damaged file is kept")
            default: Issue.record("byte \(position): \(store.openResult)")
            }
            #expect(store.userRecord(of: 1).commutes == Self.commutes, "byte \(position)")
            // It can be written, and read again.
            try store.addCommute(SavedCommute(name: "later", from: "a", to: "b"), of: 1)
            try store.checkIsWritable()
            #expect(try store.corruption() == nil, "byte \(position)")
            #expect(try Self.open(folder).userRecord(of: 1).commutes.last?.name == "later", "byte \(position)")
        }
    }

    /// The file is so small that the page cache of the open store contains all of it.
    @Test func damageOfAFileInUseIsFound() throws {
        let folder = try TemporaryDirectory()
        for (name, bytes) in try Self.state() { RawFile.write(bytes, to: folder.file(name)) }
        let store = try Self.open(folder)
        #expect(try store.corruption() == nil)
        let path = folder.file("state.sqlite")
        let size = RawFile.read(path).count
        let file = try #require(fopen(path, "r+b"))
        let garbage = [UInt8](repeating: 0xA5, count: size - 4096)
        #expect(fseek(file, 4096, SEEK_SET) == 0 && fwrite(garbage, 1, garbage.count, file) == garbage.count)
        #expect(fclose(file) == 0)
        let isFound: Bool
        do { isFound = try store.corruption() != nil } catch { isFound = true }
        #expect(isFound)
    }

    @Test func fileFormatOfALaterReleaseIsReplacedByTheBackup() throws {
        let files = try Self.state()
        let folder = try TemporaryDirectory()
        for (name, bytes) in files { RawFile.write(bytes, to: folder.file(name)) }
        var bytes = try #require(files["state.sqlite"])
        // The file format write version. With 3 or more, SQLite only reads the file.
        bytes[18] = 3
        RawFile.write(bytes, to: folder.file("state.sqlite"))
        let store = try Self.open(folder)
        #expect(
            store.openResult
                == .restored(
                    backup: Self.today, damaged: folder.file("state-damaged-\(Self.today)"),
                    reason: "its header does not permit changes"))
        try store.addCommute(SavedCommute(name: "later", from: "a", to: "b"), of: 1)
    }
}
