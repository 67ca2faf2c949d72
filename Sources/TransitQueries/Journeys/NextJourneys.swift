internal import TransitEngine
package import TransitModel
package import TransitStore

/// The journeys that belong beside the direct trips of a commute.
package struct NextJourneys {
    /// A direct trip that a journey beats: it arrives earlier and does not leave earlier, or leaves later and arrives no
    /// later.
    package struct BeatenTrip: Hashable, Sendable {
        /// The position in ``DirectTripsResult/directTrips``.
        package var directTrip: Int
        /// The position in ``journeys``.
        package var journey: Int
    }

    /// In ascending order of the time to leave. Journeys that a direct trip beats or equals are left out.
    package private(set) var journeys: [Journey] = []
    package private(set) var beatenTrips: [BeatenTrip] = []
    /// The number of direct trips and journeys that are left on the day as riders understand it, if there are fewer than
    /// two and all are known; otherwise `nil`.
    package private(set) var remaining: Int?
    /// The end of that day.
    package let endOfDay: Instant
    /// What the search found, with its conditions.
    package let search: Journeys

    /// A direct trip that riders can still take.
    private struct UsableTrip {
        var position: Int
        var leaveBy: Instant
        var arrival: Instant
    }

    /// - Parameters:
    ///   - found: The direct trips that are listed.
    ///   - count: The greatest number of direct trips and of journeys.
    ///   - within: The length of the time window in seconds; `nil` for no limit.
    package init(
        besides found: DirectTripsResult, of query: DirectTripsQuery, count: Int, within: Int?, maximumChanges: Int,
        _ context: QueryContext
    ) throws(StoreError) {
        let isCut = found.directTrips.count >= count
        var end = within.map { found.at.advanced(by: $0) }
        // Later journeys have their place after direct trips that are not listed.
        if isCut, let last = found.directTrips.map(\.lastStart).max() { end = min(end ?? last, last) }
        var journeysQuery = JourneysQuery(query.request, maximumChanges: maximumChanges)
        journeysQuery.options = query.options
        search = try journeysQuery.result(
            count: count, until: end.map { max($0, found.at) }, context)
        endOfDay = RiderDay(of: found.at, in: query.zone).end
        var trips: [UsableTrip] = []
        for (position, trip) in found.directTrips.enumerated() {
            let merged = trip.merged
            guard merged.canBeCaught(settingOutAt: found.at, walk: trip.directTrip.walkBefore),
                let arrival = trip.directTrip.destinationArrival
            else { continue }
            let leaveBy = merged.leaveBy(walk: trip.directTrip.walkBefore, try merged.prediction)
            trips.append(UsableTrip(position: position, leaveBy: leaveBy, arrival: arrival))
        }
        // A journey in one vehicle can have another walk than its direct trip, see `StationEntrances`.
        let listed = Set(found.directTrips.map(\.merged.id))
        journeys = search.journeys.filter { journey in
            !(journey.legs.count == 1 && listed.contains(journey.legs[0].departure.id))
                && !trips.contains { $0.leaveBy >= journey.leaveBy && $0.arrival <= journey.arrival }
        }
        beatenTrips = trips.compactMap { trip in
            journeys.firstIndex { $0.beats(trip.leaveBy, trip.arrival) }.map {
                BeatenTrip(directTrip: trip.position, journey: $0)
            }
        }
        let left = (trips.map(\.leaveBy) + journeys.map(\.leaveBy)).count { $0 < endOfDay }
        // Canceled trips are in the list too, so others may follow it.
        let isListEnd = isCut && found.directTrips.allSatisfy { $0.lastStart < endOfDay }
        let isComplete =
            count > 1 && within == nil && !isListEnd && !search.isIncomplete && search.omissions.isEmpty
        remaining = isComplete && left < 2 && !query.request.isForDay ? left : nil
    }
}

extension Journey {
    /// Whether the journey is better than a direct trip in one of its times, and as good in the other.
    fileprivate func beats(_ leaveBy: Instant, _ arrival: Instant) -> Bool {
        self.leaveBy >= leaveBy && self.arrival <= arrival && (self.leaveBy > leaveBy || self.arrival < arrival)
    }
}
