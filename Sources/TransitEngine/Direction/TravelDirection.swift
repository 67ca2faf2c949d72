public import TransitModel

/// What a vehicle is for somebody who has a home and a work: on its way to one of them, or nobody can tell.
public enum TravelDirection: String, Hashable, Sendable, CaseIterable {
    case work
    case home
    case unknown

    /// Metres by which one of both has to be nearer before that says anything.
    public static let clearly = 300.0

    /// - Parameters:
    ///   - stop: where one boards.
    ///   - later: where its trip calls after that, in its order; empty when the trip is not known.
    ///   - reach: metres from a place within which its stops lie.
    public init(
        from stop: Coordinate?, later: [Coordinate?], home: Coordinate?, work: Coordinate?,
        reach: Double = WalkingRadius().usual
    ) {
        self =
            Self.served(from: stop, later: later, home: home, work: work, reach: reach)
            ?? Self.nearer(stop, home: home, work: work)
    }

    /// The trip tells: of both places the one that it comes to first, unless one boards there.
    private static func served(
        from stop: Coordinate?, later: [Coordinate?], home: Coordinate?, work: Coordinate?, reach: Double
    ) -> Self? {
        func isNear(_ place: Coordinate?, _ stop: Coordinate?) -> Bool {
            guard let place, let stop else { return false }
            return place.distance(to: stop) <= reach
        }
        let toWork = isNear(work, stop) ? nil : later.firstIndex { isNear(work, $0) }
        let toHome = isNear(home, stop) ? nil : later.firstIndex { isNear(home, $0) }
        switch (toWork, toHome) {
        case (let work?, let home?): return work == home ? nil : work < home ? .work : .home
        case (.some, nil): return .work
        case (nil, .some): return .home
        case (nil, nil): return nil
        }
    }

    /// What leaves near home goes to work, and the reverse.
    private static func nearer(_ stop: Coordinate?, home: Coordinate?, work: Coordinate?) -> Self {
        guard let stop, let home, let work else { return .unknown }
        let (toHome, toWork) = (stop.distance(to: home), stop.distance(to: work))
        if toHome + clearly < toWork { return .work }
        return toWork + clearly < toHome ? .home : .unknown
    }
}
