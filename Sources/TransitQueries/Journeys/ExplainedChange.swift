package import TransitEngine
package import TransitModel
internal import TransitStore

/// Where riders get off one vehicle and board the next one, or stay on board because it continues as another trip.
package struct ExplainedChange {
    /// The departure of the ride that ends.
    package var previous: MergedDeparture
    /// Where the ride ends.
    package var arrival: ExpectedCall
    package var departure: MergedDeparture
    /// `nil` if riders stay on board.
    package var change: JourneyChange?
    /// The row of transfers.txt that decides the change or the stay on board; `nil` if none does.
    package var rule: ChangeRule?

    package init(from previous: Journey.Leg, to leg: Journey.Leg) {
        (self.previous, arrival, departure) = (previous.departure, previous.arrival, leg.departure)
        (change, rule) = (leg.change, leg.rule)
    }

    fileprivate init(_ previous: MergedDeparture, _ arrival: ExpectedCall, to departure: MergedDeparture) {
        (self.previous, self.arrival, self.departure) = (previous, arrival, departure)
    }

    /// The zone of the times at the stop of the arrival.
    package var arrivalZone: ServiceZone {
        get throws(StoreError) {
            try previous.timetable.cachedStop(arrival.stop).zone ?? previous.serviceZone
        }
    }
}

/// The ride of a journey that ends with a change.
package struct RideBeforeChange {
    /// The identifier of its departure, see ``DepartureID``.
    package var departure: String
    /// The stop where riders get off.
    package var destination: StopID
    /// The time of the change in seconds; `nil` for the quickest change.
    package var changeTime: Int?
    /// Whether riders stay in the vehicle, which continues as the next departure.
    package var isContinuation: Bool

    package init(departure: String, destination: StopID, changeTime: Int?, isContinuation: Bool) {
        (self.departure, self.destination) = (departure, destination)
        (self.changeTime, self.isContinuation) = (changeTime, isContinuation)
    }
}

extension ExplainQuery {
    /// Returns the change from a ride to the departure, without what follows if it breaks; `nil` if no way between both stops
    /// is known.
    ///
    /// - Throws: ``QueryError/departureNotFound(_:)`` if the trip of the ride is not known, or does not call at its stop.
    package func change(after ride: RideBeforeChange, _ context: QueryContext) throws -> ExplainedChange? {
        guard DepartureID(ride.departure) != nil else { throw QueryError.departureNotFound(ride.departure) }
        let before = try ExplainQuery(ride.departure, context)
        guard let (previous, arrival) = try before.ride(to: ride.destination, context) else {
            throw QueryError.departureNotFound(ride.departure)
        }
        let departure = try departure(context)
        var result = ExplainedChange(previous, arrival, to: departure)
        let feeds = try JourneyFeeds(from: [previous.timetable, departure.timetable], context)
        let call = departure.call
        if ride.isContinuation {
            result.rule = try feeds.rule(stayingFrom: arrival, to: call, of: previous.timetable)
            return result
        }
        let known = try feeds.change(
            from: arrival, of: previous.timetable, to: call, of: departure.timetable, taking: ride.changeTime)
        guard let (time, rule) = known else { return nil }
        result.rule = rule
        result.change = JourneyChange(
            from: arrival, to: call, seconds: time.seconds, isTimed: time.isTimed, walk: time.walk,
            uncertainty: JourneyChange.UnstatedUncertainty(
                base: context.settings.changeUncertainty, now: context.now))
        return result
    }
}
