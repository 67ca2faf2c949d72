import Foundation
import Glibc
import Testing
import TransitModel

@testable import TransitStore

/// Backups of the state, and a state file that is damaged, missing or not a regular file.
@Suite struct StateRecoveryTests {
    private let folder: TemporaryDirectory
    private let today = ServiceDate(year: 2026, month: 3, day: 28)!

    init() throws { folder = try TemporaryDirectory() }

    private func open() throws -> StateStore { try StateStore(directory: folder.path, today: today) }

    private let toWork = SavedCommute(name: "to work", from: "home", to: "caltrain:70012")

    @Test func sevenBackupsAreKept() throws {
        let store = try open()
        try store.addCommute(toWork, of: 1)
        for day in 0..<9 {
            #expect(try store.backUp(today: today.advanced(by: day)))
            #expect(try !store.backUp(today: today.advanced(by: day)))
        }
        let backups = folder.names.filter { $0.hasPrefix("state-") }
        #expect(backups == (2..<9).map { "state-\(today.advanced(by: $0)).sqlite" })
        #expect(backups.first == "state-2026-03-30.sqlite")
    }

    @Test func newestIntactBackupReplacesCorruptFile() throws {
        do {
            let store = try open()
            try store.addCommute(toWork, of: 1)
            try store.backUp(today: today)
            try store.addCommute(SavedCommute(name: "later", from: "a", to: "b"), of: 1)
            try store.backUp(today: today.advanced(by: 1))
        }
        RawFile.write(
            Array("not a database at all, but long enough to be checked".utf8), to: folder.file("state.sqlite"))
        RawFile.write([1, 2, 3], to: folder.file("state-2026-03-29.sqlite"))
        let store = try open()
        guard case .restored(let backup, let damaged, _) = store.openResult else {
            Issue.record("\(store.openResult)")
            return
        }
        #expect(backup == today)
        #expect(damaged == folder.file("state-damaged-2026-03-28"))
        #expect(RawFile.read(damaged ?? "").starts(with: Array("not a database".utf8)))
        #expect(store.userRecord(of: 1).commutes == [toWork])
        #expect(try open().openResult == .intact)
    }

    /// An integrity check does not notice a damaged name in the text of the schema.
    @Test func missingColumnIsCorruption() throws {
        do {
            let store = try open()
            try store.addCommute(toWork, of: 1)
            try store.backUp(today: today)
        }
        do {
            let database = try SQLiteConnection.database(folder.file("state.sqlite"), isReader: false)
            try database.run("ALTER TABLE commutes RENAME COLUMN windows TO vindows")
        }
        let store = try open()
        guard case .restored(let backup, _, let reason) = store.openResult else {
            Issue.record("\(store.openResult)")
            return
        }
        #expect(backup == today)
        #expect(reason.contains("a column is missing"))
        #expect(store.userRecord(of: 1).commutes == [toWork])
    }

    /// A backup from a later date was made while the clock was wrong.
    @Test func backupOfLaterDateIsUsedLast() throws {
        do {
            let store = try open()
            try store.addCommute(SavedCommute(name: "old", from: "a", to: "b"), of: 1)
            try store.backUp(today: today.advanced(by: 3650))
            try store.addCommute(toWork, of: 1)
            try store.backUp(today: today)
        }
        RawFile.write([UInt8](repeating: 7, count: 5000), to: folder.file("state.sqlite"))
        let store = try open()
        guard case .restored(let backup, _, _) = store.openResult else {
            Issue.record("\(store.openResult)")
            return
        }
        #expect(backup == today)
        #expect(store.userRecord(of: 1).commutes.contains(toWork))
    }

    @Test func corruptFileWithoutBackupIsLost() throws {
        for expected in ["state-damaged-2026-03-28", "state-damaged-2026-03-28-2"] {
            RawFile.write([UInt8](repeating: 7, count: 5000), to: folder.file("state.sqlite"))
            let store = try open()
            guard case .lost(let damaged, let reason) = store.openResult else {
                Issue.record("\(store.openResult)")
                return
            }
            #expect(damaged == folder.file(expected))
            #expect(reason.contains("not a database"))
            try store.addCommute(toWork, of: 1)
        }
    }

    @Test func corruptPageIsDetectedOnOpen() throws {
        do {
            let store = try open()
            for number in 0..<100 {
                try store.addCommute(SavedCommute(name: "n\(number)", from: "a", to: "b"), of: 1)
            }
            try store.backUp(today: today)
        }
        var bytes = RawFile.read(folder.file("state.sqlite"))
        for position in 4096..<4096 + 200 { bytes[position] = 0xEE }
        for position in stride(from: 4096, to: bytes.count, by: 4096) { bytes[position] = 0xEE }
        RawFile.write(bytes, to: folder.file("state.sqlite"))
        let store = try open()
        guard case .restored(let backup, _, _) = store.openResult else {
            Issue.record("\(store.openResult)")
            return
        }
        #expect(backup == today)
        #expect(store.userRecord(of: 1).commutes.count == 100)
    }

    /// A file found in place of the state database: one that a power loss can leave behind, or another kind of file.
    enum UnexpectedFile: String, CaseIterable {
        case missing, empty, blank, folder, fifo, socket
    }

    private func replaceDatabase(_ what: UnexpectedFile) throws {
        let path = folder.file("state.sqlite")
        for suffix in ["", "-wal", "-shm"] { TemporaryDirectory.remove(path + suffix) }
        switch what {
        case .missing: break
        case .empty: RawFile.write([], to: path)
        case .blank: try SQLiteConnection.building(path).execute("PRAGMA journal_mode = WAL; PRAGMA user_version = 1")
        case .folder: #expect(mkdir(path, 0o700) == 0)
        case .fifo: #expect(mkfifo(path, 0o600) == 0)
        case .socket: #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        }
    }

    @Test(
        "With a backup, an unexpected file in place of the database is corruption", arguments: UnexpectedFile.allCases)
    func unexpectedFileWithBackupIsCorruption(_ what: UnexpectedFile) throws {
        do {
            let store = try open()
            try store.addCommute(toWork, of: 1)
            try store.backUp(today: today)
        }
        try replaceDatabase(what)
        let store = try open()
        guard case .restored(let backup, let damaged, let reason) = store.openResult else {
            Issue.record("\(store.openResult)")
            return
        }
        #expect(backup == today)
        #expect(damaged == (what == .missing ? nil : folder.file("state-damaged-2026-03-28")))
        let expected: [UnexpectedFile: String] = [
            .missing: "it is missing", .empty: "it is empty", .blank: "it has no tables",
        ]
        #expect(reason == expected[what] ?? "it is not a regular file")
        #expect(store.userRecord(of: 1).commutes == [toWork])
        #expect(try open().openResult == .intact)
    }

    @Test(
        "Without a backup, a missing or empty database is new, and anything but a regular file is set aside",
        arguments: UnexpectedFile.allCases)
    func unexpectedFileWithoutBackup(_ what: UnexpectedFile) throws {
        try replaceDatabase(what)
        let store = try open()
        switch what {
        case .missing, .empty: #expect(store.openResult == .new)
        case .blank: #expect(store.openResult == .intact)
        case .folder, .fifo, .socket:
            guard case .lost(folder.file("state-damaged-2026-03-28"), _) = store.openResult else {
                Issue.record("\(store.openResult)")
                return
            }
        }
        try store.addCommute(toWork, of: 1)
        #expect(try open().userRecord(of: 1).commutes == [toWork])
    }

    @Test("A recovery is known after a restart, until the next recovery", arguments: [true, false])
    func recoveryIsKnownAfterRestart(hasBackup: Bool) throws {
        do {
            let store = try open()
            #expect(store.recovery == nil)
            if hasBackup { try store.backUp(today: today.advanced(by: -3)) }
        }
        RawFile.write([UInt8](repeating: 7, count: 5000), to: folder.file("state.sqlite"))
        let expected = StateRecovery(date: today, backup: hasBackup ? today.advanced(by: -3) : nil)
        #expect(try open().recovery == expected)
        #expect(try open().recovery == expected)
        RawFile.write([UInt8](repeating: 7, count: 5000), to: folder.file("state.sqlite"))
        let later = try StateStore(directory: folder.path, today: today.advanced(by: 9))
        #expect(later.recovery?.date == today.advanced(by: 9))
        #expect(later.userRecord(of: .max) == UserRecord())
    }

    @Test("The write-ahead log of a lost database is not applied to the backup")
    func orphanedLogIsNotApplied() throws {
        do {
            let store = try open()
            try store.addCommute(toWork, of: 1)
            try store.backUp(today: today)
            try store.addCommute(SavedCommute(name: "later", from: "a", to: "b"), of: 1)
            // The files as a crash leaves them. Closing the last connection would empty the log.
            for suffix in ["", "-wal"] {
                RawFile.write(RawFile.read(folder.file("state.sqlite\(suffix)")), to: folder.file("kept\(suffix)"))
            }
        }
        TemporaryDirectory.remove(folder.file("state.sqlite"))
        RawFile.write(RawFile.read(folder.file("kept-wal")), to: folder.file("state.sqlite-wal"))
        let store = try open()
        #expect(store.userRecord(of: 1).commutes == [toWork])
        #expect(folder.names.contains("state-damaged-2026-03-28-wal"))
    }

    @Test("A backup that is not a regular file is skipped")
    func otherFileTypesAreNotRestored() throws {
        do {
            let store = try open()
            try store.addCommute(toWork, of: 1)
            try store.backUp(today: today)
        }
        #expect(mkfifo(folder.file("state-2026-03-29.sqlite"), 0o600) == 0)
        #expect(mkdir(folder.file("state-2026-03-30.sqlite"), 0o700) == 0)
        try replaceDatabase(.missing)
        #expect(try open().userRecord(of: 1).commutes == [toWork])
    }

    @Test("With any byte of the header flipped, the store starts with its data")
    func flippedHeaderByteIsRecovered() throws {
        do {
            let store = try open()
            try store.addCommute(toWork, of: 1)
            try store.backUp(today: today)
        }
        let intact = RawFile.read(folder.file("state-2026-03-28.sqlite"))
        for position in 0..<100 {
            for mask in [0xFF, 0x01, 0x80] as [UInt8] {
                for suffix in ["", "-wal", "-shm"] { TemporaryDirectory.remove(folder.file("state.sqlite\(suffix)")) }
                var bytes = intact
                bytes[position] ^= mask
                RawFile.write(bytes, to: folder.file("state.sqlite"))
                do {
                    let store = try open()
                    #expect(store.userRecord(of: 1).commutes == [toWork], "byte \(position) ^ \(mask)")
                } catch {
                    Issue.record("byte \(position) ^ \(mask): \(error)")
                }
                for name in folder.names where name.hasPrefix("state-damaged") {
                    TemporaryDirectory.remove(folder.file(name))
                }
            }
        }
    }

    @Test func fileOfLaterReleaseIsUnchanged() throws {
        try open().addCommute(toWork, of: 1)
        try SQLiteConnection.building(folder.file("state.sqlite"))
            .execute("INSERT INTO grdb_migrations VALUES ('99 something of next year')")
        let count = StateSchema.migrations.count
        #expect(
            throws: StoreError.format(path: folder.file("state.sqlite"), found: count + 1, supported: count)
        ) { try open() }
        #expect(folder.names.contains("state.sqlite"))
        #expect(!folder.names.contains { $0.hasPrefix("state-damaged") })
    }

    @Test func emptyFileIsMigrated() throws {
        RawFile.write([], to: folder.file("state.sqlite"))
        RawFile.write([1], to: folder.file("state-2026-03-01.sqlite.building"))
        let store = try open()
        try store.addCommute(toWork, of: 1)
        #expect(try open().userRecord(of: 1).commutes == [toWork])
        #expect(!folder.names.contains { $0.hasSuffix(".building") })
    }
}
