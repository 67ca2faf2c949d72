internal import TransitModel

/// The tables of one feed and the context in which they are read.
struct FeedFiles {
    let archive: ZipArchive
    let context: ReadingContext

    /// Passes every row of a table to `body`, and reports missing and unknown columns. Returns false if the feed does
    /// not have the table.
    @discardableResult
    func read<Column: TableColumn>(
        _ columns: Column.Type, _ body: (borrowing CSVRow) throws(FeedError) -> Void
    ) throws(FeedError) -> Bool {
        guard let table = try CSVReader.read(archive, Column.file, columns: Column.names, context, body) else {
            return false
        }
        for column in Column.required where !table.has(column.rawValue) && !table.header.isEmpty {
            context.add(
                "missing_required_column", .error, at: .init(file: Column.file, line: 1, field: column.name),
                "The column \(column.name) is missing")
        }
        reportUnknownColumns(table.header, of: columns)
        return true
    }

    private func reportUnknownColumns<Column: TableColumn>(_ header: [String], of columns: Column.Type) {
        let known = Set(Column.names).union(Column.ignoredNames)
        for (position, name) in header.enumerated() where !known.contains(name) {
            context.add(
                "unknown_column", .info,
                at: .init(file: Column.file, line: 1, column: position + 1, field: FieldValue.excerpt(name)),
                name.isEmpty
                    ? "A column has no name" : "The GTFS reference does not define “\(FieldValue.excerpt(name))”"
            )
        }
    }

    /// Returns the error for an unusable feed. The most severe and most frequent finding in the `blamed` files is
    /// appended to the reason.
    func refusal(
        _ rule: String, _ place: ValidationReport.Location, _ reason: String, blamed: [String] = []
    ) -> FeedError {
        let faults = context.report.findings.filter { finding in
            finding.severity > .info && finding.examples.first.map { blamed.contains($0.place.file) } == true
        }
        var reason = reason
        if let fault = faults.max(by: { ($0.severity, $0.count) < ($1.severity, $1.count) })?.examples.first {
            let line = fault.place.line.map { " line \($0)" } ?? ""
            reason += ", for example \(fault.place.file)\(line): \(fault.message)"
        }
        context.add(rule, .fatal, at: place, reason)
        return .refused(reason: reason, report: context.report)
    }

    /// Throws if a required file is missing.
    func require(_ names: [String]) throws(FeedError) {
        let missing = names.filter { archive.table($0) == nil }
        guard let last = missing.last else { return }
        for name in missing.dropLast() {
            context.add("missing_required_file", .fatal, at: .init(file: name), "The feed has no \(name)")
        }
        let list = missing.joined(separator: ", ")
        throw refusal("missing_required_file", .init(file: last), "The feed has no \(list)")
    }

    /// Reports files that the GTFS reference does not define.
    func reportUnknownFiles() {
        for member in archive.tables where !Self.known.contains(asciiLowercased(member.name)) {
            context.add(
                "unknown_file", .info, file: member.name, "The GTFS reference does not define this file; it is ignored")
        }
    }

    /// The files in the section "Dataset Files" of the GTFS reference.
    private static let known: Set<String> = [
        "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt", "calendar_dates.txt",
        "fare_attributes.txt", "fare_rules.txt", "timeframes.txt", "rider_categories.txt", "fare_media.txt",
        "fare_products.txt", "fare_leg_rules.txt", "fare_leg_join_rules.txt", "fare_transfer_rules.txt", "areas.txt",
        "stop_areas.txt", "networks.txt", "route_networks.txt", "shapes.txt", "frequencies.txt", "transfers.txt",
        "pathways.txt", "levels.txt", "location_groups.txt", "location_group_stops.txt", "locations.geojson",
        "booking_rules.txt", "translations.txt", "feed_info.txt", "attributions.txt",
    ]
}

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
