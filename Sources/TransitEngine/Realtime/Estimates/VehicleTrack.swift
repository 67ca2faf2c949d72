public import TransitModel

/// What is remembered of a vehicle from one message to the next, so that its speed, its halts and its lap are known.
///
/// A plain value: ``RealtimeDataset/tracks`` holds those of all vehicles, and the next dataset begins with them. They end with
/// the process, and with the version of the timetable.
public struct VehicleTrack: Hashable, Sendable {
    /// The trip that it said it serves.
    public var trip: TripID?
    /// The last distinct position: it has been within ``standingRadius`` of it since ``since``.
    public var anchor: Coordinate
    public var since: Instant
    /// When it was measured last.
    public var measured: Instant
    /// Where on the way of ``trip`` it was then; `nil` beside it.
    public var place: PathPosition?
    /// Metres per second along the way, halts included, smoothed; `nil` until it was seen to move along.
    public var speed: Double?

    /// Positions of a vehicle that stands differ by as much; metres.
    static let stationaryRadius = 50.0
    /// Seconds without leaving its place after which a vehicle is parked.
    static let parkedAfter = 3600
    /// Seconds for which a vehicle that is not told of any more is remembered.
    static let trackRetention = 2 * 3600
    /// Between positions that lie closer or farther apart, speed says little; seconds.
    private static let speedSpan = 10...300
    /// A vehicle does not drive back: what seems so is the error of a position, up to this; metres.
    private static let noise = 100.0
    /// Metres per second; a bus is not faster, a position is wrong.
    private static let fastest = 30.0

    /// How long it has not moved; seconds.
    public var stationarySeconds: Int { max(0, since.seconds(to: measured)) }
    public var isParked: Bool { stationarySeconds >= Self.parkedAfter }

    /// The first position of a vehicle.
    init(trip: TripID?, coordinate: Coordinate, measured: Instant) {
        self.trip = trip
        anchor = coordinate
        since = measured
        self.measured = measured
    }

    /// The track with another position; unchanged when that was measured earlier than what is known.
    func moved(to coordinate: Coordinate, trip: TripID?, measured: Instant) -> Self {
        guard measured >= self.measured else { return self }
        var track = self
        track.measured = measured
        if anchor.distance(to: coordinate) > Self.stationaryRadius {
            track.anchor = coordinate
            track.since = measured
        }
        if trip != self.trip {
            track.trip = trip
            track.place = nil
            track.speed = nil
        }
        return track
    }

    /// The track with the place on the way, and the speed that follows from the one before.
    func placed(at place: PathPosition?, after before: Self?) -> Self {
        var track = self
        track.place = place
        guard let place, place.isCertain, let before, before.trip == trip, let last = before.place,
            case let seconds = before.measured.seconds(to: measured), Self.speedSpan.contains(seconds)
        else { return track }
        let speed = (place.along - last.along) / Double(seconds)
        guard speed >= 0, speed <= Self.fastest else { return track }
        // Standing at the first stop it waits for its time, which says nothing of how it will drive.
        if track.speed == nil, speed < 0.5 { return track }
        track.speed = track.speed.map { ($0 + speed) / 2 } ?? speed
        return track
    }

    /// Where on its way it must be by now: from a little behind the last place to what the fastest could reach.
    func reach(at moment: Instant) -> ReachablePathRange? {
        guard let place else { return nil }
        let seconds = Double(min(max(0, measured.seconds(to: moment)), Self.trackRetention))
        return ReachablePathRange(
            least: place.along - Self.noise, last: place.along,
            most: place.along + Self.fastest * seconds + 2 * Self.noise)
    }
}

/// Where a vehicle is on the way of its trip.
public struct PathPosition: Hashable, Sendable {
    /// Metres from the start of the way.
    public var along: Double
    /// Metres beside the way.
    public var beside: Double
    /// Whether no other pass of the way fits: false where it crosses or repeats itself and nothing tells which pass is meant,
    /// and after a jump.
    public var isCertain: Bool
}

/// Where on its way a vehicle can be; metres from the start.
struct ReachablePathRange {
    var least: Double
    /// Where it was.
    var last: Double
    var most: Double
}
