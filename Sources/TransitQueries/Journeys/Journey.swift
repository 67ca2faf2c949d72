package import TransitEngine
package import TransitModel

/// The journeys between two places or stops at one moment.
package struct Journeys {
    /// The time of the query.
    package var at: Instant
    /// In ascending order of the time to leave.
    package var journeys: [Journey] = []
    /// The first journey after the day, if the last ones of a day are asked for; `nil` otherwise, and if none follows.
    package var following: Journey?
    /// The walk without a vehicle in seconds, estimated from the distance; `nil` if it is too far or not known.
    package var walk: Int?
    /// Why there are no journeys; `nil` if there are.
    package var emptyReason: EmptyReason?
    /// Whether a search reached its limit or was canceled, so that journeys may be missing.
    package var isIncomplete = false
    /// The feeds that could not be searched.
    package var omissions: [JourneyFeedOmission] = []
    /// The feeds of which only a part is kept and searched.
    package var partialFeeds: [FeedID] = []
    /// The timetables on which the result depends.
    package var timetables: [Timetable] = []

    /// The reason why there are no journeys. "None", "not known" and "not searched" are different reasons.
    package enum EmptyReason: Hashable, Sendable {
        /// No feed with stops of both ends can be searched; ``Journeys/omissions`` says why.
        case notSearched
        /// The search ended before it found a journey.
        case stopped
        /// The timetable does not cover the date of the query.
        case notCovered(ServiceDate, FeedID, covered: ClosedRange<ServiceDate>)
        /// No journey begins through a date.
        case noneRuns(through: ServiceDate)
        /// No journey that can still be taken arrives by a time.
        case noneArrives(by: Instant)
        /// No journey is left on a day that ends at a time.
        case noneLeft(before: Instant)
        /// Riders of a trip do not reach the destination within a day.
        case noneFromOnBoard
    }

    init(at: Instant) { self.at = at }
}

/// A journey with what is known about its vehicles.
package struct Journey {
    /// A ride in one vehicle.
    package struct Leg {
        /// The departure, merged from both feeds of a pair.
        package var departure: MergedDeparture
        package var arrival: ExpectedCall
        /// Whether the rider stays in the vehicle of the previous leg.
        package var isContinuation: Bool
        /// The change before this leg; `nil` for the first leg and for a continuation.
        package var change: JourneyChange?
        /// The first departure of each other route that serves the leg as well: riders reach it, and it arrives in time for
        /// what follows. In order of departure.
        package var alternatives: [MergedDeparture] = []
        /// The row of transfers.txt that decides the change before this leg or the stay on board; `nil` if none does, and
        /// unless the query asks for explanations.
        package var rule: ChangeRule?
    }

    /// Not empty. The first leg of riders who are on board begins at the departure that the query names.
    package var legs: [Leg]
    /// The walk in seconds before the first leg; `nil` if the journey starts at the stop that the caller names.
    package var walkBefore: Int?
    /// The walk in seconds after the last leg; `nil` if the journey ends at the stop that the caller names.
    package var walkAfter: Int?
    /// The time to set out, as careful as that of a departure.
    package var leaveBy: Instant
    /// The expected arrival, after the walk.
    package var arrival: Instant
    /// The number of changes of vehicle.
    package var changes: Int
}
