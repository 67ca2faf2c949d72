internal import TransitModel

enum TripColumn: Int, TableColumn {
    case route, service, id, headsign, shortName, direction, block, shape, wheelchair, bikes

    static let file = "trips.txt"
    static let names = [
        "route_id", "service_id", "trip_id", "trip_headsign", "trip_short_name", "direction_id", "block_id", "shape_id",
        "wheelchair_accessible", "bikes_allowed",
    ]
    static let ignoredNames = ["cars_allowed", "safe_duration_factor", "safe_duration_offset"]
    static let required: [TripColumn] = [.route, .service, .id]
}

/// Reads trips.txt and adds the trips to a ``TimetableBuilder``.
struct TripsTable {
    private let routes: RoutesTable
    private let services: CalendarDatesTable
    private let shapes: ShapesTable?
    /// Whether each route is kept; `nil` to keep all.
    private let isRouteKept: [Bool]?
    /// The identifiers of shapes, if shapes.txt is read later.
    private(set) var shapeIDs = ByteInterner()
    private let context: ReadingContext
    /// The identifiers of skipped trips. The stop times of these trips are not reported as references to unknown trips.
    private(set) var skipped = ByteInterner()
    /// The values in the previous row, which most rows repeat.
    private var previous = (route: RouteIndex(0), service: ServiceIndex(0), shape: ShapeIndex(0), headsign: UInt32(0))

    /// Reads the table. Throws ``FeedError/refused(reason:report:)`` if there are no usable trips.
    ///
    /// - Parameters:
    ///   - shapes: The shapes; `nil` if they are read later. The trips then refer to ``shapeIDs``.
    ///   - isRouteKept: Whether to keep the trips of each route; `nil` to keep all.
    init(
        _ files: FeedFiles, _ routes: RoutesTable, _ services: CalendarDatesTable, _ shapes: ShapesTable?,
        isRouteKept: [Bool]? = nil, into builder: inout TimetableBuilder
    ) throws(FeedError) {
        self.routes = routes
        self.services = services
        self.shapes = shapes
        self.isRouteKept = isRouteKept
        context = files.context
        try files.read(TripColumn.self) { row throws(FeedError) in append(row, to: &builder) }
        guard builder.tripCount > 0 || builder.sourceTripCount == 0 else {
            throw files.refusal(
                "keep_without_trips", .init(file: TripColumn.file),
                "No trip of the feed belongs to the routes that `keep` names")
        }
        guard builder.tripCount > 0 else {
            throw files.refusal(
                "no_usable_trips", .init(file: TripColumn.file), "The feed has no usable trips",
                blamed: [TripColumn.file])
        }
    }

    private mutating func append(_ row: borrowing CSVRow, to builder: inout TimetableBuilder) {
        guard context.has(row, TripColumn.id) else { return }
        guard let route = route(row), let service = service(row) else {
            _ = skipped.intern(row[TripColumn.id])
            return
        }
        if let isRouteKept, !isRouteKept[route.position] {
            if builder.trip(row[TripColumn.id]) == nil {
                builder.addOutsideTrip(row[TripColumn.id])
            } else {
                context.rejectDuplicate(row, TripColumn.id)
            }
            return
        }
        var trip = TripAttributes(route: route, service: service, direction: direction(row))
        trip.headsign = headsign(row, &builder)
        trip.shortName = text(row, .shortName, &builder)
        trip.block = text(row, .block, &builder)
        trip.shape = shape(row)
        trip.wheelchair = context.choice(row, TripColumn.wheelchair, absent: Accessibility.unknown)
        trip.bikes = context.choice(row, TripColumn.bikes, absent: Accessibility.unknown)
        if builder.addTrip(row[TripColumn.id], trip) == nil { context.rejectDuplicate(row, TripColumn.id) }
    }

    private mutating func route(_ row: borrowing CSVRow) -> RouteIndex? {
        let id = row[TripColumn.route]
        if routes.matches(previous.route, id) { return previous.route }
        guard context.has(row, TripColumn.route) else { return nil }
        guard let route = routes.index(of: id) else {
            context.rejectReference(row, TripColumn.route, to: RouteColumn.file, "the trip is skipped")
            return nil
        }
        previous.route = route
        return route
    }

    private mutating func service(_ row: borrowing CSVRow) -> ServiceIndex? {
        let id = row[TripColumn.service]
        if services.matches(previous.service, id) { return previous.service }
        guard context.has(row, TripColumn.service) else { return nil }
        guard let service = services.index(of: id) else {
            context.rejectReference(
                row, TripColumn.service, to: "calendar.txt or calendar_dates.txt", "the trip is skipped")
            return nil
        }
        previous.service = service
        return service
    }

    private mutating func shape(_ row: borrowing CSVRow) -> ShapeIndex? {
        let id = row[TripColumn.shape]
        guard !id.isEmpty else { return nil }
        guard let shapes else {
            if !shapeIDs.matches(previous.shape.rawValue, id) {
                previous.shape = ShapeIndex(shapeIDs.intern(id).number)
            }
            return previous.shape
        }
        if shapes.matches(previous.shape, id) { return previous.shape }
        guard let shape = shapes.index(of: id) else {
            context.rejectReference(row, TripColumn.shape, to: ShapeColumn.file, "the trip has no shape")
            return nil
        }
        previous.shape = shape
        return shape
    }

    private func direction(_ row: borrowing CSVRow) -> Direction? {
        let value = row[TripColumn.direction]
        guard !value.isEmpty else { return nil }
        if value.count == 1, let direction = Direction(rawValue: value[0] &- 0x30) { return direction }
        context.rejectValue(row, TripColumn.direction, "unexpected_enum_value", "is neither 0 nor 1")
        return nil
    }

    private mutating func headsign(_ row: borrowing CSVRow, _ builder: inout TimetableBuilder) -> TextIndex? {
        let text = row[TripColumn.headsign]
        guard !text.isEmpty else { return nil }
        if !builder.texts.matches(previous.headsign, text) { previous.headsign = builder.texts.intern(text).number }
        return TextIndex(previous.headsign)
    }

    private func text(
        _ row: borrowing CSVRow, _ column: TripColumn, _ builder: inout TimetableBuilder
    ) -> TextIndex? {
        let text = row[column]
        return text.isEmpty ? nil : TextIndex(builder.texts.intern(text).number)
    }
}
