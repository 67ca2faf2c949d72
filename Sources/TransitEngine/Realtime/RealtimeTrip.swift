public import TransitModel

/// A scheduled trip on one service date, with realtime data.
public struct RealtimeTrip: Sendable {
    /// The status that the message gives the trip.
    public enum Kind: UInt8, Hashable, Sendable {
        /// The trip runs on schedule or with a deviation.
        case scheduled
        /// A trip of frequencies.txt with `exact_times` 0, which has no scheduled times.
        case unscheduled
        /// The trip does not run and is shown as canceled.
        case canceled
        /// The trip does not run and is not shown.
        case deleted
        /// An ``ExtraTrip`` replaces the trip.
        case replaced
        /// A copy that runs in addition to the original trip, at another date or time.
        case duplicated
        /// The trip is known only from the position of its vehicle.
        case estimated
    }

    /// The fields by which a trip was matched to the timetable.
    public enum Match: UInt8, Hashable, Sendable {
        /// `trip_id` and `start_date`.
        case tripAndDate
        /// `trip_id`. The service date is the date on which the trip runs nearest to the stated times.
        case trip
        /// `trip_id`. The service date is adjacent to `start_date`, according to `start_time` or the times of the
        /// calls.
        case adjacentDate
        /// `trip_id` and `start_time`, with or without `start_date`, for a trip of frequencies.txt.
        case frequency
        /// `route_id`, `direction_id` and `start_time`, with or without `start_date`.
        case route
        /// The scheduled times at the stops, within two minutes, because the timetable lacks the `trip_id`.
        case scheduledTimes
    }

    public var key: TripInstanceKey
    public var kind: Kind
    public var match: Match
    /// Index into ``RealtimeDataset/patterns``.
    var patternNumber: Int32
    public var timingGroup: Int32
    public var tripPosition: Int32
    /// The start of the trip in service time. It differs from the timetable for a copy and for a trip of
    /// frequencies.txt.
    public var start: ServiceTime
    /// The start of the trip as a moment, to which the times of ``RealtimeCall`` are relative.
    public var startInstant: Instant
    /// Index of the first call in the dataset's calls. There are as many calls as in the pattern.
    var firstCall: Int32
    /// The time at which the trip's progress was measured. If this property is `nil`, the timestamp of the header
    /// applies.
    public var measured: Instant?
    /// The number of the entity that describes the trip; see ``RealtimeDataset/entity(of:)``. The struct holds only
    /// plain numbers, so that thousands of trips are scanned quickly.
    var entityNumber: Int32
    /// The basis of the trip's times.
    public var basis = TripUpdateBasis.predicted
    /// Whether stated times of the trip's calls contradict each other (``RealtimeCall/isContradicted``).
    var hasContradiction = false

    /// Whether the data about the trip is as old as its measurement. A replaced trip is as old as the trip that
    /// replaces it, so that both appear and disappear together.
    var agesFromMeasurement: Bool { isRunning || kind == .replaced }
    /// Whether this trip is listed instead of the scheduled one.
    var hidesScheduled: Bool { kind != .duplicated }
    /// Whether the trip runs: it is neither canceled, deleted nor replaced.
    public var isRunning: Bool {
        switch kind {
        case .scheduled, .unscheduled, .duplicated, .estimated: true
        case .canceled, .deleted, .replaced: false
        }
    }
}
