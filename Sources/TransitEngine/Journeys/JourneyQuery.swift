public import TransitModel

/// Finds journeys with changes of vehicle.
public enum JourneyFinder {
    /// Returns the best journeys of a query.
    ///
    /// - Parameters:
    ///   - cache: Bounds that searches in the same feeds share.
    ///   - isCanceled: Called for each departure of the window; the search ends early if it returns `true`.
    public static func find(
        _ query: JourneyQuery, in feeds: [JourneyFeed], cache: JourneyBoundsCache = JourneyBoundsCache(),
        isCanceled: @escaping () -> Bool = { false }
    ) -> FoundJourneys {
        var search = JourneySearch(query, in: feeds, cache, isCanceled: isCanceled)
        return search.run()
    }
}

/// One feed of a search for journeys.
public struct JourneyFeed {
    public var network: JourneyNetwork
    public var calendar: TimetableCalendar
    /// `nil` without realtime data.
    public var realtime: JourneyRealtime?
    /// What riders do not use, made for this network and this realtime data; `nil` for riders without requirements.
    public var exclusions: JourneyExclusions?

    public init(network: JourneyNetwork, calendar: TimetableCalendar, realtime: JourneyRealtime? = nil) {
        self.network = network
        self.calendar = calendar
        self.realtime = realtime
    }
}

/// A question for journeys between two sets of stops.
public struct JourneyQuery {
    /// A stop at one end, with the walk between it and the place.
    public struct End: Hashable, Sendable {
        /// The position of the feed in the search.
        public var feed: Int
        public var stop: StopIndex
        /// Seconds.
        public var walk: Int

        public init(feed: Int = 0, stop: StopIndex, walk: Int = 0) {
            self.feed = feed
            self.stop = stop
            self.walk = walk
        }
    }

    /// A change between stops of two feeds.
    public struct FootpathBetweenFeeds: Hashable, Sendable {
        public var from: End
        /// The stop that is reached. Its `walk` is the time of the change in seconds.
        public var to: End
        /// The straight-line distance; 0 if both are the same stop.
        public var meters: Double

        public init(from: End, to: End, meters: Double = 0) {
            self.from = from
            self.to = to
            self.meters = meters
        }
    }

    /// A trip that riders are on board of when the search begins.
    public struct Ride {
        /// The position of the feed in the search.
        public var feed: Int
        /// The call from which riders are on board. Only its trip and its position matter: the search takes the times
        /// from the feed.
        public var call: ExpectedCall

        public init(feed: Int = 0, call: ExpectedCall) {
            self.feed = feed
            self.call = call
        }
    }

    /// Empty if riders are on board of a trip.
    public var origins: [End]
    /// The trip that riders are on board of, which is the first leg of each journey; `nil` for riders who set out from
    /// ``origins``.
    ///
    /// ``JourneyFeed/exclusions`` do not apply to this trip. They alight at a later call of the trip, or of the trips as which its vehicle continues, at ``earliest`` or later: the
    /// vehicle has passed the other calls. Nothing is found if the trip does not run. ``latest`` is not used.
    public var onBoard: Ride?
    public var destinations: [End]
    /// Riders set out at this time at the earliest.
    public var earliest: Instant
    /// Riders set out at this time at the latest; `nil` for the journeys of riders who set out at ``earliest``, of which
    /// only those that arrive earliest are found.
    public var latest: Instant?
    /// Riders arrive at this time at the latest; `nil` for no limit.
    public var arriveBy: Instant?
    /// The greatest number of vehicles; one more than the number of changes.
    public var maximumVehicles = 4
    /// The duration of a journey in seconds beyond which none is found.
    public var maximumDuration = 86_400
    public var walkingSpeed = WalkingSpeed.usual
    /// Whether changes that have stairs or escalators according to pathways.txt are left out.
    public var isStepFree = false
    public var footpathsBetweenFeeds: [FootpathBetweenFeeds] = []
    /// The number of rides after which a search ends early.
    public var maximumWork = 4_000_000

    public init(origins: [End], destinations: [End], earliest: Instant, latest: Instant? = nil) {
        self.origins = origins
        self.destinations = destinations
        self.earliest = earliest
        self.latest = latest
    }

    /// Creates a question of riders who are on board of a trip.
    public init(onBoard ride: Ride, destinations: [End], earliest: Instant) {
        self.init(origins: [], destinations: destinations, earliest: earliest)
        onBoard = ride
    }
}

/// A journey that a search found. It names trips by their positions in the searched data; ``JourneyFeed/calls(of:pattern:)`` resolves them.
public struct FoundJourney {
    /// A ride in one vehicle, without what follows after a change of the trip.
    public struct Leg {
        public var feed: Int
        public var board: Int
        public var alight: Int
        /// Seconds since 1970. A continuation is later than its own times if the trip before ends after it begins.
        public var departure: Int64
        public var arrival: Int64
        public var boardStop: StopIndex
        public var alightStop: StopIndex
        /// Whether the rider stays in the vehicle of the previous leg.
        public var isContinuation: Bool
        /// The time of the change before this leg, in seconds: the walk, or what transfers.txt states. 0 for the first
        /// leg and for a continuation.
        public var changeTime: Int
        /// The straight-line distance in meters that ``changeTime`` is computed from, rounded up; `nil` if it is not a walk.
        public var changeWalk: Int?
        /// Whether the departing vehicle waits (`transfer_type` 1).
        public var isTimedTransfer: Bool
        var pattern: PatternIndex?
        var source: FoundTrip.Source
    }

    public var legs: [Leg]
    /// The walk before the first and after the last leg, in seconds.
    public var walkBefore: Int
    public var walkAfter: Int
    public var leaveBy: Instant
    public var arrival: Instant
    /// The number of vehicles.
    public var vehicles: Int
}

/// The answer of a search.
public struct FoundJourneys {
    /// The journeys that are best in latest departure from the origin, earliest arrival and number of vehicles, in
    /// ascending order of ``FoundJourney/leaveBy``, then of arrival.
    public var journeys: [FoundJourney] = []
    /// Whether the search reached a limit or was canceled, so that journeys may be missing.
    public var isIncomplete = false
}
