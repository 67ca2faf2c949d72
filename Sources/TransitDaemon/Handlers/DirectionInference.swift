internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Infers the direction of a departure for a caller with the places home and work: toward home, toward work, or
/// neither.
struct DirectionInference {
    let timetable: Timetable
    /// The boarding stops, and the visits of patterns to these stops.
    private let stops: [StopIndex]
    private let visits: [PatternCallPosition]
    /// The stops of the timetable within walking distance of each place, in the order in which they are checked.
    private let ends: [(name: String, stops: Set<StopIndex>)]
    private let nearer: NearerPlaceInference

    init(_ board: FeedBoard, _ context: RequestContext) throws(StoreError) {
        timetable = board.timetable
        (stops, visits) = (board.stops, board.visits)
        var ends: [(name: String, stops: Set<StopIndex>)] = []
        var nearer = NearerPlaceInference(timetable)
        let places = context.places
        for name in [CommuteList.work, CommuteList.home] {
            guard let (place, _) = places[name] else { continue }
            let (stops, coordinate) = try Self.accessStops(of: place, timetable, context)
            if !stops.isEmpty { ends.append((name, stops)) }
            nearer.set(name, coordinate)
        }
        self.ends = ends
        self.nearer = nearer
    }

    /// Returns the stops within walking distance of a place, and the place's position.
    private static func accessStops(
        of place: PlaceConfiguration, _ timetable: Timetable, _ context: RequestContext
    ) throws(StoreError) -> (stops: Set<StopIndex>, coordinate: Coordinate?) {
        switch place.location {
        case .coordinate(let coordinate):
            let options = context.configuration.queries
            let stops = try timetable.reachable(
                from: coordinate, usual: options.walkingRadius, widened: options.maxWalkingRadius)
            return (stops, coordinate)
        case .stop(let stop):
            guard stop.feed == timetable.feed else { return ([], context.coordinate(of: place)) }
            guard let found = try timetable.file.find(stop.stop) else { return ([], nil) }
            let stop = try FoundStop(timetable: timetable, index: found.index, stop: found.stop).withNamesakes()
            return (Set(try stop.callingStops()), found.stop.coordinate)
        }
    }

    /// Whether a departure leaves from one of this board's stops.
    func isFor(_ merged: MergedDeparture) -> Bool { timetable === merged.timetable && stops.contains(merged.call.stop) }

    /// Returns "work" or "home"; `nil` when the trip goes to neither place or starts near its destination. If the trip
    /// serves neither, the direction is inferred from the stop's name or platform (``StopDirectionHint``) or else from
    /// the nearer place (``NearerPlaceInference``).
    func direction(of call: ExpectedCall) throws(StoreError) -> String? {
        guard !ends.isEmpty else { return nil }
        let from = call.stop
        let later = try stops(after: call)
        // If the trip serves both places, the direction is the place that it serves first.
        var first: (name: String, position: Int)?
        for end in ends where !end.stops.contains(from) {
            guard let position = later.firstIndex(where: { end.stops.contains($0) }) else { continue }
            if position < first?.position ?? .max { first = (end.name, position) }
        }
        if let first { return first.name }
        if let place = try hintedPlace(at: from) { return place }
        return try nearer.direction(from: from, to: later.last)
    }

    /// Returns the place that vehicles at a stop head for, inferred from the stop's platform or name; `nil` for a stop
    /// near that place.
    private func hintedPlace(at stop: StopIndex) throws(StoreError) -> String? {
        let cachedStop = try timetable.cachedStop(stop)
        guard let hint = StopDirectionHint(name: cachedStop.name, platform: cachedStop.platform) else { return nil }
        let direction: String
        switch TravelDirection(
            hint, at: cachedStop.coordinate, home: try place(CommuteList.home, hint),
            work: try place(CommuteList.work, hint))
        {
        case .home: direction = CommuteList.home
        case .work: direction = CommuteList.work
        case .unknown: return nil
        }
        return ends.contains { $0.name == direction && $0.stops.contains(stop) } ? nil : direction
    }

    /// Returns the coordinate and the stop names of a place, for comparison with a direction hint; `nil` if the place
    /// is not set.
    private func place(_ name: String, _ hint: StopDirectionHint) throws(StoreError) -> DirectionHintPlace? {
        var names: Set<String> = []
        if case .towards = hint, let end = ends.first(where: { $0.name == name }) {
            for stop in end.stops {
                let name = try timetable.cachedStop(stop).name
                // A stop whose name refers to another destination is not that destination.
                if case .towards = StopDirectionHint(name: name, platform: nil) { continue }
                names.insert(SearchText.fold(name))
            }
        }
        let coordinate = nearer.coordinate(of: name)
        return coordinate == nil && names.isEmpty ? nil : DirectionHintPlace(coordinate: coordinate, names: names)
    }

    /// The stops of the later calls of the trip, in order.
    private func stops(after call: ExpectedCall) throws(StoreError) -> [StopIndex] {
        switch call.subject {
        case .scheduled(let scheduled): return Self.stops(of: scheduled.pattern, after: scheduled.position)
        case .extra(let trip, let position):
            if position + 1 < trip.calls.count { return trip.calls.dropFirst(position + 1).map(\.stop) }
            return try stops(afterOnlyCallOf: trip)
        }
    }

    /// Returns the later stops for a prediction that covers a single stop: those in the route's pattern for the
    /// prediction's direction. Without directions in the feed, a route's list of stops may cover both directions; only
    /// the headsign then identifies the last stop.
    private func stops(afterOnlyCallOf trip: ExtraTrip) throws(StoreError) -> [StopIndex] {
        let visitsAhead = visits.filter { $0.pattern.route == trip.route && $0.position + 1 < $0.pattern.callCount }
        let directions = Set(visitsAhead.map(\.pattern.direction))
        let direction = trip.direction ?? (directions.count == 1 ? directions.first ?? nil : nil)
        if let direction, let visit = visitsAhead.first(where: { $0.pattern.direction == direction }) {
            return Self.stops(of: visit.pattern, after: visit.position)
        }
        guard let headsign = trip.headsign.map({ SearchText.fold($0) }) else { return [] }
        for visit in visitsAhead {
            for call in visit.pattern.calls
            where Self.isPole(SearchText.fold(try timetable.cachedStop(call.stop).name), of: headsign) {
                return [call.stop]
            }
        }
        return []
    }

    /// Whether a stop matches the name in a headsign, or is one of the numbered platforms with that name: "Centrum",
    /// "Centrum 04".
    private static func isPole(_ stop: String, of headsign: String) -> Bool {
        guard stop.hasPrefix(headsign) else { return false }
        let rest = stop.utf8.dropFirst(headsign.utf8.count)
        return rest.isEmpty
            || rest.count == 3 && rest.first == UInt8(ascii: " ")
                && rest.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func stops(of pattern: Pattern, after position: Int) -> [StopIndex] {
        pattern.calls.dropFirst(position + 1).map(\.stop)
    }
}

extension Timetable {
    /// Returns the stops within the usual walking radius of a place or, if there are none, within the widened radius.
    /// Both radii are in meters.
    ///
    /// The result is cached, because clients repeat board requests and places rarely move.
    func reachable(from place: Coordinate, usual: Int, widened: Int) throws(StoreError) -> Set<StopIndex> {
        let key = WalkingArea(place: place, usual: usual, widened: widened)
        if let known = cachedStops(in: key) { return known }
        let radius = WalkingRadius(usual: Double(usual), widened: Double(widened))
        let stops = Set(radius.walks(to: try callingStops(near: place, within: radius.widened)).keys)
        cacheStops(stops, in: key)
        return stops
    }
}
