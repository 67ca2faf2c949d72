public import TransitModel

/// A scheduled trip on one service date, with realtime data.
public struct RealtimeTrip: Sendable {
    /// The status of the trip according to the message. It follows from the published ``TripScheduleRelationship`` and
    /// from the timetable. Added trips are not among the values because the timetable lacks them (``ExtraTrip``).
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

    /// One more than the index of the trip's entry in ``RealtimeDataset/retentions``; 0 for a trip that the source
    /// still reports.
    var retention: UInt16 = 0

    /// Whether the message states times for the trip, none of which is used, and nothing else. Such a trip counts as not
    /// reported (``ReportingTracker``).
    var areTimesRefused = false

    /// Whether the times of the trip are as old as their measurement. A decision, such as a cancellation, is as old as
    /// the message that repeats it. An estimated replacement is as old as its estimate, so that both trips appear and
    /// disappear together.
    var agesFromMeasurement: Bool { isRunning || kind == .replaced && basis == .estimated }
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

/// The expected times of one call of a realtime trip. An instance takes 16 bytes, so 20,000 trips with 20 calls each
/// take 6.4 MB.
public struct RealtimeCall: Hashable, Sendable {
    /// The origin of a call's times.
    public enum Basis: UInt8, Hashable, Sendable {
        /// The call has no realtime data. Its times are scheduled.
        case timetable = 0
        /// The publisher states that it has no data (`NO_DATA`) for this call or an earlier one.
        case noData
        /// The trip visits the stop twice, and the update does not specify to which visit it refers.
        case ambiguous
        /// The publisher states a time or a delay for this call.
        case stated
        /// The delay of the call at ``RealtimeCall/statingCall`` is propagated.
        case propagated
        /// The delay of the trip as a whole (`TripUpdate.delay`).
        case tripDelay
        /// Computed from the position of the vehicle.
        case position
    }

    /// Seconds from the start of the trip: the expected time or, without realtime data, the scheduled time.
    public var arrival: Int32
    /// At least ``arrival``, unless ``isContradicted``.
    public var departure: Int32
    /// The position of the call that states the delay; this call's own position if a delay is stated for it.
    public var statingCall: UInt16
    /// `uncertainty` in seconds; 65,535 if it is unknown.
    var storedUncertainty: UInt16
    public var basis: Basis
    private var flags: Flags = []
    /// The raw value of ``Occupancy`` after the departure; 255 if unknown.
    private var storedOccupancy: UInt8
    /// Whether the stated times of this call contradict each other or the times of the previous or next call with
    /// stated times. A vehicle cannot leave before it arrives, or arrive before it leaves the previous call. The stated
    /// times are not corrected.
    public var isContradicted: Bool {
        get { flags.contains(.contradicted) }
        set { flags.set(.contradicted, newValue) }
    }

    /// Whether the vehicle skips the stop.
    public var isSkipped: Bool {
        get { flags.contains(.skipped) }
        set { flags.set(.skipped, newValue) }
    }

    /// Whether the publisher states the arrival; otherwise, it follows from other times.
    var statesArrival: Bool {
        get { flags.contains(.statesArrival) }
        set { flags.set(.statesArrival, newValue) }
    }

    /// Whether the publisher states the departure; otherwise, it follows from other times.
    var statesDeparture: Bool {
        get { flags.contains(.statesDeparture) }
        set { flags.set(.statesDeparture, newValue) }
    }

    private struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let skipped = Flags(rawValue: 1)
        static let contradicted = Flags(rawValue: 2)
        static let statesArrival = Flags(rawValue: 4)
        static let statesDeparture = Flags(rawValue: 8)

        mutating func set(_ flag: Flags, _ isSet: Bool) {
            if isSet { insert(flag) } else { remove(flag) }
        }
    }

    /// Creates a call without realtime data, at its scheduled times.
    public init(arrival: Int32, departure: Int32) {
        self.arrival = arrival
        self.departure = departure
        statingCall = 0
        storedUncertainty = .max
        basis = .timetable
        storedOccupancy = .max
    }

    /// Whether ``arrival`` and ``departure`` are expected times rather than scheduled ones.
    public var isExpected: Bool {
        switch basis {
        case .timetable, .noData, .ambiguous: false
        case .stated, .propagated, .tripDelay, .position: !isSkipped
        }
    }

    /// In seconds; `nil` if the publisher states none.
    public var uncertainty: Int32? {
        get { storedUncertainty == .max ? nil : Int32(storedUncertainty) }
        set { storedUncertainty = newValue.map { UInt16(clamping: min($0, 65_534)) } ?? .max }
    }

    public var occupancy: Occupancy? {
        get { Occupancy(rawValue: storedOccupancy) }
        set { storedOccupancy = newValue?.rawValue ?? .max }
    }
}
