public import TransitModel

/// One way that a route takes, as far as a rider's choice of a direction needs it.
public struct RouteDirectionVariant: Hashable, Sendable {
    public var direction: Direction?
    public var headsign: String?
    /// One trip that goes this way, for naming it.
    public var trip: TripID
    /// How many trips do.
    public var tripCount: Int
    public var stopCount: Int

    public init(direction: Direction?, headsign: String?, trip: TripID, tripCount: Int = 1, stopCount: Int) {
        self.direction = direction
        self.headsign = headsign
        self.trip = trip
        self.tripCount = tripCount
        self.stopCount = stopCount
    }
}

/// A direction that a rider may choose, with the ways that belong to it.
public struct RouteDirectionChoice: Hashable, Sendable {
    public var direction: Direction?
    /// Of the usual way.
    public var headsign: String?
    /// The usual way first: the one with the most trips, and where that says nothing, as in a network without times, the
    /// first by name, since operators number their usual way first.
    public var ways: [RouteDirectionVariant]

    /// The directions of a route; a single one means that there is nothing to choose, none that the route is not to be offered.
    ///
    /// Ways on which nobody can ride, because they have fewer than two stops, do not count.
    public static func choices(_ ways: [RouteDirectionVariant]) -> [RouteDirectionChoice] {
        Dictionary(grouping: ways.filter { $0.stopCount >= 2 }, by: \.direction)
            .map { direction, ways in
                let ordered = ways.sorted(by: isMoreUsual)
                return RouteDirectionChoice(
                    direction: direction, headsign: ordered.lazy.compactMap(\.headsign).first, ways: ordered)
            }
            .sorted { ($0.direction?.rawValue ?? .max) < ($1.direction?.rawValue ?? .max) }
    }

    private static func isMoreUsual(_ left: RouteDirectionVariant, than right: RouteDirectionVariant) -> Bool {
        if left.tripCount != right.tripCount { return left.tripCount > right.tripCount }
        return NaturalOrder.areInIncreasingOrder(left.trip.rawValue, right.trip.rawValue)
    }
}
