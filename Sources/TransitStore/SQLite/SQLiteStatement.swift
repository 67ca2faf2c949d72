internal import CSQLite

/// A prepared statement, and its current row. Both columns and parameters are numbered from 0.
final class SQLiteStatement {
    private let handle: OpaquePointer
    /// Retained because the connection reports the errors of the statement.
    private let connection: SQLiteConnection
    /// Whether the connection finalizes the statement, which it keeps for the next use.
    private let isKept: Bool
    /// The names of the columns, read at the first use of a name.
    private lazy var names = (0..<sqlite3_column_count(handle)).map { String(cString: sqlite3_column_name(handle, $0)) }

    init(handle: OpaquePointer, connection: SQLiteConnection, isKept: Bool) {
        self.handle = handle
        self.connection = connection
        self.isKept = isKept
    }

    deinit { if !isKept { sqlite3_finalize(handle) } }

    /// Advances to the next row. Returns false if there is none.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.failure(code)
        }
    }

    /// Resets the statement for the next use. The parameters stay bound.
    func reset() { sqlite3_reset(handle) }

    /// Executes the statement once.
    func run() throws(StoreError) {
        defer { reset() }
        _ = try step()
    }

    // MARK: Parameters

    /// Sets all parameters to `NULL` and frees their texts.
    func clearParameters() { sqlite3_clear_bindings(handle) }

    func bindNull(at position: Int32) { sqlite3_bind_null(handle, position + 1) }

    func bind(_ value: Int, at position: Int32) { sqlite3_bind_int64(handle, position + 1, Int64(value)) }

    func bind(_ value: Int?, at position: Int32) {
        if let value { bind(value, at: position) } else { bindNull(at: position) }
    }

    func bind(_ value: Double, at position: Int32) { sqlite3_bind_double(handle, position + 1, value) }

    func bind(_ value: String?, at position: Int32) {
        guard var value else { return bindNull(at: position) }
        value.withUTF8 { bind(text: UnsafeRawBufferPointer($0), at: position) }
    }

    /// Binds a copy of the bytes, which must be UTF-8.
    func bind(text bytes: UnsafeRawBufferPointer, at position: Int32) {
        // For an empty buffer, the pointer may be nil, which would bind NULL.
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        if let start, bytes.count > 0 {
            sqlite3_bind_text(handle, position + 1, start, Int32(clamping: bytes.count), Self.copy)
        } else {
            sqlite3_bind_text(handle, position + 1, "", 0, Self.copy)
        }
    }

    /// Binds a copy of the bytes.
    func bind(blob bytes: UnsafeRawBufferPointer, at position: Int32) {
        if let start = bytes.baseAddress, bytes.count > 0 {
            sqlite3_bind_blob64(handle, position + 1, start, UInt64(bytes.count), Self.copy)
        } else {
            sqlite3_bind_zeroblob(handle, position + 1, 0)
        }
    }

    func bind(blob bytes: [UInt8], at position: Int32) { bytes.withUnsafeBytes { bind(blob: $0, at: position) } }

    /// `SQLITE_TRANSIENT`, a macro that Swift does not import: SQLite copies the bytes.
    private static var copy: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    // MARK: Columns

    /// Returns a column of the current row. A type without `nil` reads `NULL` as 0, false or an empty text.
    ///
    /// - Parameter name: The name of a column of the query. Any other name is a defect in the program.
    subscript<Value: SQLiteValue>(_ name: String) -> Value {
        guard let column = names.firstIndex(of: name) else { preconditionFailure("there is no column \(name)") }
        return Value.column(Int32(column), of: self)
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// Returns a text column. Invalid UTF-8 is repaired.
    func text(_ column: Int32) -> String { String(decoding: textBytes(column), as: UTF8.self) }

    /// Returns the bytes of a text column, which are valid until the next step.
    func textBytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        guard let start = sqlite3_column_text(handle, column) else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    func optionalTextBytes(_ column: Int32) -> UnsafeBufferPointer<UInt8>? { isNull(column) ? nil : textBytes(column) }

    /// Calls `body` with the bytes of a blob column, which are valid until the next step.
    func withBlob<Result, Failure: Error>(
        _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = sqlite3_column_blob(handle, column)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}

/// A type whose values are parameters of statements and are read from columns.
protocol SQLiteValue {
    func bind(to statement: SQLiteStatement, at position: Int32)
    /// Returns a column of the current row of a statement.
    static func column(_ column: Int32, of statement: SQLiteStatement) -> Self
}

extension Int: SQLiteValue {
    func bind(to statement: SQLiteStatement, at position: Int32) { statement.bind(self, at: position) }
    static func column(_ column: Int32, of statement: SQLiteStatement) -> Int { statement.integer(column) }
}

extension Int64: SQLiteValue {
    func bind(to statement: SQLiteStatement, at position: Int32) { statement.bind(Int(self), at: position) }
    static func column(_ column: Int32, of statement: SQLiteStatement) -> Int64 { Int64(statement.integer(column)) }
}

extension UInt32: SQLiteValue {
    func bind(to statement: SQLiteStatement, at position: Int32) { statement.bind(Int(self), at: position) }
    static func column(_ column: Int32, of statement: SQLiteStatement) -> UInt32 {
        UInt32(clamping: statement.integer(column))
    }
}

extension Bool: SQLiteValue {
    func bind(to statement: SQLiteStatement, at position: Int32) { statement.bind(self ? 1 : 0, at: position) }
    static func column(_ column: Int32, of statement: SQLiteStatement) -> Bool { statement.integer(column) != 0 }
}

extension Double: SQLiteValue {
    func bind(to statement: SQLiteStatement, at position: Int32) { statement.bind(self, at: position) }
    static func column(_ column: Int32, of statement: SQLiteStatement) -> Double { statement.real(column) }
}

extension String: SQLiteValue {
    func bind(to statement: SQLiteStatement, at position: Int32) { statement.bind(self, at: position) }
    static func column(_ column: Int32, of statement: SQLiteStatement) -> String { statement.text(column) }
}

/// `nil` is `NULL`.
extension Optional: SQLiteValue where Wrapped: SQLiteValue {
    func bind(to statement: SQLiteStatement, at position: Int32) {
        if let self { self.bind(to: statement, at: position) } else { statement.bindNull(at: position) }
    }

    static func column(_ column: Int32, of statement: SQLiteStatement) -> Wrapped? {
        statement.isNull(column) ? nil : Wrapped.column(column, of: statement)
    }
}
