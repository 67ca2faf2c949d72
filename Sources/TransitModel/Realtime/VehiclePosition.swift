/// Where a vehicle is (GTFS-Realtime reference, *VehiclePosition*).
public struct VehiclePosition: Hashable, Sendable {
    /// Of the entity that brought it.
    public var id: EntityID
    /// `nil`: it serves no trip that is known.
    public var trip: TripDescriptor?
    public var vehicle: VehicleDescriptor?
    /// `nil`: not told, or not on earth.
    public var coordinate: Coordinate?
    /// Degrees clockwise from true north, 0..<360.
    public var bearing: Float?
    /// Metres per second.
    public var speed: Float?
    /// The call that ``status`` is about.
    public var currentSequence: UInt32?
    /// The stop that ``status`` is about.
    public var stopID: StopID?
    /// As the publisher says; ``VehicleStopStatus/inTransitTo`` when it says nothing.
    public var status: VehicleStopStatus
    /// When the position was measured; `nil`: the header's time counts.
    public var timestamp: Instant?
    public var occupancy: Occupancy?
    /// Percent of the places, 0 or more; over 100 when more crowded than meant.
    public var occupancyPercentage: UInt32?

    public init(
        id: EntityID, trip: TripDescriptor? = nil, vehicle: VehicleDescriptor? = nil, coordinate: Coordinate? = nil,
        bearing: Float? = nil, speed: Float? = nil, currentSequence: UInt32? = nil, stopID: StopID? = nil,
        status: VehicleStopStatus = .inTransitTo, timestamp: Instant? = nil, occupancy: Occupancy? = nil,
        occupancyPercentage: UInt32? = nil
    ) {
        self.id = id
        self.trip = trip
        self.vehicle = vehicle
        self.coordinate = coordinate
        self.bearing = bearing
        self.speed = speed
        self.currentSequence = currentSequence
        self.stopID = stopID
        self.status = status
        self.timestamp = timestamp
        self.occupancy = occupancy
        self.occupancyPercentage = occupancyPercentage
    }
}

/// GTFS-Realtime reference, *VehicleStopStatus*.
public enum VehicleStopStatus: UInt8, Hashable, Sendable, CaseIterable {
    case incomingAt = 0
    case stoppedAt = 1
    case inTransitTo = 2
}

/// How full a vehicle is (GTFS-Realtime reference, *OccupancyStatus*).
public enum Occupancy: UInt8, Hashable, Sendable, CaseIterable {
    case empty = 0
    case manySeatsAvailable = 1
    case fewSeatsAvailable = 2
    case standingRoomOnly = 3
    case crushedStandingRoomOnly = 4
    case full = 5
    case notAcceptingPassengers = 6
    case noDataAvailable = 7
    case notBoardable = 8
}
