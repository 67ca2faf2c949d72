internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Tells what a departure is for a caller with a home and a work: on its way to one of them, or neither.
struct DirectionInference {
    let timetable: Timetable
    /// Where it leaves, and what calls there.
    private let stops: [StopIndex]
    private let visits: [PatternVisit]
    /// The stops of a timetable from which each place is reached on foot, in the order in which they are looked at.
    private let ends: [(name: String, stops: Set<StopIndex>)]
    private let nearer: NearerPlaceInference

    init(_ side: FeedBoard, _ context: RequestContext) throws(StoreError) {
        timetable = side.timetable
        (stops, visits) = (side.stops, side.visits)
        var ends: [(name: String, stops: Set<StopIndex>)] = []
        var nearer = NearerPlaceInference(timetable)
        let places = context.places
        for name in [CommuteList.work, CommuteList.home] {
            guard let (place, _) = places[name] else { continue }
            let (stops, coordinate) = try Self.surroundings(of: place, timetable, context)
            if !stops.isEmpty { ends.append((name, stops)) }
            nearer.set(name, coordinate)
        }
        self.ends = ends
        self.nearer = nearer
    }

    /// The stops from which a place is reached, and where it is.
    private static func surroundings(
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

    /// Whether a departure is one of those that it was made for.
    func isFor(_ merged: MergedDeparture) -> Bool { timetable === merged.timetable && stops.contains(merged.call.stop) }

    /// "work" or "home"; `nil` when it goes to neither, or starts where it would end. Where its trip serves
    /// neither, the stop itself tells (``StopDirectionHint``), else the place that is nearer.
    func direction(of call: ExpectedCall) throws(StoreError) -> String? {
        guard !ends.isEmpty else { return nil }
        let from = call.stop
        let later = try stops(after: call)
        // Of a trip that serves both, the one that it serves first is meant.
        var first: (name: String, position: Int)?
        for end in ends where !end.stops.contains(from) {
            guard let position = later.firstIndex(where: { end.stops.contains($0) }) else { continue }
            if position < first?.position ?? .max { first = (end.name, position) }
        }
        if let first { return first.name }
        if let said = try said(at: from) { return said }
        return try nearer.direction(from: from, to: later.last)
    }

    /// The place to which vehicles go that leave a stop, by what the stop's platform or name says; `nil` for a stop of that
    /// place.
    private func said(at stop: StopIndex) throws(StoreError) -> String? {
        let cachedStop = try timetable.cachedStop(stop)
        guard let sign = StopDirectionHint(name: cachedStop.name, platform: cachedStop.platform) else { return nil }
        let meant: String
        switch TravelDirection(
            sign, at: cachedStop.coordinate, home: try place(CommuteList.home, sign),
            work: try place(CommuteList.work, sign))
        {
        case .home: meant = CommuteList.home
        case .work: meant = CommuteList.work
        case .unknown: return nil
        }
        return ends.contains { $0.name == meant && $0.stops.contains(stop) } ? nil : meant
    }

    /// A place as far as a sign can mean it; `nil` for one that is not set.
    private func place(_ name: String, _ sign: StopDirectionHint) throws(StoreError) -> DirectionHintPlace? {
        var names: Set<String> = []
        if case .towards = sign, let end = ends.first(where: { $0.name == name }) {
            for stop in end.stops {
                let name = try timetable.cachedStop(stop).name
                // What is called after another end is not that end.
                if case .towards = StopDirectionHint(name: name, platform: nil) { continue }
                names.insert(SearchText.fold(name))
            }
        }
        let coordinate = nearer.coordinate(of: name)
        return coordinate == nil && names.isEmpty ? nil : DirectionHintPlace(coordinate: coordinate, names: names)
    }

    /// Where it calls later, in its order.
    private func stops(after call: ExpectedCall) throws(StoreError) -> [StopIndex] {
        switch call.subject {
        case .scheduled(let scheduled): return Self.stops(of: scheduled.pattern, after: scheduled.position)
        case .extra(let trip, let position):
            if position + 1 < trip.calls.count { return trip.calls.dropFirst(position + 1).map(\.stop) }
            return try stops(afterOnlyCallOf: trip)
        }
    }

    /// Of a prediction for one stop: the way that its route has from there in its direction. Where the feed has no
    /// directions, a route's stops may be a list of both; then the headsign alone says where it ends.
    private func stops(afterOnlyCallOf trip: ExtraTrip) throws(StoreError) -> [StopIndex] {
        let ways = visits.filter { $0.pattern.route == trip.route && $0.position + 1 < $0.pattern.callCount }
        let directions = Set(ways.map(\.pattern.direction))
        let direction = trip.direction ?? (directions.count == 1 ? directions.first ?? nil : nil)
        if let direction, let way = ways.first(where: { $0.pattern.direction == direction }) {
            return Self.stops(of: way.pattern, after: way.position)
        }
        guard let headsign = trip.headsign.map({ SearchText.fold($0) }) else { return [] }
        for way in ways {
            for call in way.pattern.calls
            where Self.isPole(SearchText.fold(try timetable.cachedStop(call.stop).name), of: headsign) {
                return [call.stop]
            }
        }
        return []
    }

    /// Whether a stop is the one that a headsign names, or one of its poles: "Centrum", "Centrum 04".
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
    /// The stops within the usual way on foot of a place; where there are none, those within the widened one. In metres.
    ///
    /// Remembered: boards are asked for again and again, and places stay where they are.
    func reachable(from place: Coordinate, usual: Int, widened: Int) throws(StoreError) -> Set<StopIndex> {
        let key = WalkingArea(place: place, usual: usual, widened: widened)
        if let known = remembered(key) { return known }
        let radius = WalkingRadius(usual: Double(usual), widened: Double(widened))
        let stops = Set(radius.walks(to: try callingStops(near: place, within: radius.widened)).keys)
        remember(stops, of: key)
        return stops
    }
}
