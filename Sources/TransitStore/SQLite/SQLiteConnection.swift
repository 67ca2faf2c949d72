internal import GRDBSQLite

/// A connection to a timetable file. It uses SQLite's C interface directly, which saves time and memory.
///
/// The connection is opened without SQLite's mutex; the owner must protect it with a lock.
final class SQLiteConnection {
    let path: String
    private(set) var handle: OpaquePointer?

    /// Opens a file that is never changed. SQLite neither locks it nor checks whether it changed.
    static func reading(_ path: String) throws(StoreError) -> SQLiteConnection {
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        return try SQLiteConnection(path: path, name: "file:\(percentEncoded(path))?immutable=1", flags: flags)
    }

    /// Opens a new file for writing.
    static func building(_ path: String) throws(StoreError) -> SQLiteConnection {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        return try SQLiteConnection(path: path, name: path, flags: flags)
    }

    private init(path: String, name: String, flags: Int32) throws(StoreError) {
        self.path = path
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        guard code == SQLITE_OK else { throw failure(code) }
        sqlite3_extended_result_codes(handle, 1)
    }

    /// Closes the connection when the last statement is finalized.
    deinit { sqlite3_close_v2(handle) }

    /// Executes SQL without returning rows.
    func execute(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code) }
        return SQLiteStatement(handle: statement, connection: self)
    }

    /// Returns the first column of the first row of a query, or `nil` if there is no row.
    func integer(_ sql: String) throws(StoreError) -> Int? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Creates an error from an SQLite result code and SQLite's error message.
    func failure(_ code: Int32) -> StoreError {
        let detail = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        switch code & 0xFF {
        case SQLITE_FULL: return .diskFull(path: path)
        case SQLITE_NOTADB: return .notATimetable(path: path)
        case SQLITE_CORRUPT: return .corrupt(path: path, detail: detail)
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            let code = systemError
            return code == 0 ? .database(path: path, detail: detail) : FileSystem.failure(path, "access", code: code)
        default: return .database(path: path, detail: detail)
        }
    }

    /// The `errno` of the last failed system call on the file. SQLite's own value may be overwritten by its cleanup
    /// after the error. 0 if neither is known.
    private var systemError: Int32 {
        var code: Int32 = 0
        let isKnown = sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK
        return isKnown && code != 0 ? code : sqlite3_system_errno(handle)
    }

    /// Encodes the characters with a special meaning in a URI (sqlite.org/uri.html).
    private static func percentEncoded(_ path: String) -> String {
        var encoded = ""
        for character in path {
            switch character {
            case "%": encoded += "%25"
            case "?": encoded += "%3f"
            case "#": encoded += "%23"
            default: encoded.append(character)
            }
        }
        return encoded
    }
}
