internal import TransitEngine
package import TransitModel
internal import TransitStore

/// The routes, directions and stops that a user travels on, from commutes, usual departures and favorites.
///
/// It depends on the versions of the timetables and on the caller's data, so it is resolved once for each of them
/// (``isCurrent(_:)``). A commute or favorite that cannot be resolved is left out. The query for it reports the error.
package struct PersonalNetwork: Hashable, Sendable {
    /// What made a line part of the network.
    package struct Selection: Hashable, Comparable, Sendable {
        package enum Kind: String, Hashable, CaseIterable, Sendable {
            case pinned, usual, commute, favorite
        }

        package var kind: Kind
        /// The name of the commute or favorite, or the time and route of a departure, in the language of the feed. It
        /// identifies the selection.
        package var name: String
        /// The name in the user's language.
        package var title: String

        package init(_ kind: Kind, name: String, title: String? = nil) {
            self.kind = kind
            self.name = name
            self.title = title ?? name
        }

        package static func == (left: Self, right: Self) -> Bool { left.kind == right.kind && left.name == right.name }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            hasher.combine(name)
        }

        private var rank: Int { Kind.allCases.firstIndex(of: kind) ?? 0 }

        package static func < (left: Self, right: Self) -> Bool {
            (left.rank, left.name) < (right.rank, right.name)
        }
    }

    /// A route in one direction with the stops that the user uses.
    package struct Line: Hashable, Sendable {
        package var feed: FeedID
        package var agency: AgencyID?
        package var route: RouteID
        /// `route_type`.
        package var routeType: Int
        /// The route as riders call it, with its mode: "Bus 24".
        package var name: String
        /// `nil` if the feed has no directions.
        package var direction: Direction?
        /// The stops at which the user boards; `nil` for all stops of the route.
        package var boarding: Set<StopID>?
        /// The stops at which the user boards or alights, with their stations and the stations' entrances and elevators;
        /// `nil` for all stops of the route.
        package var stops: Set<StopID>?
        /// The scheduled departure of a pinned or usual departure; `nil` for all departures.
        package var time: ServiceTime?
        package var selection: Selection
    }

    /// Sorted by feed, route, direction and selection.
    package let lines: [Line]
    /// For each feed, the feed that names its agency: the feed that it supplements, or itself.
    package let agencyFeeds: [FeedID: FeedID]
    /// When the user travels with a selection. Favorites, and commutes without windows, may be used at any time.
    private let travelTimes: [Selection: TravelTimes]
    private let versions: [FeedID: Int]
    private let language: String?

    /// The maximum number of lines.
    package static let maximumLines = 400

    package init(_ context: QueryContext) {
        var builder = Builder(context: context)
        for usual in context.personal.usualDepartures.prefix(Self.maximumLines) { try? builder.add(usual) }
        for entry in context.commuteList.entries { try? builder.add(entry.commute) }
        for entry in context.favorites.entries { try? builder.add(entry.favorite) }
        lines = builder.sortedLines(limit: Self.maximumLines)
        travelTimes = builder.travelTimes
        language = context.language
        agencyFeeds = Dictionary(
            context.feeds.map { ($0.id, $0.source.supplements ?? $0.id) }, uniquingKeysWith: { first, _ in first })
        versions = Self.versions(context)
    }

    /// Creates a network from known lines.
    package init(lines: [Line], agencyFeeds: [FeedID: FeedID] = [:]) {
        self.lines = lines
        self.agencyFeeds = agencyFeeds
        travelTimes = [:]
        versions = [:]
        language = nil
    }

    /// Whether the network was resolved with the current versions of the timetables, in the context's language. A change
    /// of the caller's data is not noticed here.
    package func isCurrent(_ context: QueryContext) -> Bool {
        versions == Self.versions(context) && language == context.language
    }

    /// The number of days for which ``travelTimes(around:in:)`` looks ahead.
    private static let daysAhead = 8

    /// Returns when the user travels with each selection, from the day before a moment to a week after it, in ascending
    /// order. Selections that may be used at any time are left out.
    package func travelTimes(around now: Instant, in zone: ServiceZone) -> [Selection: [ClosedRange<Instant>]] {
        let first = now.advanced(by: -86_400)
        return travelTimes.mapValues { times in
            switch times {
            case .windows(let windows):
                windows.flatMap { $0.instances(from: first, days: Self.daysAhead, in: zone) }
                    .sorted { $0.lowerBound < $1.lowerBound }
            case .departure(let usual):
                (0...Self.daysAhead).map { zone.civil(at: first).date.advanced(by: $0) }
                    .filter { date in usual.date.map { $0 == date } ?? usual.days.contains(date.weekday) }
                    .map { date in
                        let moment = zone.instant(of: usual.time, on: date)
                        return moment.advanced(by: -1800)...moment.advanced(by: 3600)
                    }
            }
        }
    }

    private static func versions(_ context: QueryContext) -> [FeedID: Int] {
        Dictionary(
            context.feeds.compactMap { feed in feed.timetable.map { (feed.id, $0.version) } },
            uniquingKeysWith: { first, _ in first })
    }
}

extension PersonalNetwork {
    fileprivate enum TravelTimes: Hashable, Sendable {
        case windows([CommuteWindow])
        case departure(SavedUsualDeparture)
    }

    /// Collects lines and joins those that differ only in their stops.
    private struct Builder {
        let context: QueryContext
        private var lines: [Line] = []
        private(set) var travelTimes: [Selection: TravelTimes] = [:]
        /// ``identifiers(of:in:)`` by feed.
        private var known: [FeedID: [StopIndex: [StopID]]] = [:]

        init(context: QueryContext) { self.context = context }

        func sortedLines(limit: Int) -> [Line] {
            let sorted = lines.sorted { left, right in
                if left.feed != right.feed { return left.feed < right.feed }
                if left.route != right.route { return left.route < right.route }
                let (one, other) = (left.direction?.rawValue ?? 9, right.direction?.rawValue ?? 9)
                return one == other ? left.selection < right.selection : one < other
            }
            return Array(sorted.prefix(limit))
        }

        private mutating func add(
            _ route: RouteIndex, _ direction: Direction?, in timetable: Timetable, boarding: Set<StopIndex>?,
            alighting: Set<StopIndex> = [], time: ServiceTime? = nil, selection: Selection
        ) throws {
            guard let found = timetable.route(route) else { return }
            var line = Line(
                feed: timetable.feed, agency: timetable.agency(of: found)?.id, route: found.id, routeType: found.type,
                name: try names(timetable).riderName(of: found), direction: direction, boarding: nil, stops: nil,
                time: time,
                selection: selection)
            if let boarding {
                var (ids, all): (Set<StopID>, Set<StopID>) = ([], [])
                for stop in boarding {
                    let names = try identifiers(of: stop, in: timetable)
                    ids.insert(names[0])
                    all.formUnion(names)
                }
                for stop in alighting { all.formUnion(try identifiers(of: stop, in: timetable)) }
                (line.boarding, line.stops) = (ids, all)
            }
            guard let known = lines.firstIndex(where: { $0.isSame(as: line) }) else {
                lines.append(line)
                return
            }
            lines[known].boarding = Self.union(lines[known].boarding, line.boarding)
            lines[known].stops = Self.union(lines[known].stops, line.stops)
        }

        /// Returns the identifiers of a stop, its station, and the station's entrances and nodes, such as elevators.
        private mutating func identifiers(of stop: StopIndex, in timetable: Timetable) throws -> [StopID] {
            if let known = known[timetable.feed]?[stop] { return known }
            var identifiers = try timetable.withStation(stop)
            if let station = try timetable.file.stop(stop).parent {
                for child in try timetable.file.children(of: station).prefix(Self.maximumChildren) {
                    let found = try timetable.file.stop(child)
                    if found.kind != .platform { identifiers.append(found.id) }
                }
            }
            known[timetable.feed, default: [:]][stop] = identifiers
            return identifiers
        }

        private func names(_ timetable: Timetable) -> TimetableNames {
            TimetableNames(timetable, language: context.language)
        }

        /// The maximum number of children of a station that are read.
        private static let maximumChildren = 500

        private static func union(_ one: Set<StopID>?, _ other: Set<StopID>?) -> Set<StopID>? {
            guard let one, let other else { return nil }
            return one.union(other)
        }

        // MARK: Commutes

        mutating func add(_ commute: CommuteConfiguration) throws {
            let (finder, list) = (AccessStopFinder(context), context.commuteList)
            let trips = try DirectTrips(
                origins: finder.stops(for: list.end(commute.from)),
                destinations: finder.stops(for: list.end(commute.to)))
            let selection = Selection(.commute, name: commute.name)
            if !commute.windows.isEmpty { travelTimes[selection] = .windows(commute.windows) }
            for pair in trips.originDestinations {
                for pattern in pair.patterns {
                    let ends = Self.ends(of: pattern, pair)
                    guard !ends.boarding.isEmpty else { continue }
                    try add(
                        pattern.route, pattern.direction, in: pair.origin.timetable, boarding: ends.boarding,
                        alighting: ends.alighting, selection: selection)
                }
            }
        }

        private static func ends(
            of pattern: Pattern, _ pair: DirectTrips.OriginDestinationPair
        ) -> (boarding: Set<StopIndex>, alighting: Set<StopIndex>) {
            let calls = Array(pattern.calls)
            let boardings = calls.indices.filter { position in
                calls[position].pickup != .none && pair.origin.walks[calls[position].stop] != nil
            }
            let alightings = calls.indices.filter { position in
                calls[position].dropOff != .none && pair.destination.walks[calls[position].stop] != nil
            }
            guard let first = boardings.first, let last = alightings.last, first < last else { return ([], []) }
            return (
                Set(boardings.filter { $0 < last }.map { calls[$0].stop }),
                Set(alightings.filter { $0 > first }.map { calls[$0].stop })
            )
        }

        // MARK: Departures and favorites

        mutating func add(_ usual: SavedUsualDeparture) throws {
            guard let timetable = try context.feed(usual.feed).timetable,
                let route = timetable.file.route(id: usual.route), let stop = try timetable.file.stop(id: usual.stop)
            else { return }
            let row = timetable.route(route)
            let (name, title) = (
                row?.riderName ?? usual.route.rawValue, try row.map { try names(timetable).riderName(of: $0) }
            )
            let clock = usual.time.timeOfDay
            let selection = Selection(
                usual.isPinned ? .pinned : .usual, name: "\(clock) \(name)", title: "\(clock) \(title ?? name)")
            travelTimes[selection] = .departure(usual)
            var board = try FeedBoard(timetable, stops: [stop], routes: [route])
            if let direction = usual.direction { board.visits.removeAll { $0.pattern.direction != direction } }
            try add(board, time: usual.time, selection: selection)
        }

        mutating func add(_ favorite: SavedFavorite) throws {
            let found = try FavoriteFinder(context).find(favorite)
            let selection = Selection(.favorite, name: favorite.name)
            if let stop = found.stop {
                let routes = found.route.map { Set([$0]) }
                try add(
                    FeedBoard(found.timetable, stops: stop.callingStops(), routes: routes), time: nil,
                    selection: selection)
            } else if let route = found.route {
                try add(wholeRoute: route, in: found.timetable, selection: selection)
            }
        }

        private mutating func add(
            wholeRoute route: RouteIndex, in timetable: Timetable, selection: Selection
        ) throws {
            for direction in Set(try timetable.file.patterns(of: route).map(\.direction)) {
                try add(route, direction, in: timetable, boarding: nil, selection: selection)
            }
            guard let pair = try context.pair(of: timetable), let name = timetable.route(route)?.displayName else {
                return
            }
            let other = pair.other(than: timetable)
            for (position, found) in other.file.routes.enumerated()
            where SearchText.fold(found.displayName) == SearchText.fold(name) {
                for direction in Set(try other.file.patterns(of: RouteIndex(position)).map(\.direction)) {
                    try add(RouteIndex(position), direction, in: other, boarding: nil, selection: selection)
                }
            }
        }

        /// Adds the lines of a board, and the same lines in the agency's other feed. The other feed may number
        /// directions differently, so its lines are those that continue to a stop of the board's lines.
        private mutating func add(_ board: FeedBoard, time: ServiceTime?, selection: Selection) throws {
            // No one boards at the last call of a trip.
            let visits = board.visits.filter { $0.position + 1 < $0.pattern.callCount }
            for visit in visits {
                try add(
                    visit.pattern.route, visit.pattern.direction, in: board.timetable, boarding: [visit.stop],
                    time: time, selection: selection)
            }
            guard let pair = try context.pair(of: board.timetable) else { return }
            let later = Set(pair.stops(visits.flatMap(\.laterStops), of: board.timetable))
            for other in try MergedBoard(board, context).feedBoards where other.timetable !== board.timetable {
                for visit in other.visits where !later.isDisjoint(with: visit.laterStops) {
                    try add(
                        visit.pattern.route, visit.pattern.direction, in: other.timetable, boarding: [visit.stop],
                        time: time, selection: selection)
                }
            }
        }
    }
}

extension PersonalNetwork.Line {
    /// Whether two lines differ at most in their stops.
    fileprivate func isSame(as other: Self) -> Bool {
        feed == other.feed && route == other.route && direction == other.direction && time == other.time
            && selection == other.selection
    }
}

extension PatternCallPosition {
    fileprivate var stop: StopIndex { pattern.stop(at: position) }

    fileprivate var laterStops: [StopIndex] {
        ((position + 1)..<max(position + 1, pattern.callCount)).map { pattern.stop(at: $0) }
    }
}

extension Route {
    /// The name with the mode of transport, such as "Bus 24", or only the name if it is a word.
    package var riderName: String { riderName(displayName) }

    /// Returns a name of the route, such as a translated one, with the mode of transport if it says little alone.
    package func riderName(_ name: String) -> String {
        // "24", "T1" and "N" say little alone; "Harbor Line" and "Caltrain Local" say enough.
        guard name.utf8.count <= 4 || name.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return name }
        let mode: String? =
            switch type {
            case 0, 900...999: "Tram"
            case 1, 400...699: "Subway"
            case 2, 100...199: "Train"
            case 3, 200...299, 700...799: "Bus"
            case 4, 1000...1099: "Ferry"
            case 11, 800...899: "Trolleybus"
            default: nil
            }
        guard let mode, !SearchText.fold(name).contains(SearchText.fold(mode)) else { return name }
        return "\(mode) \(name)"
    }
}
