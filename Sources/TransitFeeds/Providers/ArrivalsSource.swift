public import TransitModel

/// Tells the next departures of a stop when somebody asks, and not otherwise: what most bus operators of Hong Kong and the
/// stop schedules of Warsaw are.
public protocol ArrivalsSource: Sendable {
    var pace: ArrivalsPolicy { get }
    /// Whether answers name trips, so that those about several stops tell of one trip together (``TripUpdate/isPart``): then
    /// the end of a journey is asked about as its beginning is.
    var hasTripIDs: Bool { get }
    /// Seconds after now that the departures of an answer cover.
    var horizon: Int { get }
    /// What tells the routes that call at a stop; `nil` where the network says it all.
    var lines: (any StopRoutesSource)? { get }
    /// Seconds for which the answer to a query is as good as a new one.
    func lifetime(of query: ArrivalsQuery) -> Int
    /// What has to be asked to know the next departures of some variants at a stop; the same answer may serve several stops.
    ///
    /// - Parameter now: the time of the request; some queries contain the date.
    func queries(at stop: StopID, for variants: [RouteVariant], now: Instant) -> [ArrivalsQuery]
    func request(for query: ArrivalsQuery) -> UpstreamRequest
    /// Reads an answer. Every entity belongs to the query: those of its answer before are replaced.
    func message(_ body: [UInt8], of query: ArrivalsQuery, received: Instant) throws(FeedError) -> DecodedMessage
}

extension ArrivalsSource {
    public var hasTripIDs: Bool { false }
    /// A little more than an hour.
    public var horizon: Int { 2 * 3600 }
    public var lines: (any StopRoutesSource)? { nil }
    public func lifetime(of query: ArrivalsQuery) -> Int { pace.lifetime }
}

/// Tells which routes call at a stop when somebody asks: a part of an ``ArrivalsSource``, which is asked its queries.
public protocol StopRoutesSource: Sendable {
    func query(at stop: StopID) -> ArrivalsQuery
    /// The routes that an answer names, in its order.
    func routes(_ body: [UInt8]) throws(FeedError) -> [Route]
}

/// A way that a route takes, as the network has it: a trip of a service that never runs.
public struct RouteVariant: Hashable, Sendable {
    public var route: RouteID
    public var trip: TripID
    /// Where it calls at the stop in question, in order: more than once where it comes by again. Empty: not told, and then
    /// an answer is taken as it is. When it is told, then of all variants of the route at the stop: what does not call there
    /// is left out of an answer.
    public var calls: [Call]

    public init(route: RouteID, trip: TripID, calls: [Call] = []) {
        self.route = route
        self.trip = trip
        self.calls = calls
    }

    /// One call of a way.
    public struct Call: Hashable, Sendable {
        /// `stop_sequence` in the network.
        public var sequence: UInt32
        /// Where the way ends: nobody gets on there.
        public var isLast: Bool

        public init(sequence: UInt32, isLast: Bool = false) {
            self.sequence = sequence
            self.isLast = isLast
        }
    }
}

/// Names one question to an ``ArrivalsSource``; what is in it is the source's own.
public struct ArrivalsQuery: Sendable, CustomStringConvertible {
    public var description: String
    /// What the network knows of what the answer will be about. It helps in reading the answer and is not part of the
    /// question: queries of one name are one.
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
