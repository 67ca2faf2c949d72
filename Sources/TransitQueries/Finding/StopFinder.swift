internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Finds the stop that a text refers to: `feed:stop_id`, an identifier, a code, a name, the first words of a unique
/// name, or a place of the caller that is at a single stop.
///
/// Every request that takes a stop uses this type, so a text has the same meaning in all requests. The finder accepts
/// every name that transitctl prints: "Mill Lane", "Mill Lane, platform 2", "Mill Lane (city:mill2)", and the name in
/// another language. A text that may only be meant for a stop, such as "Mil", is an error that contains the stops;
/// whether to use one of them is the caller's decision, since it may be about to change data.
package struct StopFinder {
    package var timetables: [Timetable]
    private let context: QueryContext

    /// The maximum number of matches per timetable from which suggestions are taken. A station can have many platforms.
    private static let maximumMatches = 100
    /// The maximum number of stops that an error suggests.
    private static let maximumSuggestions = 10

    package init(_ timetables: [Timetable], _ context: QueryContext) {
        self.timetables = timetables
        self.context = context
    }

    /// Returns the stop that a text refers to. Platforms with the same name within ``FoundStop/namesakeDistance``, or
    /// with the same parent, are one stop. Stops with the same name that are farther apart are separate stops.
    ///
    /// - Throws: ``QueryError/stopNotFound(_:similar:partialFeeds:)``, ``QueryError/stopAmbiguous(_:_:)``,
    ///   ``QueryError/stopOutside(_:)``, and `StoreError`.
    package func find(_ text: String) throws -> FoundStop {
        let candidates = try candidates(text)
        // Most texts are the identifier of a stop.
        if candidates.count == 1, candidates[0].stop.isKept { return candidates[0] }
        let found = FoundStop.joined(try withoutDuplicates(kept(candidates)))
        guard found.count == 1 else { throw QueryError.stopAmbiguous(text, found) }
        return found[0]
    }

    /// Returns the stops that have a board.
    ///
    /// - Throws: ``QueryError/stopOutside(_:)`` if there are none.
    private func kept(_ found: [FoundStop]) throws -> [FoundStop] {
        let kept = found.filter(\.stop.isKept)
        if kept.isEmpty, let outside = found.first { throw QueryError.stopOutside(outside) }
        return kept
    }

    private func candidates(_ text: String) throws -> [FoundStop] {
        if let found = try byReference(text) { return found }
        let byIdentifier = try timetables.compactMap { try Self.stop(StopID(text), in: $0) }
        if !byIdentifier.isEmpty { return byIdentifier }
        // The search below reads every stop name in every timetable.
        context.beginSlowWork()
        let byName = try stops(named: text)
        if !byName.isEmpty { return byName }
        let byPlace = try stops(atPlace: text)
        if byPlace.count == 1 { return byPlace }
        // The list remains in order of distance.
        if !byPlace.isEmpty { throw QueryError.stopAmbiguous(text, byPlace) }
        throw QueryError.stopNotFound(
            text, similar: try similarStops(text), partialFeeds: timetables.filter(\.isPartial).map(\.feed))
    }

    /// Returns the stop of one of the caller's places or, if the place is a position, the stops within walking distance,
    /// nearest first.
    private func stops(atPlace text: String) throws -> [FoundStop] {
        guard let name = context.places.name(meantBy: text), let place = context.places[name]?.place else { return [] }
        switch place.location {
        case .stop(let reference): return try stop(reference).map { [try $0.withNamesakes()] } ?? []
        case .coordinate(let coordinate):
            let near = try NearbyStops(timetables, context).found(
                around: coordinate, within: Double(context.settings.walkingRadius))
            return try near.prefix(Self.maximumSuggestions).map { one in
                FoundStop(
                    timetable: one.timetable, index: one.stop, stop: try one.timetable.file.stop(one.stop),
                    namesakes: one.namesakes)
            }
        }
    }

    /// Finds a stop by `feed:stop_id`, by several references to one stop, or by a reference in parentheses after a
    /// name, as printed by the client.
    private func byReference(_ text: String) throws -> [FoundStop]? {
        if let stop = try stop(QualifiedStop(text)) { return [stop] }
        if text.last == ")", let open = text.lastIndex(of: "("),
            let stop = try stop(QualifiedStop(String(text[text.index(after: open)...].dropLast())))
        {
            return [stop]
        }
        guard let references = QualifiedStop.list(text), references.count > 1 else { return nil }
        let found = try kept(references.compactMap { try stop($0) })
        guard var first = found.first else { return nil }
        first.namesakes = found.dropFirst().map(\.index)
        return [first]
    }

    private func stop(_ reference: QualifiedStop?) throws -> FoundStop? {
        guard let reference, let timetable = timetables.first(where: { $0.feed == reference.feed }) else { return nil }
        return try Self.stop(reference.stop, in: timetable)
    }

    /// Removes duplicates: a stop that is in two feeds of one agency counts once, as the stop of the main feed.
    private func withoutDuplicates(_ found: [FoundStop]) throws -> [FoundStop] {
        guard found.count > 1 else { return found }
        return try found.filter { stop in
            guard let pair = try context.pair(of: stop.timetable), stop.timetable === pair.supplement,
                let sameStop = pair.mapping.first(of: stop.index)
            else { return true }
            return try !found.contains { other in
                try other.timetable === pair.main && other.callingStops().contains(sameStop)
            }
        }
    }

    private static func stop(_ id: StopID, in timetable: Timetable) throws(StoreError) -> FoundStop? {
        guard let found = try timetable.cachedStop(id: id) else { return nil }
        return FoundStop(timetable: timetable, index: found.index, stop: found.stop)
    }

    /// Returns the stops with the given code or, if there are none, those with the given name or, if there are none,
    /// those whose unique name begins with the given words. A station represents its platforms with the same name.
    private func stops(named text: String) throws(StoreError) -> [FoundStop] {
        let folded = SearchText.fold(text)
        var found: [NameMatch: [FoundStop]] = [:]
        for timetable in timetables {
            let matches = try matches(text, folded, in: timetable)
            for (match, stops) in matches {
                let named = Set(stops.map(\.stop))
                let whole = stops.filter { stop in !(stop.parent.map { named.contains($0) } ?? false) }.map(\.stop)
                found[match, default: []] += try Self.found(whole, in: timetable)
            }
        }
        for match in NameMatch.allCases {
            guard let stops = found[match], !stops.isEmpty else { continue }
            // A prefix matches only if it is unique to one name or one stop. Otherwise, the user can search for the
            // alternatives.
            let isUnique =
                Set(stops.map { SearchText.fold($0.stop.name) }).count == 1 || FoundStop.joined(stops).count == 1
            // "A+" and "A" differ only in characters that folding drops.
            let literal = match == .name ? stops.filter { $0.stop.name == text } : []
            if !literal.isEmpty { return literal }
            if match == .code || match == .name || isUnique { return stops }
        }
        return []
    }

    /// The ways in which a text can match a stop, from the most to the least certain.
    private enum NameMatch: CaseIterable {
        case code, name
        /// The name continues with further words: "Mountain View" for "Mountain View Caltrain".
        case words

        init?(_ folded: String, of name: String) {
            guard !folded.isEmpty, name.hasPrefix(folded) else { return nil }
            let rest = name.dropFirst(folded.count)
            // A partial word matches only in a search.
            guard rest.isEmpty || rest.first == " " else { return nil }
            self = rest.isEmpty ? .name : .words
        }
    }

    /// A text in UTF-8, to rule out most stops without creating strings.
    private struct NameQuery {
        private let text: [UInt8]
        private let folded: [UInt8]
        /// Whether equal texts have equal bytes, as ASCII has.
        private let isComparable: Bool

        init(_ text: String, _ folded: String) {
            self.text = Array(text.utf8)
            self.folded = Array(folded.utf8)
            isComparable = self.text.allSatisfy { $0 < 0x80 } && self.folded.allSatisfy { $0 < 0x80 }
        }

        /// Whether the name of a stop begins with the text, the text with the name (a platform may follow), or the code
        /// is the text.
        func canMatch(_ stop: TimetableFile.StopTexts) -> Bool {
            guard stop.kind == .platform || stop.kind == .station else { return false }
            guard isComparable else { return true }
            let name = stop.foldedName
            return zip(name, folded).allSatisfy { $0 == $1 } || stop.code?.elementsEqual(text) ?? false
        }
    }

    private func matches(
        _ text: String, _ folded: String, in timetable: Timetable
    ) throws(StoreError) -> [NameMatch: [(stop: StopIndex, parent: StopIndex?)]] {
        var found: [NameMatch: [(stop: StopIndex, parent: StopIndex?)]] = [:]
        let query = NameQuery(text, folded)
        let translated = try TranslatedStopNames(timetable) {
            String(decoding: $0, as: UTF8.self) == folded ? .exact : nil
        }
        try timetable.file.searchStops(includesOutside: true) { stop in
            query.canMatch(stop) || translated[stop] != nil
        } _: { stop in
            guard stop.kind == .platform || stop.kind == .station else { return }
            let platform = stop.platform.map { SearchText.fold($0) } ?? ""
            var match = NameMatch(folded, of: stop.foldedName)
            if translated[stop] != nil { match = .name }
            if !platform.isEmpty,
                [" platform ", " "].contains(where: { folded == stop.foldedName + $0 + platform })
            {
                match = .name
            }
            if stop.code == text { match = .code }
            if let match { found[match, default: []].append((stop.index, stop.parent)) }
        }
        return found
    }

    private static func found(_ stops: [StopIndex], in timetable: Timetable) throws(StoreError) -> [FoundStop] {
        var found: [FoundStop] = []
        for index in stops {
            found.append(FoundStop(timetable: timetable, index: index, stop: try timetable.file.stop(index)))
        }
        return found
    }

    // MARK: Suggestions

    /// Returns the stops that a text may mean, best first: those that match it best in a search or, if there are none,
    /// those whose names differ least. A station is listed once, without its platforms.
    private func similarStops(_ text: String) throws -> [FoundStop] {
        var similar = try searched(text)
        if similar.isEmpty { similar = try misspelled(text) }
        let withoutPlatforms = try FoundStop.joined(withoutDuplicates(Self.withStations(similar)))
        return Array(withoutPlatforms.prefix(Self.maximumSuggestions))
    }

    private func searched(_ text: String) throws(StoreError) -> [FoundStop] {
        var hits: [(rank: SearchRank, stop: FoundStop)] = []
        for timetable in timetables {
            for match in try timetable.search(stops: text, count: Self.maximumMatches)
            where [.platform, .station].contains(match.stop.kind) {
                hits.append((match.rank, FoundStop(timetable: timetable, index: match.index, stop: match.stop)))
            }
        }
        guard let best = hits.map(\.rank).min() else { return [] }
        let query = SearchQuery(text)
        return hits.filter { query.isAlternative($0.rank, to: best) }.map(\.stop)
    }

    private func misspelled(_ text: String) throws(StoreError) -> [FoundStop] {
        guard let search = ApproximateSearch(text) else { return [] }
        var best: (difference: ApproximateSearch.Difference, stops: [FoundStop])?
        for timetable in timetables {
            var least = best?.difference
            var stops: [StopIndex] = []
            for (stop, difference) in try timetable.stops(meantBy: search) {
                if let least, difference > least { continue }
                if least.map({ difference < $0 }) ?? true { stops = [] }
                least = difference
                stops.append(stop)
            }
            guard let least, !stops.isEmpty else { continue }
            let found = try Self.found(Array(stops.prefix(Self.maximumMatches)), in: timetable)
            best = (least, best.map { $0.difference == least ? $0.stops + found : found } ?? found)
        }
        return best?.stops ?? []
    }

    /// Replaces the platforms of a station by the station, if the station is also in the list or has several platforms in
    /// it.
    private static func withStations(_ stops: [FoundStop]) throws(StoreError) -> [FoundStop] {
        var listed: [FoundStop] = []
        for stop in stops {
            guard let parent = stop.stop.parent, stop.stop.kind == .platform,
                stops.contains(where: {
                    $0.timetable === stop.timetable && $0.index != stop.index
                        && ($0.index == parent || $0.stop.parent == parent)
                })
            else {
                if !listed.contains(where: { $0.timetable === stop.timetable && $0.index == stop.index }) {
                    listed.append(stop)
                }
                continue
            }
            if !listed.contains(where: { $0.timetable === stop.timetable && $0.index == parent }) {
                listed.append(
                    FoundStop(timetable: stop.timetable, index: parent, stop: try stop.timetable.file.stop(parent)))
            }
        }
        return listed
    }
}
