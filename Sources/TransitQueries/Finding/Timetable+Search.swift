package import TransitEngine
package import TransitModel
package import TransitStore

// Searches the stops and routes of a timetable.

extension Timetable {
    /// A stop in search results.
    package struct StopHit: Sendable {
        package var rank: SearchRank
        package var index: StopIndex
        package var stop: Stop
    }

    /// Returns the stops whose name, code or identifier matches, best first.
    package func search(
        stops text: String, count: Int, where isAllowed: (StopIndex) -> Bool = { _ in true }
    ) throws(StoreError) -> [StopHit] {
        var search = StopSearch(text, count: count)
        // Reading a variable that a closure changes would copy it for each stop.
        let ranks = search
        let translated = try TranslatedStopNames(self) { ranks.rank(foldedName: $0) }
        try file.searchStops { stop in
            ranks.rank(of: stop, translated).map { search.canInclude($0, stop.kind) } ?? false
        } _: { stop in
            if isAllowed(stop.index) { search.consider(StopSearch.Entry(stop), translated: translated[stop]) }
        }
        var hits: [StopHit] = []
        for match in search.matches {
            hits.append(
                StopHit(rank: match.rank, index: match.entry.stop, stop: try file.stop(match.entry.stop)))
        }
        return hits
    }

    /// Returns the stops whose names differ least from a misspelled or abbreviated text, best first.
    package func search(
        misspelledStops text: String, count: Int, where isAllowed: (StopIndex) -> Bool = { _ in true }
    ) throws(StoreError) -> [StopHit] {
        guard let search = ApproximateSearch(text) else { return [] }
        // The standard library's sort keeps the order of equal elements.
        let similar = try stops(meantBy: search).filter { isAllowed($0.stop) }.sorted { $0.difference < $1.difference }
        var hits: [StopHit] = []
        for match in similar.prefix(count) {
            hits.append(StopHit(rank: .similar, index: match.stop, stop: try file.stop(match.stop)))
        }
        return hits
    }

    /// Returns all stops that ``search(stops:count:where:)`` would find.
    package func matching(stops text: String) throws(StoreError) -> Set<StopIndex> {
        let search = StopSearch(text, count: 0)
        let translated = try TranslatedStopNames(self) { search.rank(foldedName: $0) }
        var matching: Set<StopIndex> = []
        try file.searchStops {
            search.rank(of: $0, translated) != nil
        } _: {
            matching.insert($0.index)
        }
        return matching
    }

    /// Returns the stops and stations that a misspelled or abbreviated text may mean, in index order.
    package func stops(
        meantBy search: ApproximateSearch
    ) throws(StoreError) -> [(stop: StopIndex, difference: ApproximateSearch.Difference)] {
        var found: [(stop: StopIndex, difference: ApproximateSearch.Difference)] = []
        // Many platforms have the name of their station.
        var known: [String: ApproximateSearch.Difference?] = [:]
        try file.searchStops { stop in
            guard stop.kind == .platform || stop.kind == .station else { return }
            let difference = known[stop.foldedName] ?? search.difference(folded: stop.foldedName)
            known[stop.foldedName] = .some(difference)
            if let difference { found.append((stop.index, difference)) }
        }
        return found
    }
}

/// Ranks the stops of a timetable by their translated names, for a search over all stops.
package struct TranslatedStopNames {
    private var byID: [String: SearchRank] = [:]
    /// The ranks of translated names, by the folded published name.
    private var byName: [String: SearchRank] = [:]

    /// - Parameter rank: A function that returns the rank of a folded name in UTF-8; `nil` if the name does not match.
    package init(
        _ timetable: Timetable, rank: (UnsafeBufferPointer<UInt8>) -> SearchRank?
    ) throws(StoreError) {
        try timetable.file.searchTranslatedStops {
            rank($0) != nil
        } _: { name in
            var foldedName = name.foldedName
            guard let rank = foldedName.withUTF8(rank) else { return }
            switch name.subject {
            case .record(let id, _): byID[id] = min(rank, byID[id] ?? rank)
            case .value(let text):
                let folded = SearchText.fold(text)
                byName[folded] = min(rank, byName[folded] ?? rank)
            }
        }
    }

    package subscript(stop: TimetableFile.SearchableStop) -> SearchRank? {
        isEmpty ? nil : rank(id: stop.id.rawValue, foldedName: stop.foldedName)
    }

    package subscript(stop: TimetableFile.StopTexts) -> SearchRank? {
        if isEmpty { return nil }
        return rank(
            id: String(decoding: stop.id, as: UTF8.self), foldedName: String(decoding: stop.foldedName, as: UTF8.self))
    }

    private var isEmpty: Bool { byID.isEmpty && byName.isEmpty }

    private func rank(id: String, foldedName: String) -> SearchRank? {
        [byID[id], byName[foldedName]].compactMap(\.self).min()
    }
}

extension StopSearch {
    /// Returns the rank of a stop by its published and its translated name; `nil` without a match.
    fileprivate func rank(of stop: TimetableFile.StopTexts, _ translated: TranslatedStopNames) -> SearchRank? {
        let rank = rank(foldedName: stop.foldedName, code: stop.code, id: stop.id)
        guard rank != .exact, let other = translated[stop] else { return rank }
        return rank.map { min($0, other) } ?? other
    }
}

extension StopSearch.Entry {
    fileprivate init(_ stop: TimetableFile.SearchableStop) {
        self.init(
            stop: stop.index, id: stop.id, code: stop.code, foldedName: stop.foldedName, platform: stop.platform,
            kind: stop.kind)
    }
}

extension Timetable {
    /// Returns the routes that match a text, best first; all routes for an empty text.
    package func search(
        routes text: String, count: Int
    ) throws(StoreError) -> [(timetable: Timetable, rank: SearchRank, route: RouteIndex)] {
        let routeSearch = try routeSearch
        if text.isEmpty { return routeSearch.all.prefix(count).map { (self, .prefix, $0) } }
        return routeSearch.matches(text, count: count).map { (self, $0.rank, $0.route) }
    }

    /// Returns the routes with trips that a misspelled or abbreviated text may mean, in listing order.
    package func routes(
        meantBy search: ApproximateSearch
    ) throws(StoreError) -> [(route: RouteIndex, difference: ApproximateSearch.Difference)] {
        try routeSearch.all.compactMap { index in
            guard let route = route(index) else { return nil }
            let names = [RouteName.words(of: route), route.longName].compactMap(\.self)
            return names.compactMap { search.difference(folded: SearchText.fold($0)) }.min().map { (index, $0) }
        }
    }

    /// Returns the routes that call at any of the stops, in list order.
    package func routes(at stops: [StopIndex]) throws(StoreError) -> [RouteIndex] {
        var routes: Set<RouteIndex> = []
        for stop in stops { routes.formUnion(try file.patterns(at: stop).map(\.pattern.route)) }
        return try routeSearch.listed(routes)
    }

    /// The maximum number of routes listed per stop.
    package static let maximumRouteNames = 12

    /// Returns the display names of the routes that call at a stop or at the platforms of a station.
    ///
    /// - Parameter namesakes: Other platforms of the stop.
    package func routeNames(
        at stop: StopIndex, with namesakes: [StopIndex] = [], count: Int = maximumRouteNames
    ) throws(StoreError) -> [String] {
        let found = FoundStop(timetable: self, index: stop, stop: try file.stop(stop), namesakes: namesakes)
        var names: [String] = []
        for route in try routes(at: try found.callingStops()).compactMap({ self.route($0) })
        where names.count < count && !names.contains(route.displayName) {
            names.append(route.displayName)
        }
        return names
    }

    /// Returns the identifiers of a stop and its station.
    package func withStation(_ stop: StopIndex) throws(StoreError) -> [StopID] {
        let cachedStop = try cachedStop(stop)
        return cachedStop.station.map { [cachedStop.id, $0] } ?? [cachedStop.id]
    }

    /// Returns the stops and platforms near a place where trips may call, nearest first.
    package func callingStops(
        near place: Coordinate, within meters: Double
    ) throws(StoreError) -> [(stop: StopIndex, meters: Double)] {
        var stops: [(stop: StopIndex, meters: Double)] = []
        for near in try file.stops(near: place, within: meters) where try file.stop(near.stop).kind == .platform {
            stops.append(near)
        }
        return stops
    }

    /// Returns the stops within the usual walking radius of a place or, if there are none, within the widened radius.
    /// Both radii are in meters.
    ///
    /// The result is cached, because clients repeat board requests and places rarely move.
    package func reachable(from place: Coordinate, usual: Int, widened: Int) throws(StoreError) -> Set<StopIndex> {
        let key = WalkingArea(place: place, usual: usual, widened: widened)
        if let known = cachedStops(in: key) { return known }
        let radius = WalkingRadius(usual: Double(usual), widened: Double(widened))
        let stops = Set(radius.walks(to: try callingStops(near: place, within: radius.widened), at: .usual).keys)
        cacheStops(stops, in: key)
        return stops
    }
}
