package import TransitEngine
internal import TransitModel
package import TransitStore

/// Infers the direction of a departure for a caller with the places home and work: toward home, toward work, or
/// neither.
package struct DirectionInference {
    package let timetable: Timetable
    /// The boarding stops, and the visits of patterns to these stops.
    private let stops: [StopIndex]
    private let visits: [PatternCallPosition]
    /// The stops of the timetable within walking distance of each place, in the order in which they are checked.
    private let ends: [(direction: TravelDirection, stops: Set<StopIndex>)]
    private var home: Coordinate?
    private var work: Coordinate?

    /// Whether the caller has a place to which a direction can lead.
    static func isPossible(_ context: QueryContext) -> Bool {
        let places = context.places
        return !places.isEmpty && (places[CommuteList.work] != nil || places[CommuteList.home] != nil)
    }

    package init(_ board: FeedBoard, _ context: QueryContext) throws(StoreError) {
        timetable = board.timetable
        (stops, visits) = (board.stops, board.visits)
        var ends: [(direction: TravelDirection, stops: Set<StopIndex>)] = []
        let places = context.places
        for (name, direction) in [(CommuteList.work, TravelDirection.work), (CommuteList.home, .home)] {
            guard let (place, _) = places[name] else { continue }
            let (stops, coordinate) = try Self.accessStops(of: place, timetable, context)
            if !stops.isEmpty { ends.append((direction, stops)) }
            if direction == .work { work = coordinate } else { home = coordinate }
        }
        self.ends = ends
    }

    /// Returns the stops within walking distance of a place, and the place's position.
    static func accessStops(
        of place: PlaceConfiguration, _ timetable: Timetable, _ context: QueryContext
    ) throws(StoreError) -> (stops: Set<StopIndex>, coordinate: Coordinate?) {
        switch place.location {
        case .coordinate(let coordinate):
            let options = context.settings
            let stops = try timetable.reachable(
                from: coordinate, usual: options.walkingRadius, widened: options.maxWalkingRadius)
            return (stops, coordinate)
        case .stop(let stop):
            guard stop.feed == timetable.feed else { return ([], context.coordinate(of: place)) }
            guard let found = try timetable.cachedStop(id: stop.stop) else { return ([], nil) }
            let stop = try FoundStop(timetable: timetable, index: found.index, stop: found.stop).withNamesakes()
            return (Set(try stop.callingStops()), found.stop.coordinate)
        }
    }

    /// Whether a departure leaves from one of this board's stops.
    package func isFor(_ merged: MergedDeparture) -> Bool {
        timetable === merged.timetable && stops.contains(merged.call.stop)
    }

    /// Returns `unknown` when the trip goes to neither place or starts near its destination. If the trip serves neither,
    /// the direction is inferred from the stop's name or platform (``StopDirectionHint``) or else from the nearer place.
    package func direction(of call: ExpectedCall) throws(StoreError) -> TravelDirection {
        guard !ends.isEmpty else { return .unknown }
        let from = call.stop
        let later = try stops(after: call)
        // If the trip serves both places, the direction is the place that it serves first.
        var first: (direction: TravelDirection, position: Int)?
        for end in ends where !end.stops.contains(from) {
            guard let position = later.firstIndex(where: { end.stops.contains($0) }) else { continue }
            if position < first?.position ?? .max { first = (end.direction, position) }
        }
        if let first { return first.direction }
        let hinted = try hintedDirection(at: from)
        return hinted == .unknown ? try nearerDirection(from: from, to: later.last) : hinted
    }

    /// Returns the direction in which vehicles at a stop leave, inferred from the stop's platform or name; `unknown` for
    /// a stop near that place.
    private func hintedDirection(at stop: StopIndex) throws(StoreError) -> TravelDirection {
        let cachedStop = try timetable.cachedStop(stop)
        guard let hint = cachedStop.directionHint else { return .unknown }
        let direction = TravelDirection(
            hint, at: cachedStop.coordinate, home: try place(.home, home, hint), work: try place(.work, work, hint))
        return ends.contains { $0.direction == direction && $0.stops.contains(stop) } ? .unknown : direction
    }

    /// Returns the direction of a trip that serves neither place, based on the place that is nearer to the stop; `unknown`
    /// if a place is not set, if neither is clearly nearer, or if the trip is not known to end nearer to the other place.
    ///
    /// - Parameter end: The last stop of the trip; `nil` if it is not known.
    private func nearerDirection(from stop: StopIndex, to end: StopIndex?) throws(StoreError) -> TravelDirection {
        guard let home, let work else { return .unknown }
        let end = try end.flatMap { (end) throws(StoreError) in try timetable.cachedStop(end).coordinate }
        return TravelDirection(
            leaving: try timetable.cachedStop(stop).coordinate, endingAt: end, home: home, work: work)
    }

    /// Returns the coordinate and the stop names of a place, for comparison with a direction hint; `nil` if the place
    /// is not set.
    private func place(
        _ direction: TravelDirection, _ coordinate: Coordinate?, _ hint: StopDirectionHint
    ) throws(StoreError) -> DirectionHintPlace? {
        var names: Set<String> = []
        if case .towards = hint, let end = ends.first(where: { $0.direction == direction }) {
            for stop in end.stops {
                let name = try timetable.cachedStop(stop).name
                // A stop whose name refers to another destination is not that destination.
                if case .towards = StopDirectionHint(name: name, platform: nil) { continue }
                names.insert(SearchText.fold(name))
            }
        }
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
