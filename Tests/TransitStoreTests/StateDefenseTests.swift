import GRDB
import Testing
import TransitModel

@testable import TransitStore

/// A maliciously crafted state file can at most make SQLite fail.
@Suite struct StateDefenseTests {
    @Test func schemaIsNeitherTrustedNorWritable() throws {
        let folder = try TemporaryDirectory()
        let store = try StateStore(directory: folder.path, today: ServiceDate(year: 2026, month: 3, day: 28)!)
        #expect(try store.pragma("trusted_schema") == "0")
        #expect(try store.pragma("cell_size_check") == "1")
        #expect(try store.readConcurrently { try Int.fetchOne($0, sql: "PRAGMA trusted_schema") } == 0)
        // SQLITE_DBCONFIG_DEFENSIVE forbids writing to the schema.
        #expect(throws: StoreError.self) {
            try store.write { database in
                try database.execute(sql: "PRAGMA writable_schema = ON")
                try database.execute(sql: "UPDATE sqlite_schema SET sql = 'x' WHERE name = 'places'")
            }
        }
    }
}
