public import TransitModel

/// A trip that the timetable does not have: `ADDED`, `NEW`, or one that takes another's place (`REPLACEMENT`).
public struct ExtraTrip: Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case added
        case replacement
        /// The timetable has no times at all (``TimetableContext/isWithoutTimes``): what is live is all there is, and nothing extra.
        case usual
    }

    /// How well its times are founded, besides their age.
    public enum Reliability: UInt8, Hashable, Sendable, Comparable {
        /// There is a reason for doubt, such as a position beside the route.
        case weak
        case plain

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
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
    public var replaced: TripInstanceKey?
    /// What its times rest on.
    public var basis = TripUpdateBasis.predicted
    public var reliability = Reliability.plain
    /// What the operator says about it, in words of its own.
    public var remark: TranslatedText?
    /// The way that it takes, where the timetable has it as a trip without times.
    public var variant: TripIndex?
    /// Whether it may call elsewhere, too: only some of its calls are told (``TripUpdate/isPart``).
    public var isPartial = false
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
    /// When it was told, where that differs from ``ExtraTrip/measured``.
    public var measured: Instant?
    /// The same as ``RealtimeCall/isContradicted``.
    public var isContradicted = false
}
