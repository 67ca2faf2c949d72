/// The position of a vehicle (GTFS-Realtime reference, *VehiclePosition*).
public struct VehiclePosition: Hashable, Sendable {
    /// The `id` of the feed entity.
    public var id: EntityID
    /// The trip, or `nil` if the vehicle serves no known trip.
    public var trip: TripDescriptor?
    public var vehicle: VehicleDescriptor?
    /// The coordinate, or `nil` if it is missing or invalid.
    public var coordinate: Coordinate?
    /// Degrees clockwise from true north, 0..<360.
    public var bearing: Float?
    /// Meters per second.
    public var speed: Float?
    /// The `stop_sequence` of the call that ``status`` refers to.
    public var currentSequence: UInt32?
    /// The stop that ``status`` refers to.
    public var stopID: StopID?
    /// ``VehicleStopStatus/inTransitTo`` if the publisher does not state it.
    public var status: VehicleStopStatus
    /// The time at which the position was measured. `nil` means the header's timestamp.
    public var timestamp: Instant?
    public var occupancy: Occupancy?
    /// The occupancy as a percentage of the capacity: 0 or more, and above 100 if the vehicle is over capacity.
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

/// The occupancy of a vehicle (GTFS-Realtime reference, *OccupancyStatus*).
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
