public import TransitModel

/// A run of a trip of the timetable, of which a message tells something.
public struct RealtimeTrip: Sendable {
    /// What the message makes of the run.
    public enum Kind: UInt8, Hashable, Sendable {
        /// It runs, by the timetable or not far from it.
        case scheduled
        /// A run of frequencies.txt with `exact_times` 0: it has no times of a timetable.
        case unscheduled
        /// It does not run, and riders are to be told.
        case canceled
        /// It does not run, and is not to be shown.
        case deleted
        /// An ``ExtraTrip`` runs in its place.
        case replaced
        /// It runs beside the run it is a copy of, at another date or time.
        case duplicated
        /// Known from the position of its vehicle alone.
        case estimated
    }

    /// By what the run was found in the timetable.
    public enum Match: UInt8, Hashable, Sendable {
        /// `trip_id` and `start_date`.
        case tripAndDate
        /// `trip_id`; the service date is the one whose run is nearest to the times that are told.
        case trip
        /// `trip_id`; the service date is adjacent to `start_date`, as `start_time` or the times of the calls show.
        case adjacentDate
        /// `trip_id` and `start_time`, with or without `start_date`: a run of frequencies.txt.
        case frequency
        /// `route_id`, `direction_id` and `start_time`, with or without `start_date`.
        case route
        /// The planned times at its stops, within two minutes: the timetable has no trip of that name.
        case scheduledTimes
    }

    public var key: TripInstanceKey
    public var kind: Kind
    public var match: Match
    /// Of ``RealtimeDataset/patterns``.
    var patternNumber: Int32
    public var timingGroup: Int32
    public var tripPosition: Int32
    /// When the run starts, in service time. It differs from the timetable for a copy and for a run of frequencies.txt.
    public var start: ServiceTime
    /// The same as a moment: ``RealtimeCall`` counts from here.
    public var begins: Instant
    /// Position of its first call in the dataset's calls; there are as many as the pattern has.
    var firstCall: Int32
    /// When its progress was measured; `nil`: the header's time counts.
    public var measured: Instant?
    /// Of the entity that brought it; see ``RealtimeDataset/entity(of:)``. A run is plain numbers, so that thousands are quickly passed over.
    var entityNumber: Int32
    /// What its times rest on.
    public var basis = TripUpdateBasis.predicted
    /// Whether stated times of the run's calls contradict each other (``RealtimeCall/isContradicted``).
    var hasContradiction = false

    /// Whether the data about the run is as old as its measurement. A replaced run is as old as the trip that replaces
    /// it, so that both appear and disappear together.
    var isMeasured: Bool { isRunning || kind == .replaced }
    /// Whether the run of the timetable is not to be listed as well.
    var hidesScheduled: Bool { kind != .duplicated }
    /// Whether it runs: neither cancelled, nor deleted, nor replaced.
    public var isRunning: Bool {
        switch kind {
        case .scheduled, .unscheduled, .duplicated, .estimated: true
        case .canceled, .deleted, .replaced: false
        }
    }
}
