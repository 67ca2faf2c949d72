package import TransitEngine
package import TransitModel
package import TransitStore

/// The vehicles of some feeds, of some routes, on the way to a stop, or of a trip.
package struct VehiclesQuery {
    private let feeds: [FeedView]
    private let now: Instant
    private var trip: TripID?
    /// The timetable of the requested stop or routes; `nil` for any.
    private var timetable: Timetable?
    private var stops: Set<StopIndex>?
    private var routes: Set<RouteIndex>?

    /// - Parameters:
    ///   - feed: The feed of the vehicles; `nil` for all.
    ///   - route: A text that ``RouteFinder`` accepts.
    ///   - stop: A text that ``StopFinder`` accepts.
    ///   - trip: A trip's identifier, or that of a departure.
    /// - Throws: The errors of the finders.
    package init(feed: FeedID?, route: String?, stop: String?, trip: String?, _ context: QueryContext) throws {
        feeds = try context.feeds(named: feed)
        now = context.now
        self.trip = trip.map { text in DepartureID(text)?.trip ?? TripID(text) }
        guard route != nil || stop != nil else { return }
        let timetables = try QueryContext.timetables(of: feeds, naming: stop ?? route)
        if let stop {
            let found = try StopFinder(timetables, context).find(stop)
            timetable = found.timetable
            stops = Set(try found.callingStops())
        }
        if let route {
            let timetable = try self.timetable ?? RouteFinder(timetables).find(route).timetable
            self.timetable = timetable
            routes = try RouteFinder([timetable]).routes(named: route)
        }
    }

    /// Returns the vehicles in the order of the feeds and of their messages.
    package func vehicles() -> [FoundVehicle] {
        var found: [FoundVehicle] = []
        for feed in feeds {
            guard let timetable = feed.timetable, let realtime = feed.realtime else { continue }
            for vehicle in (realtime.vehicles ?? realtime.tripUpdates)?.vehicles ?? [] {
                var one = FoundVehicle(vehicle: vehicle, timetable: timetable, feed: feed)
                if matches(&one) { found.append(one) }
            }
        }
        return found
    }

    private func matches(_ found: inout FoundVehicle) -> Bool {
        if let trip, found.vehicle.position.trip?.tripID != trip { return false }
        guard let timetable else { return true }
        guard found.timetable === timetable else { return false }
        let pattern = found.pattern
        if let routes {
            // A vehicle may have a route but no trip, as in Warsaw.
            guard let route = found.route(on: pattern), routes.contains(route) else { return false }
        }
        guard let stops else { return true }
        guard let pattern else { return false }
        let next = found.vehicle.progress?.call ?? 0
        found.call = pattern.calls.indices.first { $0 >= next && stops.contains(pattern.calls[$0].stop) }
        return found.call != nil
    }
}

/// A vehicle of a feed.
package struct FoundVehicle {
    package var vehicle: RealtimeVehicle
    package var timetable: Timetable
    package var feed: FeedView
    /// The position of the call at the requested stop; `nil` if no stop is requested.
    package var call: Int?

    fileprivate init(vehicle: RealtimeVehicle, timetable: Timetable, feed: FeedView) {
        self.vehicle = vehicle
        self.timetable = timetable
        self.feed = feed
    }

    package var pattern: Pattern? {
        // A pattern that cannot be read causes an error in the next query about its stops.
        (vehicle.tripInstance?.pattern ?? vehicle.variant?.pattern).flatMap { try? timetable.file.pattern($0) }
    }

    /// Returns the route of the vehicle's trip or, without a trip, the route that the vehicle reports.
    package func route(on pattern: Pattern?) -> RouteIndex? {
        pattern?.route ?? vehicle.position.trip?.routeID.flatMap { timetable.file.route(id: $0) }
    }

    /// The time of the position.
    package var measured: Instant? { feed.realtime?.measured(vehicle) }

    /// Returns the delay in seconds at the vehicle's current or next call. A last known prediction is not a current
    /// delay.
    package func delay(_ context: QueryContext) throws(StoreError) -> Int? {
        guard let instance = vehicle.tripInstance, let call = vehicle.progress?.call, let realtime = feed.realtime,
            let place = try timetable.file.locate(instance.trip)
        else { return nil }
        // The call is looked up on a board of the other feed.
        if try context.pair(of: timetable) != nil { context.beginSlowWork() }
        let scheduled = ScheduledCall(
            instance, pattern: place.pattern, timingGroup: place.timingGroup, tripPosition: place.position,
            position: call,
            zone: timetable.zone(of: place.pattern.route))
        guard let expected = realtime.expected(scheduled, of: instance, now: context.now) else { return nil }
        let merged = try context.merged(expected, of: timetable).belonging(to: timetable).call
        return merged.isLastKnown ? nil : merged.delay
    }
}

extension ScheduledCall {
    /// Creates the call of a trip instance from its key.
    init(
        _ instance: TripInstanceKey, pattern: Pattern, timingGroup: Int, tripPosition: Int, position: Int,
        zone: ServiceZone
    ) {
        let row = instance.frequencyStart.flatMap { start in
            pattern.frequencies(ofTimingGroup: timingGroup).first { row in
                Int(row.trip) == tripPosition && row.start <= start.seconds && start.seconds < row.end
            }
        }
        let place = pattern.tripRange(ofTimingGroup: timingGroup).lowerBound + tripPosition
        let start = instance.frequencyStart ?? ServiceTime(seconds: pattern.column(.starts)[place])
        let begin = zone.instant(of: start, on: instance.serviceDate)
        self.init(
            pattern: pattern, timingGroup: timingGroup, tripPosition: tripPosition, serviceDate: instance.serviceDate,
            position: position, start: begin, frequency: row.map { (start, $0) })
    }
}
