internal import TransitModel

/// The vehicle that riders are on board of when a search begins.
struct RiddenVehicle {
    /// The position of the feed in the search.
    var feed: Int
    var vehicle: Vehicle
    /// The call from which riders are on board.
    var position: Int

    /// Returns `nil` if the trip does not run, or if the feed does not have it.
    init?(_ ride: JourneyQuery.Ride, in feeds: [SearchedFeed]) {
        guard feeds.indices.contains(ride.feed), let found = feeds[ride.feed].vehicle(of: ride.call),
            found.position < feeds[ride.feed].callCount(of: found.vehicle)
        else { return nil }
        feed = ride.feed
        (vehicle, position) = found
    }
}

extension SearchedFeed {
    /// Returns the vehicle of a call, and the position of the call in its trip.
    fileprivate func vehicle(of call: ExpectedCall) -> (vehicle: Vehicle, position: Int)? {
        switch call.subject {
        case .scheduled(let scheduled):
            guard let key = call.tripInstance else { return nil }
            let reported = reportedVehicle { realtime, trip in realtime.key(of: trip) == key }
            return (reported ?? scheduledVehicle(key)).map { ($0, scheduled.position) }
        case .extra(let trip, let position):
            let found = reportedVehicle { realtime, number in
                realtime.extraTrip(of: number).map { $0.name == trip.name && $0.serviceDate == trip.serviceDate }
                    ?? false
            }
            guard let found, let current = realtime?.extraTrip(of: found.trip) else { return nil }
            // A later message may lack calls that the vehicle has passed.
            let call = trip.calls[position]
            return current.calls.firstIndex { $0.stop == call.stop && $0.sequence == call.sequence }.map { (found, $0) }
        }
    }

    private func reportedVehicle(where isWanted: (JourneyRealtime, Int) -> Bool) -> Vehicle? {
        guard let realtime else { return nil }
        for (number, line) in realtime.tables.lines.enumerated() {
            if let trip = line.trips.first(where: { isWanted(realtime, $0) }) {
                return Vehicle(line: number, trip: trip, day: 0, isReported: true)
            }
        }
        return nil
    }

    /// Returns a trip of the network that runs on its service date and is not replaced by realtime data about it.
    private func scheduledVehicle(_ key: TripInstanceKey) -> Vehicle? {
        for route in network.routes(of: key.pattern.position) {
            let days = days(ofRoute: routes[route].route)
            guard let day = days.first(where: { self.days[$0].date == key.serviceDate }) else { continue }
            for trip in network.trips(of: route) where self.key(trip, ofRoute: route, key.serviceDate) == key {
                guard isActive(trips[trip].service, on: day), !isHidden(trip, ofRoute: route, key.serviceDate) else {
                    continue
                }
                return Vehicle(line: route, trip: trip, day: day, isReported: false)
            }
        }
        return nil
    }
}
