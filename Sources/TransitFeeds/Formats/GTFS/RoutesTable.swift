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

/// Reads routes.txt.
struct RoutesTable {
    private(set) var routes: [Route] = []
    private var ids = ByteInterner()

    /// Reads the table. Throws ``FeedError/refused(reason:report:)`` if there are no usable routes.
    init(_ files: FeedFiles, _ agencies: AgencyTable) throws(FeedError) {
        try files.read(RouteColumn.self) { row throws(FeedError) in
            append(row, agencies, files.context)
        }
        guard !routes.isEmpty else {
            throw files.refusal(
                "no_usable_routes", .init(file: RouteColumn.file), "The feed has no routes", blamed: [RouteColumn.file])
        }
    }

    func index(of id: UnsafeBufferPointer<UInt8>) -> RouteIndex? { ids.find(id).map { RouteIndex($0) } }

    @inline(__always)
    func matches(_ route: RouteIndex, _ id: UnsafeBufferPointer<UInt8>) -> Bool { ids.matches(route.rawValue, id) }

    private mutating func append(_ row: borrowing CSVRow, _ agencies: AgencyTable, _ context: ReadingContext) {
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
        routes.append(route)
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
