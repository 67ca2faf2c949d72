internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Draws random questions about one or two feeds.
struct JourneyQuestions {
    let feeds: [CheckedFeed]
    /// The walks between stops of different feeds.
    let betweenFeeds: [JourneyQuery.FootpathBetweenFeeds]
    var generator: SeededGenerator
    /// The stops where trips call and whose position is known.
    private let placed: [(feed: Int, stop: Int, coordinate: Coordinate)]

    /// The walk at the ends of a journey and between feeds, in meters.
    private static let radius = 700.0
    private static let radiusBetweenFeeds = 500.0

    init(_ feeds: [CheckedFeed], seed: UInt64) {
        self.feeds = feeds
        generator = SeededGenerator(seed: seed)
        placed = feeds.enumerated().flatMap { number, feed in
            feed.visited.compactMap { stop in feed.stops[stop].coordinate.map { (number, stop, $0) } }
        }
        betweenFeeds = feeds.count < 2 ? [] : Self.walks(placed)
    }

    private static func walks(
        _ placed: [(feed: Int, stop: Int, coordinate: Coordinate)]
    ) -> [JourneyQuery.FootpathBetweenFeeds] {
        var walks: [JourneyQuery.FootpathBetweenFeeds] = []
        for from in placed {
            for to in placed where to.feed != from.feed {
                let meters = from.coordinate.distance(to: to.coordinate)
                guard meters <= radiusBetweenFeeds else { continue }
                walks.append(
                    .init(
                        from: .init(feed: from.feed, stop: StopIndex(from.stop)),
                        to: .init(
                            feed: to.feed, stop: StopIndex(to.stop), walk: WalkingSpeed.usual.seconds(meters: meters))))
            }
        }
        return walks
    }

    mutating func chance(_ percent: Int) -> Bool { generator.number(0...99) < percent }

    /// Returns a date on which all feeds run, if there is one.
    mutating func date() -> ServiceDate? {
        var common = Set(feeds[0].dates)
        for feed in feeds.dropFirst() { common.formIntersection(feed.dates) }
        return common.sorted().randomElement(using: &generator)
    }

    /// Returns a random stop as the center of an end.
    ///
    /// - Parameters:
    ///   - feed: The feed of the stop.
    ///   - other: A place to which it is near half of the time, so that more questions have an answer.
    mutating func center(in feed: Int, near other: Coordinate? = nil) -> (stop: Int, coordinate: Coordinate?) {
        let stops = feeds[feed].stops
        var best = feeds[feed].visited.randomElement(using: &generator) ?? 0
        guard let other, chance(50) else { return (best, stops[best].coordinate) }
        for _ in 0..<6 {
            let stop = feeds[feed].visited.randomElement(using: &generator) ?? 0
            guard let place = stops[stop].coordinate else { continue }
            if stops[best].coordinate.map({ $0.distance(to: other) > place.distance(to: other) }) ?? true {
                best = stop
            }
        }
        return (best, stops[best].coordinate)
    }

    /// Returns the stops at one end of a journey: one stop, or those around it with the walk to each.
    mutating func end(in feed: Int, _ center: (stop: Int, coordinate: Coordinate?)) -> [ReferenceSearch.End] {
        guard let here = center.coordinate, chance(70) else {
            return [.init(feed: feed, stop: center.stop, walk: generator.number(0...1) * 60)]
        }
        return placed.compactMap { place in
            guard abs(place.coordinate.latitude - here.latitude) < 0.01 else { return nil }
            let meters = here.distance(to: place.coordinate)
            guard meters <= Self.radius else { return nil }
            return .init(feed: place.feed, stop: place.stop, walk: WalkingSpeed.usual.seconds(meters: meters))
        }
    }
}

/// A question with the data that answers it.
struct JourneyQuestion {
    var origins: [ReferenceSearch.End]
    var destinations: [ReferenceSearch.End]
    var earliest: Instant
    var latest: Instant
    var arriveBy: Instant?
    var maximumDuration: Int
    static let vehicles = 4

    /// The time by which journeys arrive, in seconds since 1970.
    var limit: Int64 {
        let end = latest.advanced(by: maximumDuration)
        return min(end, arriveBy ?? end).secondsSince1970
    }

    func query(_ betweenFeeds: [JourneyQuery.FootpathBetweenFeeds]) -> JourneyQuery {
        var query = JourneyQuery(
            origins: origins.map(Self.end), destinations: destinations.map(Self.end), earliest: earliest,
            latest: latest)
        query.arriveBy = arriveBy
        query.maximumDuration = maximumDuration
        query.maximumVehicles = Self.vehicles
        query.footpathsBetweenFeeds = betweenFeeds
        return query
    }

    private static func end(_ end: ReferenceSearch.End) -> JourneyQuery.End {
        .init(feed: end.feed, stop: StopIndex(end.stop), walk: end.walk)
    }
}
