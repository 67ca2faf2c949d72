internal import TransitModel

enum StopColumn: Int, TableColumn {
    case id, code, name, latitude, longitude, kind, parent, timezone, wheelchair, platform

    static let file = "stops.txt"
    static let names = [
        "stop_id", "stop_code", "stop_name", "stop_lat", "stop_lon", "location_type", "parent_station", "stop_timezone",
        "wheelchair_boarding", "platform_code",
    ]
    static let ignoredNames = ["tts_stop_name", "stop_desc", "zone_id", "stop_url", "level_id", "stop_access"]
    static let required: [StopColumn] = [.id]
}

/// Reads stops.txt: stops, stations, entrances, nodes and boarding areas.
struct StopsTable {
    private(set) var stops: [Stop] = []
    private var ids = ByteInterner()
    /// The `parent_station` of each stop and the line of its row. The parents are resolved at the end, because a parent
    /// can follow its children in the file.
    private var parents: [(id: String, line: Int)?] = []

    /// Reads the table. Throws ``FeedError/refused(reason:report:)`` if there are no stops.
    init(_ files: FeedFiles, zones: TimeZoneNames) throws(FeedError) {
        try files.read(StopColumn.self) { row throws(FeedError) in
            append(row, zones, files.context)
        }
        guard !stops.isEmpty else {
            throw files.refusal(
                "no_usable_stops", .init(file: StopColumn.file), "The feed has no stops", blamed: [StopColumn.file])
        }
        linkParents(files.context)
        inherit()
    }

    func index(of id: UnsafeBufferPointer<UInt8>) -> StopIndex? { ids.find(id).map { StopIndex($0) } }

    @inline(__always)
    func matches(_ stop: StopIndex, _ id: UnsafeBufferPointer<UInt8>) -> Bool { ids.matches(stop.rawValue, id) }

    private mutating func append(_ row: borrowing CSVRow, _ zones: TimeZoneNames, _ context: ReadingContext) {
        guard context.has(row, StopColumn.id) else { return }
        guard ids.find(row[StopColumn.id]) == nil else { return context.rejectDuplicate(row, StopColumn.id) }
        _ = ids.intern(row[StopColumn.id])
        let kind = context.choice(row, StopColumn.kind, absent: Stop.Kind.platform)
        stops.append(
            Stop(
                id: StopID(row.text(StopColumn.id.rawValue)), code: context.text(row, StopColumn.code),
                name: context.text(row, StopColumn.name) ?? "",
                coordinate: context.coordinate(row, StopColumn.latitude, StopColumn.longitude), kind: kind,
                platform: context.text(row, StopColumn.platform),
                timezone: row[StopColumn.timezone].isEmpty ? nil : zones.resolve(row, StopColumn.timezone, context),
                wheelchair: context.choice(row, StopColumn.wheelchair, absent: Accessibility.unknown)))
        parents.append(context.text(row, StopColumn.parent).map { ($0, row.line) })
        reportAbsent(row, kind, context)
    }

    /// Reports missing names of stops and stations, and missing positions of stops, stations and entrances (GTFS
    /// reference, stops.txt).
    private func reportAbsent(_ row: borrowing CSVRow, _ kind: Stop.Kind, _ context: ReadingContext) {
        guard kind != .node, kind != .boardingArea else { return }
        if row[StopColumn.name].isEmpty, kind != .entrance {
            context.reject(row, StopColumn.name, "missing_required_field", .warning, "The stop has no name")
        }
        if row[StopColumn.latitude].isEmpty, row[StopColumn.longitude].isEmpty {
            context.reject(row, StopColumn.latitude, "stop_without_location", .warning, "The stop has no position")
        }
    }
}

// MARK: - Parents
extension StopsTable {
    private mutating func linkParents(_ context: ReadingContext) {
        for position in stops.indices {
            let kind = stops[position].kind
            guard let (id, line) = parents[position] else {
                if kind == .entrance || kind == .node || kind == .boardingArea {
                    report("location_without_parent_station", .warning, position, nil, context) {
                        "“\($0)” is part of a station, but its parent_station is empty"
                    }
                }
                continue
            }
            var text = id
            let parent = text.withUTF8 { ids.find($0) }.map { StopIndex($0) }
            stops[position].parent = validParent(parent, of: position, line, context)
        }
        parents = []
    }

    /// Returns the parent if it has the `location_type` that the GTFS reference requires. This check also prevents
    /// cycles.
    private func validParent(
        _ parent: StopIndex?, of position: Int, _ line: Int, _ context: ReadingContext
    ) -> StopIndex? {
        guard let parent else {
            report("foreign_key_violation", .error, position, line, context) {
                "stops.txt lacks the parent_station “\(FieldValue.excerpt(parents[position]?.id ?? ""))” of “\($0)”"
            }
            return nil
        }
        let kind = stops[position].kind
        guard kind != .station else {
            report("station_with_parent_station", .error, position, line, context) {
                "The station “\($0)” has a parent_station, which is ignored"
            }
            return nil
        }
        guard stops[parent.position].kind == (kind == .boardingArea ? .platform : .station) else {
            report("wrong_parent_location_type", .error, position, line, context) {
                "The parent_station of “\($0)” is not a \(kind == .boardingArea ? "platform" : "station")"
            }
            return nil
        }
        return parent
    }

    private func report(
        _ rule: String, _ severity: ValidationReport.Severity, _ position: Int, _ line: Int?, _ context: ReadingContext,
        _ message: (String) -> String
    ) {
        context.add(
            rule, severity, at: .init(file: StopColumn.file, line: line, field: StopColumn.parent.name),
            message(FieldValue.excerpt(stops[position].id.rawValue)))
    }

    /// Copies attributes from parents to their children.
    ///
    /// According to the GTFS reference, stops.txt, children inherit the wheelchair access of the parent if their own is
    /// empty, and always inherit the time zone of the station, even if that is empty. For display, children without a
    /// name or position also inherit it.
    private mutating func inherit() {
        for position in stops.indices where stops[position].kind != .boardingArea { inherit(position) }
        for position in stops.indices where stops[position].kind == .boardingArea { inherit(position) }
    }

    private mutating func inherit(_ position: Int) {
        if let parent = stops[position].parent.map({ stops[$0.position] }) {
            if stops[position].wheelchair == .unknown { stops[position].wheelchair = parent.wheelchair }
            stops[position].timezone = parent.timezone
            if stops[position].coordinate == nil { stops[position].coordinate = parent.coordinate }
            if stops[position].name.isEmpty { stops[position].name = parent.name }
        }
        if stops[position].name.isEmpty { stops[position].name = stops[position].code ?? stops[position].id.rawValue }
    }
}
