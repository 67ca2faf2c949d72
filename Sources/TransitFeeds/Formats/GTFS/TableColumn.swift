/// The columns of one GTFS table that are read: an enumeration whose raw values count from 0 and whose ``names`` stand in
/// the same order.
protocol TableColumn: RawRepresentable, CaseIterable, Sendable where RawValue == Int {
    /// Such as "stops.txt".
    static var file: String { get }
    /// As in the header, by raw value.
    static var names: [String] { get }
    /// Columns of the GTFS reference that are not read: known, so that they are not reported.
    static var unread: [String] { get }
    /// Columns without which the table makes no sense.
    static var required: [Self] { get }
}

extension TableColumn {
    var name: String { Self.names[rawValue] }
}

extension CSVRow {
    /// The field of a column of a known table.
    subscript(column: some TableColumn) -> UnsafeBufferPointer<UInt8> { self[column.rawValue] }
}
