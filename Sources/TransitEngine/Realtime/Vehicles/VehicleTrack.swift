public import TransitModel

/// The recent history of a vehicle, from which its speed, its stops and its position on the path are determined.
///
/// ``RealtimeDataset/tracks`` contains the tracks of all vehicles, which the next dataset takes over. Tracks last until
/// the process ends or the timetable version changes.
public struct VehicleTrack: Hashable, Sendable {
    /// The trip that the vehicle reports.
    public var trip: TripID?
    /// The last distinct position. The vehicle has been within ``stationaryRadius`` of it since ``stationarySince``.
    public var lastDistinctPosition: Coordinate
    public var stationarySince: Instant
    /// The time of the last measurement.
    public var measured: Instant
    /// The position on the path of ``trip`` at the last measurement; `nil` if the vehicle is off the path.
    public var pathPosition: PathPosition?
    /// The smoothed speed along the path in meters per second, including dwell times; `nil` until the vehicle was
    /// observed moving.
    public var speed: Double?

    /// The maximum distance between positions of a stationary vehicle, in meters.
    static let stationaryRadius = 50.0
    /// The number of seconds without movement after which a vehicle is parked.
    static let parkedAfter = 3600
    /// The number of seconds for which the track of an unreported vehicle is kept.
    static let trackRetention = 2 * 3600
    /// The time between two positions from which a speed is computed, in seconds. For shorter or longer intervals, the
    /// speed is inaccurate.
    private static let speedInterval = 10...300
    /// The maximum apparent backward movement, in meters. Vehicles do not drive backward, so the apparent movement
    /// results from inaccurate positions.
    private static let maximumBackwardMovement = 100.0
    /// The maximum speed in meters per second. No bus is faster, so a position that implies a higher speed is wrong.
    private static let maximumSpeed = 30.0

    /// The time without movement, in seconds.
    public var stationarySeconds: Int { max(0, stationarySince.seconds(to: measured)) }
    public var isParked: Bool { stationarySeconds >= Self.parkedAfter }

    /// Creates a track from a first position.
    init(trip: TripID?, coordinate: Coordinate, measured: Instant) {
        self.trip = trip
        lastDistinctPosition = coordinate
        stationarySince = measured
        self.measured = measured
    }

    /// Returns the track with another position. An older measurement does not change the track.
    func moved(to coordinate: Coordinate, trip: TripID?, measured: Instant) -> Self {
        guard measured >= self.measured else { return self }
        var track = self
        track.measured = measured
        if lastDistinctPosition.distance(to: coordinate) > Self.stationaryRadius {
            track.lastDistinctPosition = coordinate
            track.stationarySince = measured
        }
        if trip != self.trip {
            track.trip = trip
            track.pathPosition = nil
            track.speed = nil
        }
        return track
    }

    /// Returns the track with a position on the path, and with the speed relative to the previous track.
    func placed(at pathPosition: PathPosition?, after before: Self?) -> Self {
        var track = self
        track.pathPosition = pathPosition
        guard let pathPosition, pathPosition.isCertain, let before, before.trip == trip, let last = before.pathPosition,
            case let seconds = before.measured.seconds(to: measured), Self.speedInterval.contains(seconds)
        else { return track }
        let speed = (pathPosition.distanceAlongPath - last.distanceAlongPath) / Double(seconds)
        guard speed >= 0, speed <= Self.maximumSpeed else { return track }
        // A vehicle that waits at its first stop for its departure time gives no indication of its speed.
        if track.speed == nil, speed < 0.5 { return track }
        track.speed = track.speed.map { ($0 + speed) / 2 } ?? speed
        return track
    }

    /// Returns the range of the path where the vehicle can be: from slightly behind its last position to the position
    /// that it reaches at maximum speed.
    func reachableRange(at moment: Instant) -> ReachablePathRange? {
        guard let pathPosition else { return nil }
        let seconds = Double(min(max(0, measured.seconds(to: moment)), Self.trackRetention))
        return ReachablePathRange(
            minimum: pathPosition.distanceAlongPath - Self.maximumBackwardMovement,
            last: pathPosition.distanceAlongPath,
            maximum: pathPosition.distanceAlongPath + Self.maximumSpeed * seconds + 2 * Self.maximumBackwardMovement)
    }
}

/// The position of a vehicle on the path of its trip.
public struct PathPosition: Hashable, Sendable {
    /// Distance from the start of the path, in meters.
    public var distanceAlongPath: Double
    /// Distance from the path, in meters.
    public var distanceFromPath: Double
    /// Whether no other pass of the path is possible. False after a jump, or where the path crosses or repeats itself
    /// and the pass is unknown.
    public var isCertain: Bool
}

/// The range of a path where a vehicle can be, in meters from the start.
struct ReachablePathRange {
    var minimum: Double
    /// The last known position.
    var last: Double
    var maximum: Double
}
