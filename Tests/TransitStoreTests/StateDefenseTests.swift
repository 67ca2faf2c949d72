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
        let readersValue = try store.readConcurrently { (database) throws(StoreError) in
            try database.value("PRAGMA trusted_schema", as: Int.self)
        }
        #expect(readersValue == 0)
        // SQLITE_DBCONFIG_DEFENSIVE forbids writing to the schema.
        #expect(throws: StoreError.self) {
            try store.write { (database) throws(StoreError) in
                try database.execute("PRAGMA writable_schema = ON")
                try database.execute("UPDATE sqlite_schema SET sql = 'x' WHERE name = 'places'")
            }
        }
    }
}

extension StateStore {
    /// Returns the value of a PRAGMA.
    func pragma(_ name: String) throws(StoreError) -> String? {
        try read { (database) throws(StoreError) in try database.value("PRAGMA \(name)") }
    }
}
