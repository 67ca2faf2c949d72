public import TransitModel

/// A trip that the timetable does not have: `ADDED`, `NEW`, or one that takes another's place (`REPLACEMENT`).
public struct ExtraTrip: Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case added
        case replacement
    }

    public var kind: Kind
    /// As the publisher names it; `nil` when it does not.
    public var id: TripID?
    /// `nil` when the message names none, or one that the timetable does not have.
    public var route: RouteIndex?
    public var direction: Direction?
    /// As the message says, else the date of the first call in the route's zone.
    public var serviceDate: ServiceDate
    public var headsign: String?
    public var shortName: String?
    /// Ascending along the trip; at least one.
    public var calls: [ExtraCall]
    /// When its progress was measured; `nil`: the header's time counts.
    public var measured: Instant?
    /// Of the entity that brought it.
    public var entity: EntityID
    /// For ``Kind/replacement``: the run whose place it takes.
    public var replaced: RunKey?
}

/// One call of a trip that the timetable does not have.
public struct ExtraCall: Hashable, Sendable {
    public var stop: StopIndex
    public var sequence: UInt32?
    public var arrival: Instant
    public var departure: Instant
    /// `scheduled_time`, where the publisher gives one.
    public var scheduledArrival: Instant?
    public var scheduledDeparture: Instant?
    public var uncertainty: Int32?
    /// False where only the plan is known (`NO_DATA`).
    public var isExpected: Bool
    public var isSkipped: Bool
    public var occupancy: Occupancy?
}
