internal import TransitModel

enum RouteColumn: Int, TableColumn {
    case id, agency, shortName, longName, type, color, textColor, sortOrder

    static let file = "routes.txt"
    static let names = [
        "route_id", "agency_id", "route_short_name", "route_long_name", "route_type", "route_color", "route_text_color",
        "route_sort_order",
    ]
    static let ignoredNames = [
        "route_desc", "route_url", "continuous_pickup", "continuous_drop_off", "network_id", "cemv_support",
    ]
    static let required: [RouteColumn] = [.id, .type]
}

/// Reads routes.txt. The rows are stored outside memory until ``keep(_:_:)``, when it is known which routes have trips.
struct RoutesTable {
    /// The kept routes. Empty before ``keep(_:_:)``.
    private(set) var routes: [Route] = []
    private var ids = ByteInterner()
    private var rows: PackedRows
    private var packer = PackedRowWriter()
    private var selection: RowSelection?
    /// Whether each route of the source is kept; `nil` to keep all.
    private(set) var isKept: [Bool]?

    /// Reads the table. Throws ``FeedError/refused(reason:report:)`` if there are no usable routes.
    ///
    /// - Parameters:
    ///   - subset: The part of the feed to keep; `nil` for all of it.
    ///   - folder: The folder for an unnamed file that holds the rows, or `nil` to keep them in memory.
    init(
        _ files: FeedFiles, _ agencies: AgencyTable, subset: FeedSubset? = nil, folder: String? = nil
    ) throws(FeedError) {
        rows = PackedRows(folder: folder)
        var filter = subset.flatMap { RouteFilter($0, agencies.agencies) }
        try files.read(RouteColumn.self) { row throws(FeedError) in
            append(row, agencies, files.context, &filter)
        }
        isKept = filter?.isKept
        filter?.report(files.context)
        guard ids.count > 0 else {
            throw files.refusal(
                "no_usable_routes", .init(file: RouteColumn.file), "The feed has no routes", blamed: [RouteColumn.file])
        }
    }

    /// The number of routes in the source.
    var count: Int { ids.count }

    /// Returns the position of a route in the timetable, and before ``keep(_:_:)`` its position in the source.
    func index(of id: UnsafeBufferPointer<UInt8>) -> RouteIndex? {
        guard let number = ids.find(id) else { return nil }
        guard let selection else { return RouteIndex(number) }
        return selection[number].map { RouteIndex($0) }
    }

    /// Whether the source has a route with an identifier, even if the route is not kept.
    func contains(_ id: UnsafeBufferPointer<UInt8>) -> Bool { ids.find(id) != nil }

    /// Whether the route at a position in the source has an identifier.
    @inline(__always)
    func matches(_ route: RouteIndex, _ id: UnsafeBufferPointer<UInt8>) -> Bool { ids.matches(route.rawValue, id) }

    /// Loads the routes that are kept, and reports the number of the others.
    mutating func keep(_ selection: RowSelection, _ context: ReadingContext) throws(FeedError) {
        self.selection = selection
        var kept: [Route] = []
        kept.reserveCapacity(selection.keptCount)
        let isComplete = rows.read { number, row in
            if selection[UInt32(number)] != nil { kept.append(Self.route(ids.text(UInt32(number)), &row)) }
        }
        guard isComplete else { throw PackedRows.unreadable }
        rows = PackedRows(folder: nil)
        routes = kept
        guard selection.leftOutCount > 0 else { return }
        context.add(
            "too_many_unused_routes", .warning, at: .init(file: RouteColumn.file), count: selection.leftOutCount,
            "The feed has many more routes without trips than routes with trips; only some of them are kept")
    }

    /// Keeps only some of the routes that were kept so far.
    ///
    /// - Parameter isUsed: Whether to keep each of ``routes``.
    mutating func narrow(to isUsed: [Bool]) -> RowSelection {
        let narrow = RowSelection(keeping: isUsed)
        selection = (selection ?? RowSelection(isUsed: [])).keeping(narrow, of: count)
        routes = zip(routes, isUsed).filter(\.1).map(\.0)
        return narrow
    }

    private static func pack(_ route: Route, to row: inout PackedRowWriter) {
        row.clear()
        row.put(UInt64(route.agency.rawValue))
        row.put(route.shortName)
        row.put(route.longName)
        row.put(UInt64(route.type))
        row.put(route.color)
        row.put(route.textColor)
        row.put(route.sortOrder.map { UInt64($0) + 1 } ?? 0)
    }

    private static func route(_ id: String, _ row: inout PackedRowReader) -> Route {
        let agency = AgencyIndex(UInt32(truncatingIfNeeded: row.number()))
        let (shortName, longName) = (row.text(), row.text())
        let type = Int(row.number())
        let (color, textColor) = (row.text(), row.text())
        let order = row.number()
        return Route(
            id: RouteID(id), agency: agency, shortName: shortName, longName: longName, type: type, color: color,
            textColor: textColor, sortOrder: order == 0 ? nil : Int(order - 1))
    }

    private mutating func append(
        _ row: borrowing CSVRow, _ agencies: AgencyTable, _ context: ReadingContext, _ filter: inout RouteFilter?
    ) {
        guard context.has(row, RouteColumn.id) else { return }
        guard ids.find(row[RouteColumn.id]) == nil else { return context.rejectDuplicate(row, RouteColumn.id) }
        guard let agency = agency(row, agencies, context) else { return }
        _ = ids.intern(row[RouteColumn.id])
        let route = Route(
            id: RouteID(row.text(RouteColumn.id.rawValue)), agency: agency,
            shortName: context.text(row, RouteColumn.shortName), longName: context.text(row, RouteColumn.longName),
            type: type(row, context), color: context.color(row, RouteColumn.color),
            textColor: context.color(row, RouteColumn.textColor),
            sortOrder: context.integer(row, RouteColumn.sortOrder, in: 0...Int(Int32.max)))
        if route.shortName == nil, route.longName == nil {
            context.reject(
                row, RouteColumn.shortName, "route_both_short_and_long_name_missing", .warning,
                "The route has neither a short nor a long name; its route_id is shown")
        }
        filter?.add(route)
        Self.pack(route, to: &packer)
        rows.append(packer)
    }

    /// Returns the agency of a route, which determines its time zone. If the agency is missing or unknown and all
    /// agencies have the same zone, the first agency is used so that the route is not dropped.
    private func agency(
        _ row: borrowing CSVRow, _ agencies: AgencyTable, _ context: ReadingContext
    ) -> AgencyIndex? {
        let id = row[RouteColumn.agency]
        if let agency = agencies.index(of: id) { return agency }
        if id.isEmpty, agencies.agencies.count == 1 { return AgencyIndex(0) }
        let isCertain = agencies.haveSameTimeZone
        let consequence = isCertain ? "the first agency is assumed" : "the route is skipped"
        if id.isEmpty {
            context.reject(
                row, RouteColumn.agency, "missing_required_field", .error,
                "agency_id is empty although there are several agencies; \(consequence)")
        } else {
            context.rejectReference(row, RouteColumn.agency, to: AgencyColumn.file, consequence)
        }
        return isCertain ? AgencyIndex(0) : nil
    }

    /// Returns the type of a route. A missing or invalid type is read as bus.
    private func type(_ row: borrowing CSVRow, _ context: ReadingContext) -> Int {
        let bytes = row[RouteColumn.type]
        if let value = FieldValue.integer(bytes), FieldValue.isRouteType(value) { return value }
        if bytes.isEmpty {
            context.reject(
                row, RouteColumn.type, "missing_required_field", .error, "route_type is empty; 3 (bus) is assumed")
        } else {
            context.rejectValue(
                row, RouteColumn.type, "unexpected_enum_value", "is not a valid value; 3 (bus) is assumed")
        }
        return 3
    }
}
