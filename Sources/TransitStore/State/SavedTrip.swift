public import TransitModel

/// A trip that a user logged.
public struct SavedTrip: Hashable, Sendable {
    /// Identifies the trip: logging the same departure twice changes nothing.
    public var departure: DepartureKey
    /// The expected departure when the trip was logged or, without realtime data, the scheduled departure.
    public var departed: Instant
    /// The UTC offset at the stop at the departure, in seconds.
    public var offset: Int
    /// The route as riders call it.
    public var routeName: String
    public var stopName: String
    /// The stop where the user alights; `nil` if unknown.
    public var destination: StopID?
    public var destinationName: String?
    /// The commute on which the user took the trip; `nil` if unknown.
    public var commute: String?
    /// The distance between the two stops in meters; `nil` if unknown.
    public var meters: Int?
    /// Whether ``meters`` is the distance in a straight line, because the trip has no shape.
    public var isStraightLine: Bool
    /// When the user logged the trip.
    public var logged: Instant

    public init(
        departure: DepartureKey, departed: Instant, offset: Int, routeName: String, stopName: String,
        destination: StopID? = nil, destinationName: String? = nil, commute: String? = nil, meters: Int? = nil,
        isStraightLine: Bool = false, logged: Instant
    ) {
        self.departure = departure
        self.departed = departed
        self.offset = offset
        self.routeName = routeName
        self.stopName = stopName
        self.destination = destination
        self.destinationName = destinationName
        self.commute = commute
        self.meters = meters
        self.isStraightLine = isStraightLine
        self.logged = logged
    }

    /// The scheduled departure as a time of day at the stop, counted from midnight of the service date. At 00:30 on the
    /// next day it is 24:30.
    public var time: ServiceTime {
        let local = departure.scheduled.secondsSince1970 + Int64(offset)
        let seconds = local - Int64(departure.serviceDate.daysSince1970) * 86_400
        return ServiceTime(seconds: Int32(clamping: min(max(seconds, 0), Int64(ServiceTime.maximum))))
    }

    /// A 64-bit hash (FNV-1a) of ``departure``, by which a trip is recognized after it was folded into ``TripTotals``.
    public var fingerprint: Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01b3
        }
        add(departure.feed.rawValue.utf8)
        add(departure.route.rawValue.utf8)
        add(String(departure.direction.map { Int($0.rawValue) } ?? -1).utf8)
        add(departure.stop.rawValue.utf8)
        add(String(departure.scheduled.secondsSince1970).utf8)
        add(String(departure.serviceDate.daysSince1970).utf8)
        return Int64(bitPattern: hash)
    }
}

/// A departure that a user requested by typing: evidence for the user's usual departures.
public struct SavedLookup: Hashable, Sendable {
    public var at: Instant
    /// The date on which the user asked, in the zone of the stop.
    public var date: ServiceDate
    /// The commute that the user asked for; `nil` for a board of a stop or of favorites.
    public var commute: String?
    /// The first departure of the commute that the user could still catch; `nil` if there was none or for a board.
    public var departure: DepartureKey?
    /// The service time of ``departure``.
    public var time: ServiceTime?

    public init(
        at: Instant, date: ServiceDate, commute: String? = nil, departure: DepartureKey? = nil,
        time: ServiceTime? = nil
    ) {
        self.at = at
        self.date = date
        self.commute = commute
        self.departure = departure
        self.time = time
    }

    /// The number of seconds within which an equal request counts as the same one.
    public static let succession = 30 * 60

    /// Whether the request repeats an earlier one.
    public func repeats(_ earlier: SavedLookup) -> Bool {
        commute == earlier.commute && departure == earlier.departure
            && abs(earlier.at.seconds(to: at)) < Self.succession
    }
}

/// A learned departure that a user does not want. It is learned again only from what the user does later.
public struct ForgottenDeparture: Hashable, Sendable {
    public var feed: FeedID
    public var route: RouteID
    public var direction: Direction?
    public var stop: StopID
    public var time: ServiceTime
    public var at: Instant
}
