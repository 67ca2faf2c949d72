/// The columns that are read from a GTFS table. The raw values of the enumeration start at 0 and are indexes into
/// ``names``.
protocol TableColumn: RawRepresentable, CaseIterable, Sendable where RawValue == Int {
    /// The file name, such as "stops.txt".
    static var file: String { get }
    /// The column names in the header, by raw value.
    static var names: [String] { get }
    /// The columns in the GTFS reference that are ignored but not reported as unknown.
    static var ignoredNames: [String] { get }
    /// The columns that the table must have.
    static var required: [Self] { get }
}

extension TableColumn {
    var name: String { Self.names[rawValue] }
}

extension CSVRow {
    /// The field of a column.
    subscript(column: some TableColumn) -> UnsafeBufferPointer<UInt8> { self[column.rawValue] }
}
