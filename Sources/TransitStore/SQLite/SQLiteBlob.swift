internal import GRDBSQLite

/// One blob column of a table, read row by row.
///
/// SQLite keeps a cursor on the table, so that another row costs one search in its tree: less than half of what a prepared
/// statement costs, which is begun and ended each time.
final class SQLiteBlob {
    private let handle: OpaquePointer
    /// Kept, because the handle belongs to it.
    private let connection: SQLiteConnection

    /// Opens the column at a row; `nil` when there is no such row.
    ///
    /// - Parameters:
    ///   - table: with an integer as its primary key, which names the row.
    ///   - column: never `NULL`.
    init?(_ connection: SQLiteConnection, table: String, column: String, row: Int) throws(StoreError) {
        var handle: OpaquePointer?
        let code = sqlite3_blob_open(connection.handle, "main", table, column, Int64(row), 0, &handle)
        // SQLite has no code of its own for a row that is not there.
        if code & 0xFF == SQLITE_ERROR { return nil }
        guard code == SQLITE_OK, let handle else { throw connection.failure(code) }
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_blob_close(handle) }

    /// Goes to another row; false when it is not there: then the column has to be opened anew.
    func move(to row: Int) throws(StoreError) -> Bool {
        let code = sqlite3_blob_reopen(handle, Int64(row))
        if code & 0xFF == SQLITE_ERROR { return false }
        guard code == SQLITE_OK else { throw connection.failure(code) }
        return true
    }

    /// Its size in the row, in bytes.
    var count: Int { Int(sqlite3_blob_bytes(handle)) }

    /// Copies the first bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return }
        let code = sqlite3_blob_read(handle, start, Int32(clamping: buffer.count), 0)
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }
}
