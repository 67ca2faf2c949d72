/// The columns of a GTFS table that are read. The raw values of the enumeration count from 0 and are indexes into
/// ``names``.
protocol TableColumn: RawRepresentable, CaseIterable, Sendable where RawValue == Int {
    /// The file name, such as "stops.txt".
    static var file: String { get }
    /// The column names in the header, by raw value.
    static var names: [String] { get }
    /// Columns of the GTFS reference that are ignored and not reported as unknown.
    static var ignoredNames: [String] { get }
    /// Columns that the table must have.
    static var required: [Self] { get }
}

extension TableColumn {
    var name: String { Self.names[rawValue] }
}

extension CSVRow {
    /// The field of a column.
    subscript(column: some TableColumn) -> UnsafeBufferPointer<UInt8> { self[column.rawValue] }
}
