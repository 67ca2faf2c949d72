internal import CSQLite

/// A connection to an SQLite file, used through SQLite's C interface.
///
/// The connection is opened without SQLite's mutex; the owner must protect it with a lock.
final class SQLiteConnection {
    let path: String
    private(set) var handle: OpaquePointer?
    /// Whether the file is meant to be a timetable, for the error about a file that is not a database.
    private let isTimetable: Bool
    /// Prepared statements by their SQL, for the functions that take SQL. A statement in use is not in the dictionary.
    private var idleStatements: [String: OpaquePointer] = [:]
    /// An idle statement takes about 3 kB.
    private static let maximumIdleStatements = 16

    /// Opens a timetable file, which is never changed. SQLite neither locks it nor checks whether it changed.
    static func reading(_ path: String) throws(StoreError) -> SQLiteConnection {
        try SQLiteConnection(
            path: path, name: "file:\(percentEncoded(path))?immutable=1", isTimetable: true,
            flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }

    /// Opens a new timetable file for writing.
    static func building(_ path: String) throws(StoreError) -> SQLiteConnection {
        try SQLiteConnection(
            path: path, name: path, isTimetable: true, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    /// Opens a database that changes. The file must exist.
    ///
    /// - Parameter isReader: Whether the connection only reads, while another one may write.
    static func database(_ path: String, isReader: Bool) throws(StoreError) -> SQLiteConnection {
        try SQLiteConnection(
            path: path, name: path, isTimetable: false, flags: isReader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
    }

    private init(path: String, name: String, isTimetable: Bool, flags: Int32) throws(StoreError) {
        self.path = path
        self.isTimetable = isTimetable
        let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK else { throw failure(code) }
        sqlite3_extended_result_codes(handle, 1)
    }

    /// SQLite closes the file when the last statement is finalized.
    deinit {
        finalizeIdleStatements()
        sqlite3_close_v2(handle)
    }

    /// Whether SQLite refuses to write to the file, as with a header of a later file format (sqlite.org/fileformat2.html,
    /// 1.3.3). Known once the file has been read.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// How long a statement waits for a lock on the file before it fails.
    func setBusyTimeout(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Prevents statements from damaging the file, such as by writing to the schema table.
    func setDefensive() throws(StoreError) {
        let code = sqlite_set_defensive(handle)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    // MARK: Statements

    /// Executes SQL, which may consist of several statements, without parameters and rows.
    func execute(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        SQLiteStatement(handle: try prepareHandle(sql), connection: self, isKept: false)
    }

    private func prepareHandle(_ sql: String) throws(StoreError) -> OpaquePointer {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code) }
        return statement
    }

    /// Executes one statement and ignores its rows.
    func run(_ sql: String, _ parameters: [any SQLiteValue] = []) throws(StoreError) {
        try withStatement(sql, parameters) { (statement) throws(StoreError) in
            while try statement.step() {}
        }
    }

    /// Returns the value of `body` for each row of a query, without the rows for which it is `nil`. A row is valid only
    /// during the call.
    func rows<Value>(
        _ sql: String, _ parameters: [any SQLiteValue] = [],
        _ body: (SQLiteStatement) throws(StoreError) -> Value?
    ) throws(StoreError) -> [Value] {
        try withStatement(sql, parameters) { (statement) throws(StoreError) in
            var values: [Value] = []
            while try statement.step() {
                if let value = try body(statement) { values.append(value) }
            }
            return values
        }
    }

    /// Returns the value of `body` for the first row of a query, or `nil` if there is no row.
    func first<Value>(
        _ sql: String, _ parameters: [any SQLiteValue] = [],
        _ body: (SQLiteStatement) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        try withStatement(sql, parameters) { (statement) throws(StoreError) in
            try statement.step() ? try body(statement) : nil
        }
    }

    /// Returns the first column of the first row of a query, or `nil` if there is no row or the column is `NULL`.
    func value<Value: SQLiteValue>(
        _ sql: String, _ parameters: [any SQLiteValue] = [], as type: Value.Type = Value.self
    ) throws(StoreError) -> Value? {
        try first(sql, parameters) { Value?.column(0, of: $0) } ?? nil
    }

    /// Calls `body` with a statement that is prepared at the first use of its SQL.
    private func withStatement<Result>(
        _ sql: String, _ parameters: [any SQLiteValue], _ body: (SQLiteStatement) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let prepared: OpaquePointer
        if let idle = idleStatements.removeValue(forKey: sql) {
            prepared = idle
        } else {
            prepared = try prepareHandle(sql)
        }
        let statement = SQLiteStatement(handle: prepared, connection: self, isKept: true)
        defer {
            statement.reset()
            statement.clearParameters()
            if idleStatements.count >= Self.maximumIdleStatements { finalizeIdleStatements() }
            if let other = idleStatements.updateValue(prepared, forKey: sql) { sqlite3_finalize(other) }
        }
        for (position, parameter) in parameters.enumerated() { parameter.bind(to: statement, at: Int32(position)) }
        return try body(statement)
    }

    private func finalizeIdleStatements() {
        for statement in idleStatements.values { sqlite3_finalize(statement) }
        idleStatements = [:]
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE statement changed.
    var changedRows: Int { Int(sqlite3_changes64(handle)) }

    // MARK: Transactions

    /// Runs `body` in a transaction, which is on disk when the function returns. After an error, nothing of it remains.
    func transaction<Result>(
        _ body: (SQLiteConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result { try transaction("BEGIN IMMEDIATE", body) }

    /// Runs `body` with a view of the file that does not change while it runs.
    func snapshot<Result>(
        _ body: (SQLiteConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result { try transaction("BEGIN DEFERRED", body) }

    private func transaction<Result>(
        _ begin: String, _ body: (SQLiteConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try run(begin)
        do throws(StoreError) {
            let result = try body(self)
            try run("COMMIT")
            return result
        } catch {
            // After some errors, such as a full disk, SQLite has already ended the transaction. Report the first error.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    // MARK: Errors

    /// Creates an error from an SQLite result code and SQLite's error message.
    func failure(_ code: Int32) -> StoreError {
        let detail = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        let primaryCode = code & 0xFF
        switch primaryCode {
        case SQLITE_FULL: return .diskFull(path: path)
        case SQLITE_BUSY, SQLITE_LOCKED: return .locked(path: path)
        case SQLITE_NOTADB where isTimetable: return .notATimetable(path: path)
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .corrupt(path: path, detail: detail)
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            let error = systemError
            return error == 0
                ? .database(path: path, code: primaryCode, detail: detail)
                : FileSystem.failure(path, "access", code: error)
        default: return .database(path: path, code: primaryCode, detail: detail)
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
