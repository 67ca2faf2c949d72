public import TransitModel

/// A favorite of a user: a stop, a route, or a route at a stop.
public struct SavedFavorite: Hashable, Sendable {
    /// The departures that a favorite shows.
    public enum Target: Hashable, Sendable {
        /// All departures from a stop. `bothSides` includes the stops with the same name across the road.
        case stop(StopID, bothSides: Bool)
        case route(RouteID)
        case routeAtStop(RouteID, StopID, bothSides: Bool)
    }

    /// Unique per user.
    public var name: String
    /// `nil` if the favorite has no category.
    public var category: String?
    public var feed: FeedID
    public var target: Target

    public init(name: String, category: String? = nil, feed: FeedID, target: Target) {
        self.name = name
        self.category = category
        self.feed = feed
        self.target = target
    }
}

extension SavedFavorite.Target {
    public var stop: StopID? {
        switch self {
        case .stop(let stop, _), .routeAtStop(_, let stop, _): stop
        case .route: nil
        }
    }

    public var route: RouteID? {
        switch self {
        case .route(let route), .routeAtStop(let route, _, _): route
        case .stop: nil
        }
    }

    public var hasBothSides: Bool {
        switch self {
        case .stop(_, let bothSides), .routeAtStop(_, _, let bothSides): bothSides
        case .route: false
        }
    }
}
