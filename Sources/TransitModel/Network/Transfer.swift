/// One row of transfers.txt (GTFS reference, transfers.txt). Empty columns are `nil`.
public struct Transfer: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case recommended = 0
        case timed = 1
        case minimumTime = 2
        case notPossible = 3
        /// Riders stay on board while the vehicle continues as another trip.
        case inSeat = 4
        case inSeatNotAllowed = 5
    }

    public var fromStop: StopIndex?
    public var toStop: StopIndex?
    public var fromRoute: RouteIndex?
    public var toRoute: RouteIndex?
    public var fromTrip: TripID?
    public var toTrip: TripID?
    public var kind: Kind
    /// Seconds.
    public var minimumTime: Int?

    public init(
        fromStop: StopIndex?, toStop: StopIndex?, fromRoute: RouteIndex? = nil, toRoute: RouteIndex? = nil,
        fromTrip: TripID? = nil, toTrip: TripID? = nil, kind: Kind, minimumTime: Int? = nil
    ) {
        self.fromStop = fromStop
        self.toStop = toStop
        self.fromRoute = fromRoute
        self.toRoute = toRoute
        self.fromTrip = fromTrip
        self.toTrip = toTrip
        self.kind = kind
        self.minimumTime = minimumTime
    }
}
