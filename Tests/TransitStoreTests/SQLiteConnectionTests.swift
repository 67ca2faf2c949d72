import Testing

@testable import TransitStore

@Suite struct SQLiteConnectionTests {
    private let folder: TemporaryDirectory
    private let database: SQLiteConnection

    init() throws {
        folder = try TemporaryDirectory()
        try FileSystem.write([], to: folder.file("file"))
        database = try SQLiteConnection.database(folder.file("file"), isReader: false)
        try database.execute("CREATE TABLE t (a INTEGER, b REAL, c TEXT UNIQUE, d INTEGER) STRICT")
    }

    private func count() throws -> Int? { try database.value("SELECT count(*) FROM t") }

    @Test func valuesAreReadAsTheyWereWritten() throws {
        try database.run("INSERT INTO t VALUES (?, ?, ?, ?)", [Int64.min, -0.1, "né \u{0}中", true])
        try database.run("INSERT INTO t VALUES (?, ?, ?, ?)", [UInt32.max, nil as Double?, "", nil as Bool?])
        let rows = try database.rows("SELECT * FROM t ORDER BY a") { row -> (Int64, Double?, String, Bool?) in
            (row["a"], row["b"], row["c"], row["d"])
        }
        #expect(rows.count == 2)
        #expect(rows[0] == (Int64.min, -0.1, "né \u{0}中", true))
        #expect(rows[1] == (Int64(UInt32.max), nil, "", nil))
        let last = try database.first("SELECT * FROM t ORDER BY a DESC") { row -> (UInt32, Double, Bool) in
            (row["a"], row["b"], row["d"])
        }
        #expect(try #require(last) == (UInt32.max, 0, false))
        #expect(try database.value("SELECT c FROM t WHERE a = 1", as: String.self) == nil)
    }

    @Test func nilRowsAreLeftOut() throws {
        for number in 0..<6 { try database.run("INSERT INTO t (a) VALUES (?)", [number]) }
        let even = try database.rows("SELECT a FROM t ORDER BY a") { row in
            let number = row.integer(0)
            return number % 2 == 0 ? number : nil
        }
        #expect(even == [0, 2, 4])
        try database.run("DELETE FROM t WHERE a >= ?", [2])
        #expect(database.changedRows == 4)
    }

    @Test("A query may run while the same query is being read, and many different ones may run")
    func statementsAreReused() throws {
        for number in 0..<3 { try database.run("INSERT INTO t (a) VALUES (?)", [number]) }
        let counts = try database.rows("SELECT a FROM t ORDER BY a") { (row) throws(StoreError) in
            let inner = try database.rows("SELECT a FROM t ORDER BY a") { $0.integer(0) }
            return inner.count * 10 + row.integer(0)
        }
        #expect(counts == [30, 31, 32])
        for number in 0..<50 { #expect(try database.value("SELECT \(number)") == number) }
        #expect(try count() == 3)
    }

    @Test func failedTransactionLeavesNothing() throws {
        try database.transaction { (database) throws(StoreError) in
            try database.run("INSERT INTO t (c) VALUES (?)", ["x"])
        }
        #expect(throws: StoreError.canceled) {
            try database.transaction { (database) throws(StoreError) in
                try database.run("INSERT INTO t (c) VALUES (?)", ["y"])
                throw .canceled
            }
        }
        // SQLITE_CONSTRAINT is 19.
        let path = folder.file("file")
        #expect(throws: StoreError.database(path: path, code: 19, detail: "UNIQUE constraint failed: t.c")) {
            try database.transaction { (database) throws(StoreError) in
                try database.run("INSERT INTO t (c) VALUES (?)", ["z"])
                try database.run("INSERT INTO t (c) VALUES (?)", ["x"])
            }
        }
        #expect(try count() == 1)
        try database.transaction { (database) throws(StoreError) in try database.run("DELETE FROM t") }
        #expect(try count() == 0)
    }

    @Test func readerSeesTheFileAsItWas() throws {
        try database.execute("PRAGMA journal_mode = WAL")
        let reader = try SQLiteConnection.database(folder.file("file"), isReader: true)
        try reader.snapshot { (reader) throws(StoreError) in
            #expect(try reader.value("SELECT count(*) FROM t") == 0)
            try database.run("INSERT INTO t (a) VALUES (1)")
            // The view does not change, and the writer does not wait for it.
            #expect(try reader.value("SELECT count(*) FROM t") == 0)
        }
        #expect(try reader.value("SELECT count(*) FROM t") == 1)
        // SQLITE_READONLY is 8.
        #expect {
            try reader.run("DELETE FROM t")
        } throws: { error in
            guard case StoreError.database(_, 8, _) = error else { return false }
            return true
        }
    }

    @Test func missingFileIsNotCreated() {
        #expect {
            try SQLiteConnection.database(folder.file("none"), isReader: false)
        } throws: { error in
            guard case StoreError.file(_, _, "No such file or directory") = error else { return false }
            return true
        }
        #expect(folder.names == ["file"])
    }
}
