public import TransitModel

/// A variant of a route, with the properties for choosing a direction.
public struct RouteDirectionPattern: Hashable, Sendable {
    public var direction: Direction?
    public var headsign: String?
    /// A trip of the variant, which identifies it.
    public var trip: TripID
    /// The number of trips of the variant.
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

/// A direction of a route that riders can choose, with its variants.
public struct RouteDirectionChoice: Hashable, Sendable {
    public var direction: Direction?
    /// The headsign of the usual variant.
    public var headsign: String?
    /// The variants, starting with the usual variant, which is the variant with the most trips. If the numbers of trips
    /// are equal, as in a network without times, the usual variant is the first by trip identifier, because operators
    /// number their usual variant first.
    public var variants: [RouteDirectionPattern]

    /// Returns the directions of a route. If there is only one direction, there is nothing to choose. If there is none,
    /// the route should not be offered.
    ///
    /// Variants with fewer than two stops are ignored, because riders cannot use them.
    public static func choices(_ variants: [RouteDirectionPattern]) -> [RouteDirectionChoice] {
        Dictionary(grouping: variants.filter { $0.stopCount >= 2 }, by: \.direction)
            .map { direction, variants in
                let ordered = variants.sorted(by: isMoreUsual)
                return RouteDirectionChoice(
                    direction: direction, headsign: ordered.lazy.compactMap(\.headsign).first, variants: ordered)
            }
            .sorted { ($0.direction?.rawValue ?? .max) < ($1.direction?.rawValue ?? .max) }
    }

    private static func isMoreUsual(_ left: RouteDirectionPattern, than right: RouteDirectionPattern) -> Bool {
        if left.tripCount != right.tripCount { return left.tripCount > right.tripCount }
        return NaturalOrder.areInIncreasingOrder(left.trip.rawValue, right.trip.rawValue)
    }
}
