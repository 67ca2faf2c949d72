public import TransitModel

/// A trip that the timetable lacks: `ADDED`, `NEW`, or a trip that replaces a scheduled trip (`REPLACEMENT`).
public struct ExtraTrip: Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case added
        case replacement
        /// The timetable has no times at all (``TimetableCalendar/isWithoutTimes``). All trips come from realtime data,
        /// so an extra trip is not exceptional.
        case withoutTimetable
    }

    /// The reliability of the trip's times, apart from their age.
    public enum Reliability: UInt8, Hashable, Sendable, Comparable {
        /// There is a reason for doubt, such as a position away from the route.
        case weak
        case plain

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var kind: Kind
    /// The publisher's identifier; `nil` if there is none.
    public var id: TripID?
    /// `nil` if the message names no route or a route that the timetable lacks.
    public var route: RouteIndex?
    public var direction: Direction?
    /// The service date in the message or, without one, the date of the first call in the route's time zone.
    public var serviceDate: ServiceDate
    public var headsign: String?
    public var shortName: String?
    /// In travel order; at least one.
    public var calls: [ExtraCall]
    /// The time at which the trip's progress was measured. If this property is `nil`, the timestamp of the header
    /// applies.
    public var measured: Instant?
    /// The identifier of the entity that describes the trip.
    public var entity: EntityID
    /// For ``Kind/replacement``, the scheduled trip that is replaced.
    public var replaced: TripInstanceKey?
    /// The basis of the trip's times.
    public var basis = TripUpdateBasis.predicted
    public var reliability = Reliability.plain
    /// The operator's free-text message about the trip.
    public var remark: TranslatedText?
    /// The timetable trip, without times, whose route variant this trip follows; `nil` if there is none.
    public var variantTrip: TripIndex?
    /// Whether only some of the trip's calls are reported, so that the trip may also call at other stops
    /// (``TripUpdate/isPartial``).
    public var isPartial = false
}

/// A call of a trip that the timetable lacks.
public struct ExtraCall: Hashable, Sendable {
    public var stop: StopIndex
    public var sequence: UInt32?
    public var arrival: Instant
    public var departure: Instant
    /// `scheduled_time`; `nil` if the publisher states none.
    public var scheduledArrival: Instant?
    public var scheduledDeparture: Instant?
    public var uncertainty: Int32?
    /// False if only the planned times are known (`NO_DATA`).
    public var isExpected: Bool
    public var isSkipped: Bool
    public var occupancy: Occupancy?
    /// The time at which the call was measured, if it differs from ``ExtraTrip/measured``.
    public var measured: Instant?
    /// Whether the call's stated times are contradicted, as in ``RealtimeCall/isContradicted``.
    public var isContradicted = false
}
