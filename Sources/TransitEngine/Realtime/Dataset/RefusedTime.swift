/// A time or delay that a source states and that is not used. The whole stop time update to which it belongs is without
/// effect on times; its decisions, such as a skipped stop or another platform, apply.
public struct RefusedTime: Hashable, Sendable {
    public enum Event: UInt8, Hashable, Sendable {
        case arrival
        case departure
        /// `TripUpdate.delay`.
        case trip
    }

    public enum Reason: UInt8, Hashable, Sendable {
        /// It differs from the timetable by more than a week.
        case impossible
        /// A departure more than an hour before its scheduled time.
        case earlyDeparture
        /// An arrival before the trip can have begun.
        case earlyArrival
    }

    /// The position of the call in the pattern; 0 for the trip as a whole.
    public var position: Int
    public var event: Event
    public var reason: Reason
    /// The stated delay in seconds, limited to what an `Int32` holds.
    public var delay: Int32

    /// The maximum number of refused times that are kept of one trip. All are counted in ``RealtimeStatistics``.
    static let maximumOfTrip = 4
    /// The maximum number of trips of a message whose refused times are kept.
    static let maximumTrips = 10_000
}
