public import TransitModel

/// A journey that a user pinned, to be followed to its end. Its rides are named as in every version of a timetable.
public struct SavedJourney: Hashable, Sendable {
    /// A ride in one vehicle.
    public struct Leg: Hashable, Sendable {
        public var departure: DepartureKey
        /// The stop in the timetable where the user alights.
        public var destination: StopID
        /// The scheduled arrival there.
        public var arrival: Instant
        /// The time in seconds that the change before the ride needs; `nil` for the first ride and if the user stays in the
        /// vehicle.
        public var changeTime: Int?
        /// Whether the departing vehicle waits (`transfer_type` 1).
        public var isTimed: Bool

        public init(
            departure: DepartureKey, destination: StopID, arrival: Instant, changeTime: Int? = nil,
            isTimed: Bool = false
        ) {
            self.departure = departure
            self.destination = destination
            self.arrival = arrival
            self.changeTime = changeTime
            self.isTimed = isTimed
        }
    }

    /// Identifies the journey among those of its user. The lowest number that is free when the journey is pinned.
    public var number: Int
    /// The origin: the name of a place, a position, or `feed:stop_id`.
    public var from: String
    /// The destination, in the same notation.
    public var to: String
    /// In order; not empty.
    public var legs: [Leg]
    /// The walks to the first and from the last stop in seconds; `nil` if the journey starts or ends at the requested stop.
    public var walkBefore: Int?
    public var walkAfter: Int?
    /// The modes of transport that the user accepts; empty for all.
    public var modes: Set<TransportMode> = []
    /// Whether vehicles and stops have to accommodate wheelchairs.
    public var needsWheelchair = false
    /// Whether vehicles have to accommodate bicycles.
    public var needsBicycle = false

    public init(
        number: Int = 0, from: String, to: String, legs: [Leg], walkBefore: Int? = nil, walkAfter: Int? = nil
    ) {
        self.number = number
        self.from = from
        self.to = to
        self.legs = legs
        self.walkBefore = walkBefore
        self.walkAfter = walkAfter
    }

    /// The time after which the journey is over, even if its vehicles are late.
    public var expiry: Instant {
        (legs.map(\.arrival).max() ?? Instant(secondsSince1970: 0)).advanced(
            by: (walkAfter ?? 0) + Self.maximumLateness)
    }

    /// How late a vehicle of a journey is awaited, in seconds.
    private static let maximumLateness = 3 * 3600
}
