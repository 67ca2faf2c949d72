package import TransitEngine
package import TransitModel
package import TransitStore

extension MergedDeparture {
    /// Whether the vehicle accommodates wheelchairs and bicycles, as departures on the wire state it.
    package func accessibility(_ context: QueryContext) throws(StoreError) -> TripAccessibility {
        let planned: TripAccessibility
        switch call.subject {
        case .scheduled(let scheduled):
            planned = TripAccessibility(try timetable.cachedTrip(scheduled.trip).trip)
        case .extra(let trip, _):
            let way = try (trip.variantTrip ?? trip.replaced?.trip).map { (way) throws(StoreError) in
                try timetable.file.trip(way)
            }
            planned = way.map { TripAccessibility($0) } ?? TripAccessibility()
        }
        return planned.served(by: context.realtime(timetable)?.vehicle(of: call, now: context.now)?.position.vehicle)
    }

    /// Whether riders with requirements use the vehicle.
    func isAllowed(by options: JourneyOptions, _ context: QueryContext) throws(StoreError) -> Bool {
        if options.isEmpty { return true }
        let mode = route.flatMap { timetable.route($0) }.map { TransportMode(routeType: $0.type) }
        guard options.allows(mode) else { return false }
        return options.allows(try accessibility(context))
    }
}

extension Journey.Leg {
    /// Whether a vehicle or a stop may not meet a requirement, because nothing is stated about it.
    package func isUncertain(for options: JourneyOptions, _ context: QueryContext) throws(StoreError) -> Bool {
        let vehicle = try departure.accessibility(context)
        if options.bicycles, vehicle.bikes == .unknown { return true }
        guard options.wheelchair else { return false }
        if vehicle.wheelchair == .unknown { return true }
        for stop in [departure.call.stop, arrival.stop] {
            if try departure.timetable.cachedStop(stop).stop.wheelchair == .unknown { return true }
        }
        return false
    }
}
