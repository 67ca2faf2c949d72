internal import TransitEngine
internal import TransitModel
package import TransitStore

/// The walks to the stops of a board, from one of the caller's places or as the request states them.
package struct BoardWalks: Sendable {
    /// The name of the place; `nil` if the request states the walk.
    package let place: String?
    /// For each board of a feed, the walks to those of its stops that are near enough.
    private let walks: [(timetable: Timetable, byStop: [StopIndex: Walk])]
    /// The walk to each stop, if the request states it.
    private let stated: Int?
    /// The shortest walk to a stop of the board, in seconds; `nil` if none is near enough.
    package let shortest: Int?

    /// A walk to a stop.
    package struct Walk: Hashable, Sendable {
        package var seconds: Int
        /// The straight-line distance from which the walk is estimated; `nil` if the caller set the walk.
        package var meters: Int?
    }

    /// The start of the walk, as a request states it.
    package enum Start: Hashable, Sendable {
        /// The place with the shortest walk to the stops of the board.
        case nearestPlace
        /// The place with a name, in any spelling.
        case place(String)
        /// A walk of this many seconds, from wherever the rider is.
        case walk(Int)
    }

    /// Creates the walks from the place within walking distance that has the shortest one; `nil` if there is none. These
    /// are the walks of `next`: to the stops within the usual radius of the place or, without any, within the widened one.
    init?(nearestTo boards: [MergedBoard], _ context: QueryContext) throws(StoreError) {
        let places = context.places
        if places.isEmpty { return nil }
        var nearest: BoardWalks?
        for name in places.names {
            guard let (place, _) = places[name] else { continue }
            let walks = try BoardWalks(from: place, named: name, to: boards, isWidened: false, context)
            if let walk = walks.shortest, walk < nearest?.shortest ?? .max { nearest = walks }
        }
        guard let nearest else { return nil }
        self = nearest
    }

    /// Creates the walks for a request that needs them.
    ///
    /// - Parameters:
    ///   - start: A place that is not within walking distance of the stop may be as far away as the widened radius.
    ///   - stop: The name of the stop, for errors.
    /// - Throws: ``QueryError/placeNotFound(_:known:similar:)``, ``QueryError/walkNotKnown(to:places:radius:)`` and
    ///   `StoreError`.
    init(_ start: Start, to boards: [MergedBoard], stop: String, _ context: QueryContext) throws {
        let places = context.places
        var names = places.names
        switch start {
        case .walk(let seconds):
            (place, walks, stated, shortest) = (nil, [], seconds, seconds)
            return
        case .place(let text):
            _ = try places.place(text)
            names = [places.name(meantBy: text) ?? text]
        case .nearestPlace:
            if let near = try BoardWalks(nearestTo: boards, context) {
                self = near
                return
            }
        }
        var nearest: BoardWalks?
        for name in names {
            let walks = try BoardWalks(
                from: places.place(name).place, named: name, to: boards, isWidened: true, context)
            if let walk = walks.shortest, walk < nearest?.shortest ?? .max { nearest = walks }
        }
        guard let nearest else {
            throw QueryError.walkNotKnown(to: stop, places: names, radius: context.settings.maxWalkingRadius)
        }
        self = nearest
    }

    private init(
        from place: PlaceConfiguration, named name: String, to boards: [MergedBoard], isWidened: Bool,
        _ context: QueryContext
    ) throws(StoreError) {
        self.place = name
        stated = nil
        var walks: [(timetable: Timetable, byStop: [StopIndex: Walk])] = []
        for board in boards.flatMap(\.feedBoards) {
            let timetable = board.timetable
            let (own, position) = try DirectionInference.accessStops(of: place, timetable, context)
            var byStop: [StopIndex: Walk] = [:]
            for stop in board.stops {
                let isOwn = own.contains(stop)
                guard isOwn || isWidened else { continue }
                if isOwn, let walk = place.walk ?? (place.isStop ? 0 : nil) {
                    byStop[stop] = Walk(seconds: walk)
                } else if let position, let meters = try timetable.cachedStop(stop).coordinate?.distance(to: position),
                    isOwn || meters <= Double(context.settings.maxWalkingRadius)
                {
                    byStop[stop] = Walk(
                        seconds: context.settings.walkingSpeed.seconds(meters: meters), meters: Int(meters.rounded()))
                }
            }
            walks.append((timetable, byStop))
        }
        self.walks = walks
        shortest = walks.compactMap { $0.byStop.values.lazy.map(\.seconds).min() }.min()
    }

    /// Returns the walk to the stop of a departure in seconds. A platform that is not one of the board's is assumed to be
    /// as far away as the nearest of them.
    package func walk(to departure: MergedDeparture) -> Int? {
        stated ?? knownWalk(to: departure)?.seconds ?? shortest
    }

    fileprivate func knownWalk(to departure: MergedDeparture) -> Walk? {
        walks.lazy.filter { $0.timetable === departure.timetable }.compactMap { $0.byStop[departure.call.stop] }.first
    }
}

extension MergedDeparture {
    /// Returns the walk to the stop of the departure, from the caller's place that has the shortest one; `nil` if the stop is
    /// not within walking distance of any place. The walk is that of a board of the stop.
    package func walk(_ context: QueryContext) throws(StoreError) -> (walk: BoardWalks.Walk, place: String)? {
        let board = try MergedBoard(FeedBoard(timetable, stops: [call.stop], routes: nil), context)
        guard let walks = try BoardWalks(nearestTo: [board], context), let place = walks.place,
            let walk = walks.knownWalk(to: self)
        else { return nil }
        return (walk, place)
    }
}

extension PlaceConfiguration {
    fileprivate var isStop: Bool { if case .stop = location { true } else { false } }
}
