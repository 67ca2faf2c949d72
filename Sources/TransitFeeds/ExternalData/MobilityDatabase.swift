public import TransitModel

/// The catalog of public feeds of the Mobility Database, a CSV file in the public domain (CC0): its request and its
/// rows.
public struct MobilityDatabase: Hashable, Sendable {
    /// The URL of the file: `https`, or `http` for a loopback address.
    public var url: String

    public init(url: String = MobilityDatabase.publicURL) { self.url = url }

    /// The current export of the catalog.
    public static let publicURL = "https://files.mobilitydatabase.org/feeds_v2.csv"
    /// The maximum number of entries that are read.
    static let maximumEntries = 50_000
    /// The name of the file in error messages.
    private static let file = "the downloaded file"

    /// Returns the request for the whole file.
    public var request: UpstreamRequest { UpstreamRequest(url, bodyLimit: 32 << 20, deadline: 60) }

    /// Reads the rows of the catalog. Rows of unknown kinds, such as bicycles (GBFS), are omitted.
    ///
    /// - Throws: ``FeedError/table(_:reason:)`` if columns are missing, if the file is damaged or truncated, or if it has
    ///   no timetable.
    public static func entries(_ body: [UInt8]) throws(FeedError) -> [CatalogEntry] {
        let context = ReadingContext()
        var entries: [CatalogEntry] = []
        let table = try CSVReader.read(body, file, columns: CatalogColumn.names, context) { row throws(FeedError) in
            guard entries.count < maximumEntries else {
                throw .table(row.place, reason: "It has more than \(maximumEntries) entries")
            }
            if let entry = CatalogEntry(row) { entries.append(entry) }
        }
        try checkColumns(table)
        try checkDamage(context.report, rows: table.rowCount, endsInLine: body.last == 0x0A || body.last == 0x0D)
        guard entries.contains(where: \.isTimetable) else {
            throw .table(.init(file: file), reason: "It has no timetable")
        }
        return entries
    }

    private static func checkColumns(_ table: CSVTable) throws(FeedError) {
        var missing = CatalogColumn.required.filter { !table.has($0.rawValue) }.map { CatalogColumn.names[$0.rawValue] }
        if !table.has(CatalogColumn.id.rawValue), !table.has(CatalogColumn.numericID.rawValue) {
            missing.insert(CatalogColumn.names[CatalogColumn.id.rawValue], at: 0)
        }
        guard !missing.isEmpty else { return }
        throw .table(
            .init(file: file, line: 1),
            reason: (missing.count == 1 ? "The column " : "The columns ") + missing.joined(separator: ", ")
                + (missing.count == 1 ? " is" : " are") + " missing, so this is not the catalog")
    }

    /// Rejects a file that is damaged. A few rows of another length are mistakes of the catalog.
    private static func checkDamage(
        _ report: ValidationReport, rows: Int, endsInLine: Bool
    ) throws(FeedError) {
        for finding in report.findings where finding.rule == "csv_parsing_failed" {
            let example = finding.examples.first
            // The reader of a timetable continues after such a line; a catalog with one is damaged.
            let message = example?.message.replacing("; the line is skipped", with: "")
            throw .table(example?.place ?? .init(file: file), reason: message ?? "It cannot be parsed")
        }
        let broken = report.findings.filter { $0.rule == "invalid_row_length" }.map(\.count).reduce(0, +)
        if broken > 0, !endsInLine {
            throw .table(.init(file: file), reason: "It is truncated in the middle of a row")
        }
        guard broken * 50 <= rows else {
            throw .table(.init(file: file), reason: "\(broken) of \(rows) rows have a wrong number of fields")
        }
    }
}

/// The columns of the catalog that are read. Exports before 2025 have `mdb_source_id` instead of `id`.
private enum CatalogColumn: Int, CaseIterable {
    case id, numericID, dataType, entityTypes, country, subdivision, municipality, provider, isOfficial, name
    case timetables, download, accessType, accessInfo, keyName, copy, license, south, north, west, east, status
    case successors

    static let required: [CatalogColumn] = [.dataType, .provider, .download, .status, .successors]
    static let names = allCases.map(\.name)

    private var name: String {
        switch self {
        case .id: "id"
        case .numericID: "mdb_source_id"
        case .dataType: "data_type"
        case .entityTypes: "entity_type"
        case .country: "location.country_code"
        case .subdivision: "location.subdivision_name"
        case .municipality: "location.municipality"
        case .provider: "provider"
        case .isOfficial: "is_official"
        case .name: "name"
        case .timetables: "static_reference"
        case .download: "urls.direct_download"
        case .accessType: "urls.authentication_type"
        case .accessInfo: "urls.authentication_info"
        case .keyName: "urls.api_key_parameter_name"
        case .copy: "urls.latest"
        case .license: "urls.license"
        case .south: "location.bounding_box.minimum_latitude"
        case .north: "location.bounding_box.maximum_latitude"
        case .west: "location.bounding_box.minimum_longitude"
        case .east: "location.bounding_box.maximum_longitude"
        case .status: "status"
        case .successors: "redirect.id"
        }
    }
}

extension CSVRow {
    /// The maximum length of a text in bytes. A provider may join the names of dozens of companies.
    private static let maximumText = 4000
    private static let maximumURL = 2000

    fileprivate func text(_ column: CatalogColumn) -> String {
        String(decoding: self[column.rawValue].prefix(Self.maximumText), as: UTF8.self)
    }

    /// Returns an absolute web address; `nil` for any other text.
    fileprivate func url(_ column: CatalogColumn) -> String? {
        guard self[column.rawValue].count <= Self.maximumURL else { return nil }
        let text = text(column)
        let isAddress = text.hasPrefix("https://") || text.hasPrefix("http://")
        return isAddress && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? text : nil
    }

    /// Returns the address of a feed. transitd sends no unencrypted requests to other machines, and nearly every server of
    /// an `http` address in the catalog also answers `https`.
    fileprivate func encryptedURL(_ column: CatalogColumn) -> String? {
        guard let address = url(column), address.hasPrefix("http://") else { return url(column) }
        let rest = address.dropFirst("http://".count)
        let isLocal = ["127.", "localhost", "[::1]"].contains { rest.hasPrefix($0) }
        return isLocal ? address : "https://\(rest)"
    }

    /// Returns the identifiers of a list that is separated by vertical bars. The numbers of old exports stand for
    /// identifiers of the catalog's own entries.
    fileprivate func identifiers(_ column: CatalogColumn) -> [String] {
        text(column).split(separator: "|").map { CatalogEntry.identifier($0.filter { $0 != " " }) }
    }

    fileprivate func degrees(_ column: CatalogColumn) -> Double? { Double(text(column)) }
}

extension CatalogEntry {
    fileprivate static func identifier(_ text: some StringProtocol) -> String {
        !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber } ? "mdb-\(text)" : String(text)
    }

    /// Returns `nil` for a row without an identifier, and for a kind of feed that transitd cannot use.
    fileprivate init?(_ row: borrowing CSVRow) {
        let id = Self.identifier([row.text(.id), row.text(.numericID)].first { !$0.isEmpty } ?? "")
        let datasets: [DatasetKind]
        switch row.text(.dataType) {
        case "gtfs": datasets = [.static]
        case "gtfs-rt", "gtfs_rt": datasets = Self.realtime(row.text(.entityTypes))
        default: return nil
        }
        guard !id.isEmpty else { return nil }
        self.init(id: id, datasets: datasets, provider: row.text(.provider))
        name = row.text(.name)
        (location.country, location.subdivision) = (row.text(.country), row.text(.subdivision))
        location.municipality = row.text(.municipality)
        box = Self.box(row)
        isOfficial = ["true": true, "false": false][row.text(.isOfficial).lowercased()]
        status = Self.status(row.text(.status))
        (successors, timetables) = (row.identifiers(.successors), row.identifiers(.timetables))
        (downloadURL, copyURL) = (row.encryptedURL(.download), row.encryptedURL(.copy))
        licenseURL = row.url(.license)
        access = Self.access(row)
    }

    private static func realtime(_ text: String) -> [DatasetKind] {
        let kinds: [DatasetKind] = text.split(separator: "|").compactMap { code in
            switch code.filter({ $0 != " " }) {
            case "tu": .tripUpdates
            case "vp": .vehicles
            case "sa": .alerts
            default: nil
            }
        }
        return DatasetKind.realtime.filter { kinds.contains($0) }
    }

    private static func box(_ row: borrowing CSVRow) -> BoundingBox? {
        guard let south = row.degrees(.south), let north = row.degrees(.north), let west = row.degrees(.west),
            let east = row.degrees(.east)
        else { return nil }
        return BoundingBox(latitudes: (south, north), longitudes: (west, east))
    }

    /// An empty status means that the feed is active.
    private static func status(_ text: String) -> CatalogStatus {
        switch text {
        case "deprecated": .deprecated
        case "inactive": .inactive
        case "development", "future": .development
        default: .active
        }
    }

    private static func access(_ row: borrowing CSVRow) -> CatalogAccess {
        let (name, info) = (row.text(.keyName), row.url(.accessInfo))
        let key = name.isEmpty ? nil : name
        switch row.text(.accessType) {
        case "", "0": return .none
        case "1": return .parameter(name: key, info: info)
        case "2": return .header(name: key, info: info)
        default: return .other(info: info)
        }
    }
}
