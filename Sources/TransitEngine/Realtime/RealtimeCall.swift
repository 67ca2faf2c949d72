public import TransitModel

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
        /// The delay of the call at ``RealtimeCall/origin`` is propagated.
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
    /// Whether the vehicle skips the stop.
    public var isSkipped: Bool
    /// The raw value of ``Occupancy`` after the departure; 255 if unknown.
    var storedOccupancy: UInt8
    /// Whether the stated times of this call contradict each other or the times of the previous or next call with
    /// stated times. A vehicle cannot leave before it arrives, or arrive before it leaves the previous call. The stated
    /// times are not corrected.
    public var isContradicted = false

    /// Creates a call without realtime data, at its scheduled times.
    public init(arrival: Int32, departure: Int32) {
        self.arrival = arrival
        self.departure = departure
        statingCall = 0
        storedUncertainty = .max
        basis = .timetable
        isSkipped = false
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
