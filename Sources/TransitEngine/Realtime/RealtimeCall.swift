public import TransitModel

/// What is expected at one call of a live run, in 16 bytes: twenty thousand trips with twenty calls each are 6 MB.
public struct RealtimeCall: Hashable, Sendable {
    /// How the times of a call are known.
    public enum Basis: UInt8, Hashable, Sendable {
        /// Nothing is known; the times are those of the timetable.
        case timetable = 0
        /// The publisher says that nothing is known (`NO_DATA`), here or at a call before.
        case noData
        /// The stop is visited twice and the update does not say which visit it means.
        case ambiguous
        /// The publisher gives a time or a delay for this very call.
        case stated
        /// The delay of the call ``RealtimeCall/origin`` is carried on.
        case propagated
        /// The delay of the trip as a whole (`TripUpdate.delay`).
        case tripDelay
        /// Computed from where the vehicle is.
        case position
    }

    /// Seconds from the start of the run: as expected, or of the timetable where nothing is known.
    public var arrival: Int32
    /// At least ``arrival``, unless ``isContradicted``.
    public var departure: Int32
    /// Position of the call that states the delay. The call itself when it is stated.
    public var origin: UInt16
    /// `uncertainty` in seconds; 65,535 when it is not known or longer.
    var spread: UInt16
    public var basis: Basis
    /// The vehicle does not stop here.
    public var isSkipped: Bool
    /// ``Occupancy`` after the departure; 255 when it is not known.
    var crowding: UInt8
    /// Whether the stated times of this call contradict each other, or those of the previous or next call with stated
    /// times. A vehicle cannot leave before it arrives, or arrive before it leaves the previous call. The times are
    /// kept as stated.
    public var isContradicted = false

    /// A call of which nothing is known, at its times of the timetable.
    public init(arrival: Int32, departure: Int32) {
        self.arrival = arrival
        self.departure = departure
        origin = 0
        spread = .max
        basis = .timetable
        isSkipped = false
        crowding = .max
    }

    /// Whether ``arrival`` and ``departure`` are expected, and not those of the timetable.
    public var isExpected: Bool {
        switch basis {
        case .timetable, .noData, .ambiguous: false
        case .stated, .propagated, .tripDelay, .position: !isSkipped
        }
    }

    /// Seconds; `nil` when the publisher does not say.
    public var uncertainty: Int32? {
        get { spread == .max ? nil : Int32(spread) }
        set { spread = newValue.map { UInt16(clamping: min($0, 65_534)) } ?? .max }
    }

    public var occupancy: Occupancy? {
        get { Occupancy(rawValue: crowding) }
        set { crowding = newValue?.rawValue ?? .max }
    }
}
