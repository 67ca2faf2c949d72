/// The part of a feed that an import keeps (`[feed.keep]`): the stops near some places, some routes, or both.
///
/// A stop is kept if it is within ``radius`` of a place. Without places, every stop of a kept trip is kept. A trip is kept
/// whole if it calls at a kept stop and, if routes or agencies are given, belongs to one of them.
public struct FeedSubset: Hashable, Sendable {
    /// A place around which stops are kept.
    public enum Place: Hashable, Sendable {
        case coordinate(Coordinate)
        /// A stop of the feed itself.
        case stop(StopID)
    }

    /// The places. If empty, the position of a stop does not matter.
    public var places: [Place]
    /// The distance from a place, in meters, up to which stops are kept.
    public var radius: Int
    /// Identifiers or names of routes.
    public var routes: [String]
    /// Identifiers or names of agencies.
    public var agencies: [String]

    /// The default of ``radius``, in meters.
    public static let defaultRadius = 10_000

    public init(
        places: [Place] = [], radius: Int = FeedSubset.defaultRadius, routes: [String] = [], agencies: [String] = []
    ) {
        self.places = places
        self.radius = radius
        self.routes = routes
        self.agencies = agencies
    }

    /// Whether only some routes are kept.
    public var isOfRoutes: Bool { !routes.isEmpty || !agencies.isEmpty }
}

extension FeedSubset: CustomStringConvertible {
    /// The same text for the same rule. A timetable file stores the text, so a change of the rule is noticed.
    public var description: String {
        var parts: [String] = []
        if !places.isEmpty {
            parts.append("stops within \(radius) m of \(places.map { "\($0)" }.joined(separator: ", "))")
        }
        if !routes.isEmpty { parts.append("routes \(Self.quoted(routes))") }
        if !agencies.isEmpty { parts.append("agencies \(Self.quoted(agencies))") }
        return parts.joined(separator: "; ")
    }

    private static func quoted(_ names: [String]) -> String {
        names.map { name in "\"\(name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" }
            .joined(separator: ", ")
    }
}

extension FeedSubset.Place: CustomStringConvertible {
    public var description: String {
        switch self {
        case .coordinate(let coordinate): "\(coordinate.latitude),\(coordinate.longitude)"
        case .stop(let id): "stop \(id)"
        }
    }
}
