internal import TransitModel

enum AgencyColumn: Int, TableColumn {
    case id, name, url, timezone, language, phone

    static let file = "agency.txt"
    static let names = ["agency_id", "agency_name", "agency_url", "agency_timezone", "agency_lang", "agency_phone"]
    static let ignoredNames = ["agency_fare_url", "agency_email", "cemv_support"]
    static let required: [AgencyColumn] = [.name, .timezone]
}

/// Reads agency.txt: the operators of the routes and their time zones.
struct AgencyTable {
    private(set) var agencies: [Agency] = []
    private var ids = ByteInterner()

    /// Reads the table. Throws ``FeedError/refused(reason:report:)`` if no agency has a known time zone, because
    /// departure times are then undefined.
    init(_ files: FeedFiles, zones: TimeZoneNames) throws(FeedError) {
        var withoutZone: [(position: Int, place: ValidationReport.Location)] = []
        try files.read(AgencyColumn.self) { row throws(FeedError) in
            guard !isDuplicate(row, files.context) else { return }
            let timezone = zones.resolve(row, AgencyColumn.timezone, files.context)
            if timezone == nil { withoutZone.append((agencies.count, row.place(AgencyColumn.timezone.rawValue))) }
            append(row, timezone: timezone ?? "", files.context)
        }
        try completeZones(withoutZone, files)
        reportDifferentZones(files.context)
    }

    func index(of id: UnsafeBufferPointer<UInt8>) -> AgencyIndex? { ids.find(id).map { AgencyIndex($0) } }

    /// Whether all agencies have the same time zone, as the GTFS reference requires.
    var haveSameTimeZone: Bool { agencies.allSatisfy { $0.timezone == agencies[0].timezone } }

    private func isDuplicate(_ row: borrowing CSVRow, _ context: ReadingContext) -> Bool {
        guard ids.find(row[AgencyColumn.id]) != nil else { return false }
        if row[AgencyColumn.id].isEmpty {
            context.reject(
                row, AgencyColumn.id, "missing_required_field", .error,
                "agency_id is empty although there are several agencies; the row is skipped")
        } else {
            context.rejectDuplicate(row, AgencyColumn.id)
        }
        return true
    }

    private mutating func append(_ row: borrowing CSVRow, timezone: String, _ context: ReadingContext) {
        _ = ids.intern(row[AgencyColumn.id])
        let name = context.text(row, AgencyColumn.name)
        if name == nil {
            context.reject(row, AgencyColumn.name, "missing_required_field", .warning, "The agency has no name")
        }
        let id = row.text(AgencyColumn.id.rawValue)
        agencies.append(
            Agency(
                id: AgencyID(id), name: name ?? id, url: context.text(row, AgencyColumn.url), timezone: timezone,
                language: context.text(row, AgencyColumn.language), phone: context.text(row, AgencyColumn.phone)))
    }

    /// Sets a missing time zone to the zone of another agency. All agencies of a feed have the same zone according to
    /// the GTFS reference, agency.txt.
    private mutating func completeZones(
        _ withoutZone: [(position: Int, place: ValidationReport.Location)], _ files: FeedFiles
    ) throws(FeedError) {
        guard let known = agencies.first(where: { !$0.timezone.isEmpty })?.timezone else {
            if let place = withoutZone.first?.place {
                throw files.refusal(
                    "invalid_timezone", place, "No agency has a known time zone, so departure times are undefined",
                    blamed: [AgencyColumn.file])
            }
            throw files.refusal(
                "no_usable_agencies", .init(file: AgencyColumn.file),
                "agency.txt has no agency, so the time zone is unknown", blamed: [AgencyColumn.file])
        }
        for agency in withoutZone { agencies[agency.position].timezone = known }
    }

    private func reportDifferentZones(_ context: ReadingContext) {
        guard !haveSameTimeZone else { return }
        context.add(
            "inconsistent_agency_timezone", .warning, at: .init(file: AgencyColumn.file),
            "The agencies have different time zones; the times of each route use the zone of its agency")
    }

    /// The difference in hours between local time and solar time above which a zone is reported as unusual. In western
    /// China the difference is almost three hours.
    private static let unusualHours = 3.5
    /// The number of stops from which the median longitude is computed.
    private static let maximumSampledStops = 10_000

    /// Reports time zones that do not match the longitudes of the stops. Some export programs write their own time zone
    /// instead of the agency's.
    func reportUnusualZones(
        _ coordinates: [Coordinate?], _ offset: (String) -> Int?, _ context: ReadingContext
    ) {
        let step = max(1, coordinates.count / Self.maximumSampledStops)
        let longitudes = stride(from: 0, to: coordinates.count, by: step).compactMap { coordinates[$0]?.longitude }
            .sorted()
        guard !longitudes.isEmpty else { return }
        let longitude = longitudes[longitudes.count / 2]
        for zone in Set(agencies.map(\.timezone)).sorted() {
            guard let seconds = offset(zone) else { continue }
            let hours = Double(seconds) / 3600 - longitude / 15
            // Near the date line, the difference can be off by 24 h.
            let apart = min(abs(hours), abs(hours - 24), abs(hours + 24))
            guard apart > Self.unusualHours else { continue }
            context.add(
                "unusual_timezone", .warning, at: .init(file: AgencyColumn.file),
                "\(FieldValue.excerpt(zone)) differs from the solar time at the stops by \(Int(apart.rounded())) h, so "
                    + "times may be wrong")
        }
    }
}
