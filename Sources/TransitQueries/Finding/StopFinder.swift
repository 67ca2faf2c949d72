internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Finds the stop that a text refers to: `feed:stop_id`, an identifier, a code, a name, or the first words of a unique
/// name.
///
/// Every request that takes a stop uses this type, so a text has the same meaning in all requests. The finder accepts
/// every name that transitctl prints: "Mill Lane", "Mill Lane, platform 2", "Mill Lane (city:mill2)", and the name in
/// another language.
package struct StopFinder {
    package var timetables: [Timetable]
    private let context: QueryContext

    /// The maximum number of stops per timetable that an error suggests.
    private static let maximumSuggestions = 10

    package init(_ timetables: [Timetable], _ context: QueryContext) {
        self.timetables = timetables
        self.context = context
    }

    /// Returns the stop that a text refers to. Platforms with the same name within ``FoundStop/namesakeDistance``, or
    /// with the same parent, are one stop. Stops with the same name that are farther apart are separate stops.
    ///
    /// - Throws: ``QueryError/stopNotFound(_:similar:)``, ``QueryError/stopAmbiguous(_:_:)``, and `StoreError`.
    package func find(_ text: String) throws -> FoundStop {
        let found = Self.joined(try withoutDuplicates(candidates(text)))
        guard found.count == 1 else { throw QueryError.stopAmbiguous(text, found) }
        return found[0]
    }

    private func candidates(_ text: String) throws -> [FoundStop] {
        if let found = try byReference(text) { return found }
        let byIdentifier = try timetables.compactMap { try Self.stop(StopID(text), in: $0) }
        if !byIdentifier.isEmpty { return byIdentifier }
        // The search below reads every stop name in every timetable.
        context.beginSlowWork()
        let byName = try stops(named: text)
        if !byName.isEmpty { return byName }
        throw QueryError.stopNotFound(text, similar: try similarStops(text))
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
        let found = try references.compactMap { try stop($0) }
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
        guard let found = try timetable.file.find(id) else { return nil }
        return FoundStop(timetable: timetable, index: found.index, stop: found.stop)
    }

    /// Joins the stops that riders treat as one, in the order in which they were found, with stations first.
    private static func joined(_ stops: [FoundStop]) -> [FoundStop] {
        var joined: [FoundStop] = []
        for stop in stops.filter({ $0.stop.kind == .station }) + stops.filter({ $0.stop.kind != .station }) {
            if let known = joined.firstIndex(where: { $0.isOne(with: stop) }) {
                joined[known].namesakes += [stop.index] + stop.namesakes
            } else {
                joined.append(stop)
            }
        }
        return joined
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
            let isUnique = Set(stops.map { SearchText.fold($0.stop.name) }).count == 1 || Self.joined(stops).count == 1
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

    private func matches(
        _ text: String, _ folded: String, in timetable: Timetable
    ) throws(StoreError) -> [NameMatch: [(stop: StopIndex, parent: StopIndex?)]] {
        var found: [NameMatch: [(stop: StopIndex, parent: StopIndex?)]] = [:]
        let translated = try TranslatedStopNames(timetable) { $0 == folded ? .exact : nil }
        try timetable.file.searchStops { stop in
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

    /// Returns the stops that the caller may have meant.
    private func similarStops(_ text: String) throws(StoreError) -> [FoundStop] {
        var similar: [FoundStop] = []
        for timetable in timetables {
            for match in try timetable.search(stops: text, count: Self.maximumSuggestions) {
                let stop = FoundStop(timetable: timetable, index: match.index, stop: match.stop)
                // Platforms that riders treat as one stop are suggested only once.
                if !similar.contains(where: { $0.isOne(with: stop) || stop.isOne(with: $0) }) { similar.append(stop) }
            }
        }
        return try similar.isEmpty ? misspelled(text).map { [$0] } ?? [] : similar
    }

    /// Returns a stop whose name differs from the text by only a few letters. Only names with the same first byte and a
    /// similar length are compared, because a large feed has a hundred thousand names.
    private func misspelled(_ text: String) throws(StoreError) -> FoundStop? {
        let folded = SearchText.fold(text)
        for timetable in timetables {
            var names: [String: StopIndex] = [:]
            try timetable.file.searchStops { stop in
                guard abs(stop.foldedName.utf8.count - folded.utf8.count) <= 2, stop.kind != .node,
                    stop.foldedName.utf8.first == folded.utf8.first
                else { return }
                names[stop.foldedName] = min(names[stop.foldedName] ?? stop.index, stop.index)
            }
            if let name = context.settings.closestSpelling(folded, names.keys.sorted()), let index = names[name] {
                return FoundStop(timetable: timetable, index: index, stop: try timetable.file.stop(index))
            }
        }
        return nil
    }
}
