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

extension DirectTrips.Found {
    /// Whether riders with requirements use the vehicle and the stops where they board and alight.
    func isAllowed(by options: JourneyOptions, _ context: QueryContext) throws(StoreError) -> Bool {
        guard try merged.isAllowed(by: options, context) else { return false }
        guard options.wheelchair else { return true }
        let board = try merged.timetable.journeyFacts.accessibility(of: merged.call.stop, in: merged.timetable)
        guard options.allows(stop: board) else { return false }
        guard let stop = directTrip.arrival?.stop else { return true }
        return options.allows(stop: try arrivalTimetable.journeyFacts.accessibility(of: stop, in: arrivalTimetable))
    }

    /// Whether the vehicle or a stop may not meet a requirement, because nothing is stated about it.
    package func isUncertain(for options: JourneyOptions, _ context: QueryContext) throws(StoreError) -> Bool {
        let arrival = directTrip.arrival.map { ($0.stop, arrivalTimetable) }
        return try merged.isUncertain(for: options, arriving: arrival, context)
    }
}

extension Journey.Leg {
    /// Whether the vehicle or a stop may not meet a requirement, because nothing is stated about it.
    package func isUncertain(for options: JourneyOptions, _ context: QueryContext) throws(StoreError) -> Bool {
        try departure.isUncertain(for: options, arriving: (arrival.stop, departure.timetable), context)
    }
}

extension MergedDeparture {
    fileprivate func isUncertain(
        for options: JourneyOptions, arriving arrival: (stop: StopIndex, timetable: Timetable)?, _ context: QueryContext
    ) throws(StoreError) -> Bool {
        if options.isEmpty { return false }
        let vehicle = try accessibility(context)
        if options.bicycles, vehicle.bikes == .unknown { return true }
        guard options.wheelchair else { return false }
        if vehicle.wheelchair == .unknown { return true }
        let stops = [(call.stop, timetable)] + [arrival].compactMap(\.self)
        for (stop, timetable) in stops
        where try timetable.journeyFacts.accessibility(of: stop, in: timetable) == .unknown { return true }
        return false
    }
}
