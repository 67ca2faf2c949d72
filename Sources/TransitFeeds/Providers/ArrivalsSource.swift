public import TransitModel

/// The departures that an upstream provides stop by stop, fetched on demand. Most bus operators in Hong Kong and the
/// stop schedules in Warsaw work this way.
public protocol ArrivalsSource: Sendable {
    var policy: ArrivalsPolicy { get }
    /// Whether responses contain trip identifiers. If so, the responses for several stops describe one trip together
    /// (``TripUpdate/isPartial``), and the destination of a journey is queried as well as its origin.
    var hasTripIDs: Bool { get }
    /// The time span that a response covers, in seconds from now.
    var horizon: Int { get }
    /// The source of the routes that call at a stop; `nil` if the network is complete without it.
    var stopRoutes: (any StopRoutesSource)? { get }
    /// How long the response to a query stays fresh, in seconds.
    func lifetime(of query: ArrivalsQuery) -> Int
    /// Returns the queries that together yield the next departures of some variants at a stop. Several stops can share
    /// a query.
    ///
    /// - Parameter now: The time of the request; some queries contain the date.
    func queries(at stop: StopID, for variants: [RouteVariant], now: Instant) -> [ArrivalsQuery]
    func request(for query: ArrivalsQuery) -> UpstreamRequest
    /// Parses a response. Its entities replace those of the previous response to the same query.
    func message(_ body: [UInt8], of query: ArrivalsQuery, received: Instant) throws(FeedError) -> DecodedMessage
}

extension ArrivalsSource {
    public var hasTripIDs: Bool { false }
    /// Two hours.
    public var horizon: Int { 2 * 3600 }
    public var stopRoutes: (any StopRoutesSource)? { nil }
    public func lifetime(of query: ArrivalsQuery) -> Int { policy.lifetime }
}

/// Fetches the routes that call at a stop, on demand. Its queries are sent through the ``ArrivalsSource`` that it
/// belongs to.
public protocol StopRoutesSource: Sendable {
    func query(at stop: StopID) -> ArrivalsQuery
    /// Returns the routes in a response, in the order of the response.
    func routes(_ body: [UInt8]) throws(FeedError) -> [Route]
}

/// A stop sequence of a route, stored in the network as a trip of a service that never runs.
public struct RouteVariant: Hashable, Sendable {
    public var route: RouteID
    public var trip: TripID
    /// The variant's calls at the queried stop, in order. There are several if the variant calls there repeatedly, and
    /// none if the calls are unknown, in which case the response is not filtered. If the calls are known, they are
    /// known for every variant of the route at the stop, and departures that match no call are left out of the
    /// response.
    public var calls: [Call]

    public init(route: RouteID, trip: TripID, calls: [Call] = []) {
        self.route = route
        self.trip = trip
        self.calls = calls
    }

    /// One call of a variant.
    public struct Call: Hashable, Sendable {
        /// `stop_sequence` in the network.
        public var sequence: UInt32
        /// Whether the variant ends here, so that no one can board.
        public var isLast: Bool

        public init(sequence: UInt32, isLast: Bool = false) {
            self.sequence = sequence
            self.isLast = isLast
        }
    }
}

/// Identifies one query to an ``ArrivalsSource``. Only the source interprets the text.
public struct ArrivalsQuery: Sendable, CustomStringConvertible {
    public var description: String
    /// The variants that the response can cover. They help to parse the response and are not part of the query's
    /// identity: two queries with the same description are equal.
    public var variants: [RouteVariant]

    public init(_ description: String, variants: [RouteVariant] = []) {
        self.description = description
        self.variants = variants
    }
}

extension ArrivalsQuery: Hashable, Comparable {
    public static func == (left: Self, right: Self) -> Bool { left.description == right.description }
    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
