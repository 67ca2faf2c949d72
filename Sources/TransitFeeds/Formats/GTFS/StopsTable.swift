internal import TransitModel

enum StopColumn: Int, TableColumn {
    case id, code, name, latitude, longitude, kind, parent, timezone, wheelchair, platform, access

    static let file = "stops.txt"
    static let names = [
        "stop_id", "stop_code", "stop_name", "stop_lat", "stop_lon", "location_type", "parent_station", "stop_timezone",
        "wheelchair_boarding", "platform_code", "stop_access",
    ]
    static let ignoredNames = ["tts_stop_name", "stop_desc", "zone_id", "stop_url", "level_id"]
    static let required: [StopColumn] = [.id]
}

/// Reads stops.txt: stops, stations, entrances, nodes and boarding areas. Until ``keep(isUsed:_:)``, when it is known at
/// which stops trips call, only what stop times need is in memory.
struct StopsTable {
    /// The kept stops. Empty before ``keep(isUsed:_:)``.
    private(set) var stops: [Stop] = []
    /// The position of each stop in the source, its own or that of its parent.
    private(set) var coordinates: [Coordinate?] = []
    private(set) var kinds: [Stop.Kind] = []
    /// The positions in the source of the stops that riders reach directly from the street, without pathways
    /// (`stop_access` 1).
    private(set) var hasDirectAccess: Set<Int> = []
    /// The position of each stop's parent in the source, or ``noParent``.
    private var parents: [UInt32] = []
    /// The hash of each stop's folded name; empty if all stops are kept.
    private(set) var nameHashes: [UInt64] = []
    private let readsNames: Bool
    private var ids = ByteInterner()
    private var rows: PackedRows
    private var packer = PackedRowWriter()
    private var selection: RowSelection?

    private static let noParent = UInt32.max

    /// The `parent_station` of the stops. The parents are resolved at the end, because a parent can follow its children
    /// in the file.
    private struct ParentReferences {
        var ids = ByteInterner()
        /// The number of the parent's identifier in ``ids`` plus one, by stop; 0 if there is none.
        var numbers: [UInt32] = []
        /// The line of each stop.
        var lines: [UInt32] = []
    }

    /// Reads the table. Throws ``FeedError/refused(reason:report:)`` if there are no stops.
    ///
    /// - Parameters:
    ///   - readsNames: Whether ``nameHashes`` is needed.
    ///   - folder: The folder for an unnamed file that holds the rows, or `nil` to keep them in memory.
    init(
        _ files: FeedFiles, zones: TimeZoneNames, readsNames: Bool = false, folder: String? = nil
    ) throws(FeedError) {
        self.readsNames = readsNames
        rows = PackedRows(folder: folder)
        var references = ParentReferences()
        try files.read(StopColumn.self) { row throws(FeedError) in
            append(row, zones, files.context, &references)
        }
        guard !kinds.isEmpty else {
            throw files.refusal(
                "no_usable_stops", .init(file: StopColumn.file), "The feed has no stops", blamed: [StopColumn.file])
        }
        linkParents(references, files.context)
        inheritCoordinates()
    }

    /// The number of stops in the source.
    var count: Int { kinds.count }

    /// Returns the position of a stop in the timetable, and before ``keep(isUsed:_:)`` its position in the source.
    func index(of id: UnsafeBufferPointer<UInt8>) -> StopIndex? {
        guard let number = ids.find(id) else { return nil }
        guard let selection else { return StopIndex(number) }
        return selection[number].map { StopIndex($0) }
    }

    /// Whether the source has a stop with an identifier, even if the stop is not kept.
    func contains(_ id: UnsafeBufferPointer<UInt8>) -> Bool { ids.find(id) != nil }

    /// Returns the position of a stop in the source, even if the stop is not kept.
    func sourcePosition(of id: UnsafeBufferPointer<UInt8>) -> Int? { ids.find(id).map { Int($0) } }

    /// Returns the position in the timetable of the stop at a position in the source; `nil` if it is not kept.
    func kept(_ position: Int) -> StopIndex? {
        guard let selection else { return StopIndex(position) }
        return selection[UInt32(position)].map { StopIndex($0) }
    }

    /// Returns the position in the source of the station of a stop: its topmost parent, or itself without a parent.
    func station(of position: Int) -> Int {
        var top = position
        while let parent = parent(of: top) { top = parent }
        return top
    }

    /// Whether the stop at a position in the source has an identifier.
    @inline(__always)
    func matches(_ stop: StopIndex, _ id: UnsafeBufferPointer<UInt8>) -> Bool { ids.matches(stop.rawValue, id) }

    /// Returns the kind of the stop at a position in the source.
    func kind(_ stop: StopIndex) -> Stop.Kind { kinds[stop.position] }

    /// Returns the identifier of the stop at a position in the source.
    func id(_ stop: StopIndex) -> String { ids.text(stop.rawValue) }

    private mutating func append(
        _ row: borrowing CSVRow, _ zones: TimeZoneNames, _ context: ReadingContext,
        _ references: inout ParentReferences
    ) {
        guard context.has(row, StopColumn.id) else { return }
        guard ids.find(row[StopColumn.id]) == nil else { return context.rejectDuplicate(row, StopColumn.id) }
        _ = ids.intern(row[StopColumn.id])
        let kind = context.choice(row, StopColumn.kind, absent: Stop.Kind.platform)
        let stop = Stop(
            id: "", code: context.text(row, StopColumn.code), name: context.text(row, StopColumn.name) ?? "",
            coordinate: context.coordinate(row, StopColumn.latitude, StopColumn.longitude), kind: kind,
            platform: context.text(row, StopColumn.platform),
            timezone: row[StopColumn.timezone].isEmpty ? nil : zones.resolve(row, StopColumn.timezone, context),
            wheelchair: context.choice(row, StopColumn.wheelchair, absent: Accessibility.unknown))
        if row[StopColumn.access].first == UInt8(ascii: "1") { hasDirectAccess.insert(kinds.count) }
        Self.pack(stop, to: &packer)
        rows.append(packer)
        kinds.append(kind)
        coordinates.append(stop.coordinate)
        if readsNames { nameHashes.append(IdentifierHash.of(SearchText.fold(stop.name))) }
        references.lines.append(UInt32(clamping: row.line))
        references.numbers.append(
            context.text(row, StopColumn.parent).map { references.ids.intern(Array($0.utf8)).number + 1 } ?? 0)
        reportAbsent(row, kind, context)
    }

    private static func pack(_ stop: Stop, to row: inout PackedRowWriter) {
        row.clear()
        row.put(stop.code)
        row.put(stop.name)
        row.put(stop.platform)
        row.put(stop.timezone)
        row.put(UInt64(stop.wheelchair.rawValue))
    }

    /// Returns a stop without its parent and its coordinate.
    private static func stop(_ id: String, _ kind: Stop.Kind, _ row: inout PackedRowReader) -> Stop {
        let (code, name, platform, timezone) = (row.text(), row.text(), row.text(), row.text())
        return Stop(
            id: StopID(id), code: code, name: name ?? "", kind: kind, platform: platform, timezone: timezone,
            wheelchair: Accessibility(rawValue: UInt8(truncatingIfNeeded: row.number())) ?? .unknown)
    }

    // MARK: Kept stops

    /// Loads the stops that are kept, and reports the number of the others. The stations of used stops are kept, too.
    ///
    /// - Parameter isUsed: Whether any trip calls at each stop.
    mutating func keep(isUsed: [Bool], _ context: ReadingContext) throws(FeedError) -> RowSelection {
        let parents = parents
        func parent(_ position: Int) -> Int? { parents[position] == Self.noParent ? nil : Int(parents[position]) }
        var isNeeded = isUsed
        for position in isUsed.indices where isUsed[position] {
            var next = parent(position)
            while let station = next {
                isNeeded[station] = true
                next = parent(station)
            }
        }
        let selection = RowSelection(isUsed: isNeeded, parents: parent)
        try load(selection, isKept: { _ in true })
        if selection.leftOutCount > 0 {
            context.add(
                "too_many_unused_stops", .warning, at: .init(file: StopColumn.file), count: selection.leftOutCount,
                "The feed has many more stops without trips than stops with trips; only some of them are kept")
        }
        return selection
    }

    /// Loads the kept stops and the other stops at which kept trips call, with their stations.
    ///
    /// - Parameters:
    ///   - isKept: Whether each stop has a board.
    ///   - isUsed: Whether any kept trip calls at each stop.
    mutating func keep(_ isKept: [Bool], isUsed: [Bool]) throws(FeedError) -> RowSelection {
        var isNeeded = zip(isKept, isUsed).map { $0 || $1 }
        for position in isNeeded.indices where isNeeded[position] {
            var next = parent(of: position)
            while let station = next {
                isNeeded[station] = true
                next = parent(of: station)
            }
        }
        let selection = RowSelection(keeping: isNeeded)
        try load(selection, isKept: { isKept[$0] })
        return selection
    }

    /// Returns the position of the parent of a stop in the source.
    func parent(of position: Int) -> Int? {
        parents[position] == Self.noParent ? nil : Int(parents[position])
    }

    private mutating func load(_ selection: RowSelection, isKept: (Int) -> Bool) throws(FeedError) {
        var kept: [Stop] = []
        kept.reserveCapacity(selection.keptCount)
        let isComplete = rows.read { number, row in
            guard selection[UInt32(number)] != nil else { return }
            var stop = Self.stop(ids.text(UInt32(number)), kinds[number], &row)
            stop.coordinate = coordinates[number]
            stop.isKept = isKept(number)
            stop.parent = parent(of: number).flatMap { selection[UInt32($0)] }.map { StopIndex($0) }
            kept.append(stop)
        }
        guard isComplete else { throw PackedRows.unreadable }
        rows = PackedRows(folder: nil)
        self.selection = selection
        stops = kept
        inherit()
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
    private mutating func linkParents(_ references: ParentReferences, _ context: ReadingContext) {
        parents = [UInt32](repeating: Self.noParent, count: count)
        for position in kinds.indices {
            let kind = kinds[position]
            guard references.numbers[position] > 0 else {
                if kind == .entrance || kind == .node || kind == .boardingArea {
                    report("location_without_parent_station", .warning, position, nil, context) {
                        "“\($0)” is part of a station, but its parent_station is empty"
                    }
                }
                continue
            }
            let id = references.ids.text(references.numbers[position] - 1)
            if let parent = validParent(id, of: position, Int(references.lines[position]), context) {
                parents[position] = parent
            }
        }
    }

    /// Returns the parent if it has the `location_type` that the GTFS reference requires. This check also prevents
    /// cycles.
    private func validParent(
        _ id: String, of position: Int, _ line: Int, _ context: ReadingContext
    ) -> UInt32? {
        var text = id
        guard let parent = text.withUTF8({ ids.find($0) }) else {
            report("foreign_key_violation", .error, position, line, context) {
                "stops.txt lacks the parent_station “\(FieldValue.excerpt(id))” of “\($0)”"
            }
            return nil
        }
        let kind = kinds[position]
        guard kind != .station else {
            report("station_with_parent_station", .error, position, line, context) {
                "The station “\($0)” has a parent_station, which is ignored"
            }
            return nil
        }
        guard kinds[Int(parent)] == (kind == .boardingArea ? .platform : .station) else {
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
            message(FieldValue.excerpt(ids.text(UInt32(position)))))
    }

    /// Gives children without a position that of their parent. Boarding areas belong to platforms, so they come last.
    private mutating func inheritCoordinates() {
        func inherit(_ position: Int) {
            guard coordinates[position] == nil, parents[position] != Self.noParent else { return }
            coordinates[position] = coordinates[Int(parents[position])]
        }
        for position in kinds.indices where kinds[position] != .boardingArea { inherit(position) }
        for position in kinds.indices where kinds[position] == .boardingArea { inherit(position) }
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
            if stops[position].name.isEmpty { stops[position].name = parent.name }
        }
        if stops[position].name.isEmpty { stops[position].name = stops[position].code ?? stops[position].id.rawValue }
    }
}
