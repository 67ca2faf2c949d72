public import TransitModel

/// Sums of logged trips, from which everything that `insights` shows about trips follows.
///
/// The totals of two sets of trips add up to the totals of both together. Therefore the oldest trips can be folded into
/// totals without a change of what `insights` shows.
public struct TripTotals: Hashable, Sendable {
    /// The trips of one service date.
    public struct Day: Hashable, Sendable {
        public var trips = 0
        /// The trips before 07:00 and from 21:00 on, by the time of day counted from midnight of the service date.
        public var earlyTrips = 0
        public var lateTrips = 0
        /// The sum of the known distances.
        public var meters = 0
        /// The trips whose distance is in a straight line, and those whose distance is unknown.
        public var straightLineTrips = 0
        public var unmeasuredTrips = 0

        public init() {}

        static func + (left: Day, right: Day) -> Day {
            var sum = left
            sum.trips += right.trips
            sum.earlyTrips += right.earlyTrips
            sum.lateTrips += right.lateTrips
            sum.meters += right.meters
            sum.straightLineTrips += right.straightLineTrips
            sum.unmeasuredTrips += right.unmeasuredTrips
            return sum
        }
    }

    /// A route between two stops.
    public struct RouteKey: Hashable, Sendable {
        public var feed: FeedID
        public var route: RouteID
        public var stop: StopID
        /// `nil` if the destination is unknown.
        public var destination: StopID?

        public init(feed: FeedID, route: RouteID, stop: StopID, destination: StopID?) {
            self.feed = feed
            self.route = route
            self.stop = stop
            self.destination = destination
        }
    }

    /// The trips on a route between two stops, with the names from the last of them.
    public struct Route: Hashable, Sendable {
        public var trips: Int
        /// The scheduled departure of the last trip.
        public var last: Instant
        public var routeName: String
        public var stopName: String
        public var destinationName: String?

        public init(trips: Int, last: Instant, routeName: String, stopName: String, destinationName: String?) {
            self.trips = trips
            self.last = last
            self.routeName = routeName
            self.stopName = stopName
            self.destinationName = destinationName
        }

        static func + (left: Route, right: Route) -> Route {
            // The comparison of names makes the sum independent of the order.
            let isLeftLast =
                (left.last, left.routeName, left.stopName, left.destinationName ?? "")
                >= (right.last, right.routeName, right.stopName, right.destinationName ?? "")
            var sum = isLeftLast ? left : right
            sum.trips = left.trips + right.trips
            return sum
        }
    }

    public var days: [ServiceDate: Day] = [:]
    public var routes: [RouteKey: Route] = [:]

    public init() {}

    public init(_ trips: some Sequence<SavedTrip>) { for trip in trips { add(trip) } }

    public static let earlyEnd: Int32 = 7 * 3600
    public static let lateBegin: Int32 = 21 * 3600

    public mutating func add(_ trip: SavedTrip) {
        var day = Day()
        day.trips = 1
        day.earlyTrips = trip.time.seconds < Self.earlyEnd ? 1 : 0
        day.lateTrips = trip.time.seconds >= Self.lateBegin ? 1 : 0
        day.meters = trip.meters ?? 0
        day.straightLineTrips = trip.meters != nil && trip.isStraightLine ? 1 : 0
        day.unmeasuredTrips = trip.meters == nil ? 1 : 0
        let key = RouteKey(
            feed: trip.departure.feed, route: trip.departure.route, stop: trip.departure.stop,
            destination: trip.destination)
        let route = Route(
            trips: 1, last: trip.departure.scheduled, routeName: trip.routeName, stopName: trip.stopName,
            destinationName: trip.destinationName)
        days[trip.departure.serviceDate] = days[trip.departure.serviceDate].map { $0 + day } ?? day
        routes[key] = routes[key].map { $0 + route } ?? route
    }

    public static func + (left: TripTotals, right: TripTotals) -> TripTotals {
        var sum = left
        sum.days.merge(right.days) { $0 + $1 }
        sum.routes.merge(right.routes) { $0 + $1 }
        return sum
    }

    public var isEmpty: Bool { days.isEmpty }
    /// The number of all trips.
    public var trips: Int { days.values.reduce(0) { $0 + $1.trips } }
}
