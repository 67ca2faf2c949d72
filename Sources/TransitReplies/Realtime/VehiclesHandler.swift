package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries
internal import TransitStore

/// Handles `vehicles`.
package struct VehiclesHandler: QueryHandler {
    package init() {}

    package func reply(to parameters: VehiclesParameters, _ context: QueryContext) throws -> VehiclesResult {
        let page = try PageRange(cursor: parameters.cursor, count: parameters.count)
        let query = try VehiclesQuery(parameters, context)
        let found = query.vehicles()
        return VehiclesResult(
            at: context.at,
            vehicles: try page.slice(of: found).map { (found) throws(StoreError) in
                try VehicleSummary(found, context, language: parameters.language)
            }, nextCursor: page.next(among: found.count),
            notices: context.realtimeNotices(
                try context.feeds(named: parameters.feed), publishing: "vehicle positions"))
    }
}

extension VehiclesQuery {
    package init(_ parameters: VehiclesParameters, _ context: QueryContext) throws {
        try self.init(
            feed: parameters.feed, route: parameters.route, stop: parameters.stop, trip: parameters.trip, context)
    }
}

extension VehicleSummary {
    fileprivate init(_ found: FoundVehicle, _ context: QueryContext, language: String?) throws(StoreError) {
        let (vehicle, timetable, call) = (found.vehicle, found.timetable, found.call)
        let names = NameRenderer(timetable, language: language)
        let position = vehicle.position
        let pattern = found.pattern
        let measured = found.measured
        var summary = VehicleSummary(
            feed: timetable.feed, id: position.vehicle?.id?.rawValue, label: position.vehicle?.label,
            trip: position.trip?.tripID, isMatched: vehicle.tripInstance != nil || vehicle.variant != nil,
            serviceDate: vehicle.tripInstance?.serviceDate ?? position.trip?.startDate,
            directionId: (pattern?.direction ?? position.trip?.direction).map { Int($0.rawValue) },
            position: position.coordinate.map { Position($0) }, bearing: position.bearing.map { Double($0) },
            speed: position.speed.map { Double($0) }, occupancy: position.occupancy.flatMap { OccupancyLevel($0) },
            occupancyPercentage: position.occupancyPercentage.map { Int($0) },
            timestamp: measured.map { Timestamp($0, in: timetable.zone) },
            age: measured.map { max(0, $0.seconds(to: context.now)) })
        if let trip = vehicle.tripInstance?.trip ?? vehicle.variant?.trip, let pattern {
            summary.route = try names.route(pattern.route)
            summary.headsign = try names.names.headsign(of: try timetable.file.trip(trip), pattern: pattern)
            if let progress = vehicle.progress, pattern.calls.indices.contains(progress.call) {
                summary.status = VehicleStatus(progress.state)
                summary.stop = try names.callStop(pattern.calls[progress.call].stop)
                summary.stopsAway = call.flatMap { progress.stopsAway(from: $0) }
            }
            summary.delay = try found.delay(context)
        } else if let route = found.route(on: pattern) {
            summary.route = try names.route(route)
        }
        summary.noDepartureReason = vehicle.exclusion.map { VehicleExclusionReason($0) }
        self = summary
    }

}

extension QueryContext {
    /// Returns the feeds' notices, including one for each feed without realtime data, because an empty list then does
    /// not mean that there are none.
    ///
    /// - Parameter data: What the list contains, such as "alerts".
    func realtimeNotices(_ feeds: [FeedView], publishing data: String) -> [Notice] {
        feeds.filter { !$0.source.hasRealtime }.map {
            Notice(kind: .missing, feed: $0.id, message: "\($0.id) publishes no \(data).")
        } + FeedNotices(now: now).about(feeds)
    }
}
