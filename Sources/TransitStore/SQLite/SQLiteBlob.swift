internal import CSQLite

/// Reads one blob column of a table by row ID.
///
/// SQLite keeps a cursor on the table, so that each further row costs a single B-tree search. This takes less than half
/// the time of a prepared statement, which must be started and reset for each row.
final class SQLiteBlob {
    private let handle: OpaquePointer
    /// Retained because the handle is valid only while the connection is open.
    private let connection: SQLiteConnection

    /// Opens the column at a row. Returns `nil` if the row does not exist.
    ///
    /// - Parameters:
    ///   - table: A table with an integer primary key, which identifies the row.
    ///   - column: A column that is never `NULL`.
    init?(_ connection: SQLiteConnection, table: String, column: String, row: Int) throws(StoreError) {
        var handle: OpaquePointer?
        let code = sqlite3_blob_open(connection.handle, "main", table, column, Int64(row), 0, &handle)
        // SQLite has no specific error code for a missing row.
        if code & 0xFF == SQLITE_ERROR { return nil }
        guard code == SQLITE_OK, let handle else { throw connection.failure(code) }
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_blob_close(handle) }

    /// Moves to another row. Returns false if the row does not exist; the column must then be reopened.
    func move(to row: Int) throws(StoreError) -> Bool {
        let code = sqlite3_blob_reopen(handle, Int64(row))
        if code & 0xFF == SQLITE_ERROR { return false }
        guard code == SQLITE_OK else { throw connection.failure(code) }
        return true
    }

    /// Size of the blob in bytes.
    var count: Int { Int(sqlite3_blob_bytes(handle)) }

    /// Copies the first bytes of the blob into a buffer.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return }
        let code = sqlite3_blob_read(handle, start, Int32(clamping: buffer.count), 0)
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }
}
