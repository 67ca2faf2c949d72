internal import TransitModel

/// Completes the reading of a feed of which only a part is kept (`FeedSubset`): finds out what the kept trips refer to,
/// and removes everything else.
struct PartialReading {
    let subset: FeedSubset
    let files: FeedFiles
    /// The stops near the places of `keep`; `nil` if the stops of all kept trips are kept.
    let nearby: [Bool]?

    init(_ subset: FeedSubset, _ stops: StopsTable, _ files: FeedFiles) throws(FeedError) {
        self.subset = subset
        self.files = files
        nearby =
            subset.places.isEmpty
            ? nil : try KeptStops(near: subset.places, radius: subset.radius, stops, files).isKept
    }

    /// The kept rows of the tables.
    struct Result {
        var services: [Service]
        var shapes: ShapeColumns
        var summary: TimetableSummary.Subset
    }

    /// Removes what no kept trip refers to. Must be called after the stop times were read.
    ///
    /// - Parameter shapeIDs: The identifiers to which the `shape` of each trip refers.
    func complete(
        _ builder: inout TimetableBuilder, _ stops: inout StopsTable, _ routes: inout RoutesTable,
        _ services: [Service], shapeIDs: ByteInterner
    ) throws(FeedError) -> Result {
        let usage = builder.usage(
            .init(
                stops: stops.count, routes: routes.routes.count, services: services.count, shapes: shapeIDs.count))
        guard usage.tripCount > 0 else {
            throw files.refusal(
                "keep_without_trips", .init(file: StopTimeColumn.file),
                nearby == nil
                    ? "No trip that is kept has two usable stop times" : "No trip calls at a stop that is kept")
        }
        let isKept = nearby ?? KeptStops(calledAt: usage.stops, stops).isKept
        let stopsInSource = stops.count
        builder.keepStops(try stops.keep(isKept, isUsed: usage.stops))
        builder.renumberRoutes(routes.narrow(to: usage.routes))
        let keptServices = RowSelection(keeping: usage.services)
        let (shapes, shapePositions) = try self.shapes(shapeIDs, usage.shapes)
        builder.renumberTrips(services: keptServices, shapes: shapePositions)
        return Result(
            services: zip(services, usage.services).filter(\.1).map(\.0), shapes: shapes,
            summary: TimetableSummary.Subset(
                rule: subset.description, stops: isKept.count { $0 }, stopsInSource: stopsInSource,
                tripsInSource: builder.sourceTripCount))
    }

    /// Reads the shapes of the kept trips. Returns them with the position of each shape of trips.txt.
    private func shapes(
        _ ids: ByteInterner, _ isUsed: [Bool]
    ) throws(FeedError) -> (ShapeColumns, [ShapeIndex?]) {
        let table = try ShapesTable(files) { id in ids.find(id).map { isUsed[Int($0)] } ?? false }
        let positions = isUsed.indices.map { number -> ShapeIndex? in
            guard isUsed[number] else { return nil }
            let found = ids.withBytes(of: UInt32(number)) { table.index(of: $0) }
            if found == nil {
                files.context.add(
                    "foreign_key_violation", .error, at: .init(file: TripColumn.file, field: TripColumn.shape.name),
                    "shapes.txt lacks the shape_id “\(FieldValue.excerpt(ids.text(UInt32(number))))”; its trips have no shape"
                )
            }
            return found
        }
        return (table.columns(), positions)
    }
}
