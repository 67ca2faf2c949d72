internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Finds journeys that pass a stop, a station or a place on the way.
///
/// A journey passes a stop if riders alight or board there, or stay on board while the vehicle calls there. It passes a place if
/// they get off and walk there.
///
/// The journeys are those without this condition that pass the stop, and those that are joined from a journey to the stop, one of
/// the best in leave-by, arrival and number of vehicles, and the best journeys from there on: after a change, or in the same
/// vehicle, which counts as one. A journey that reaches the stop later than another one, to be faster only after it, is
/// therefore found only if it is also one of the best without the condition.
struct JourneysVia {
    private let feeds: JourneyFeeds
    private let isPlace: Bool
    /// The stops where riders alight to pass, and those where they board after that.
    private let arriving, leaving: [JourneyQuery.End]

    init(stops: [AccessStops], feeds: JourneyFeeds) throws(StoreError) {
        self.feeds = feeds
        isPlace = stops.contains(where: \.needsWalk)
        arriving = try feeds.stops(of: stops, .outward)
        leaving = try feeds.stops(of: stops, .inward)
    }

    /// Whether the search has stops of the way.
    var isPossible: Bool { !arriving.isEmpty }

    /// Searches one time window, or the journeys of riders who set out at one time.
    func find(_ query: JourneyQuery) -> FoundJourneys {
        let wanted = Set(arriving.map { [$0.feed, $0.stop.position] })
        var toStop = query
        toStop.destinations = arriving
        var found = feeds.find(toStop)
        let journeysToStop = found.journeys
        found.journeys = []
        func search(_ query: JourneyQuery) -> [FoundJourney] {
            if found.isIncomplete { return [] }
            let part = feeds.find(query)
            found.isIncomplete = part.isIncomplete
            return part.journeys
        }
        if !isPlace { found.journeys = search(query).filter { passes($0, wanted) } }
        for journey in journeysToStop {
            for (query, isRide) in onward(from: journey, query) {
                let onward = search(query)
                found.journeys += onward.map { isRide ? riding(journey, on: $0) : changing(journey, to: $0) }
            }
        }
        found.journeys = Self.best(found.journeys)
        return found
    }

    /// Returns the journeys that no other one beats or equals.
    private static func best(_ journeys: [FoundJourney]) -> [FoundJourney] {
        var best: [FoundJourney] = []
        let order = journeys.sorted {
            ($0.arrival, $0.vehicles, $1.leaveBy) < ($1.arrival, $1.vehicles, $0.leaveBy)
        }
        for journey in order {
            let isBeaten = best.contains {
                $0.leaveBy >= journey.leaveBy && $0.arrival <= journey.arrival && $0.vehicles <= journey.vehicles
            }
            if !isBeaten { best.append(journey) }
        }
        return best
    }

    /// Whether a vehicle of a journey calls at one of the stops while riders are on board.
    private func passes(_ journey: FoundJourney, _ wanted: Set<[Int]>) -> Bool {
        journey.legs.contains { leg in
            // A timetable that cannot be read has no journeys to show either.
            let stops = (try? feeds.stops(of: leg)) ?? []
            return stops.contains { wanted.contains([leg.feed, $0.position]) }
        }
    }

    /// Returns the searches from the stop on: after a change and, in the vehicle in which riders arrive, without one.
    private func onward(
        from journey: FoundJourney, _ query: JourneyQuery
    ) -> [(query: JourneyQuery, isRide: Bool)] {
        guard let last = journey.legs.last else { return [] }
        var searches: [(query: JourneyQuery, isRide: Bool)] = []
        var next = query
        next.latest = nil
        if journey.vehicles < query.maximumVehicles {
            next.earliest = journey.arrival
            next.origins = isPlace ? leaving : feeds.changes(at: last.alightStop, of: last.feed)
            next.maximumVehicles = query.maximumVehicles - journey.vehicles
            searches.append((next, false))
        }
        if !isPlace, let ride = try? feeds.ride(after: last) {
            next.origins = []
            next.onBoard = ride
            next.earliest = Instant(secondsSince1970: last.arrival)
            next.maximumVehicles = query.maximumVehicles - journey.vehicles + 1
            searches.append((next, true))
        }
        return searches
    }

    private func changing(_ journey: FoundJourney, to next: FoundJourney) -> FoundJourney {
        var joined = journey
        var legs = next.legs
        legs[0].changeTime = journey.walkAfter + next.walkBefore
        joined.legs += legs
        joined.vehicles += next.vehicles
        (joined.walkAfter, joined.arrival) = (next.walkAfter, next.arrival)
        return joined
    }

    private func riding(_ journey: FoundJourney, on next: FoundJourney) -> FoundJourney {
        var joined = journey
        let last = joined.legs.count - 1
        joined.legs[last].alight = next.legs[0].alight
        joined.legs[last].alightStop = next.legs[0].alightStop
        joined.legs[last].arrival = next.legs[0].arrival
        joined.legs += next.legs.dropFirst()
        joined.vehicles += next.vehicles - 1
        (joined.walkAfter, joined.arrival) = (next.walkAfter, next.arrival)
        return joined
    }
}
