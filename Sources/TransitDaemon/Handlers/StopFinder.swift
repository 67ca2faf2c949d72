internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore
internal import TransitWire

/// A stop in a timetable that matches a text.
struct FoundStop: Sendable {
    var timetable: Timetable
    var index: StopIndex
    var stop: Stop
    /// Stops with the same name on the other side of the road or tracks, if the feed has no station for them.
    var namesakes: [StopIndex] = []

    /// `feed:stop_id`.
    var reference: QualifiedStop { QualifiedStop(feed: timetable.feed, stop: stop.id) }

    /// The time zone of the stop's times: the stop's own or, if it has none, the agency's.
    var zone: ServiceZone {
        get throws(StoreError) { try timetable.cachedStop(of: stop, at: index).zone ?? timetable.zone }
    }

    /// The stops at which trips call: a station's platforms, the platform of a boarding area, or the platforms of an
    /// entrance's station, plus the platforms of the namesakes.
    func callingStops() throws(StoreError) -> [StopIndex] {
        var stops = try ownCallingStops()
        for namesake in namesakes where !stops.contains(namesake) { stops.append(namesake) }
        return stops
    }

    private func ownCallingStops() throws(StoreError) -> [StopIndex] {
        switch stop.kind {
        case .platform: return [index]
        case .station: return try Self.platforms(of: index, in: timetable)
        case .entrance, .node:
            return try stop.parent.map { (p) throws(StoreError) in try Self.platforms(of: p, in: timetable) } ?? []
        case .boardingArea: return stop.parent.map { [$0] } ?? [index]
        }
    }

    /// Returns the identifiers of the stop and its namesakes. They are stored when a user refers to the stop by name.
    func references() throws(StoreError) -> [QualifiedStop] {
        var references = [reference]
        for namesake in namesakes {
            references.append(QualifiedStop(feed: timetable.feed, stop: try timetable.cachedStop(namesake).id))
        }
        return references
    }

    /// The maximum distance in meters between stops with the same name that riders treat as a single stop.
    static let namesakeDistance = 300.0

    /// Returns this stop together with the stops that have the same name and are nearby or belong to the same station.
    func withNamesakes() throws(StoreError) -> FoundStop {
        guard stop.kind == .platform else { return self }
        var joined = self
        var others: [StopIndex] = []
        if let place = stop.coordinate {
            others = try timetable.file.stops(near: place, within: Self.namesakeDistance).map(\.stop)
        }
        if let parent = stop.parent { others += try timetable.file.children(of: parent) }
        for other in others where other != index && !joined.namesakes.contains(other) {
            let stop = try timetable.file.stop(other)
            if stop.kind == .platform, SearchText.fold(stop.name) == SearchText.fold(self.stop.name) {
                joined.namesakes.append(other)
            }
        }
        return joined
    }

    /// Whether riders treat the two stops as one: platforms with the same parent, or stops with the same name that are
    /// close to each other.
    func isOne(with other: FoundStop) -> Bool {
        guard timetable === other.timetable else { return false }
        if let parent = stop.parent, parent == other.stop.parent, stop.kind == .platform, other.stop.kind == .platform {
            return true
        }
        guard [.platform, .station].contains(stop.kind), other.stop.kind == .platform,
            let place = stop.coordinate, let otherPlace = other.stop.coordinate
        else { return false }
        return SearchText.fold(stop.name) == SearchText.fold(other.stop.name)
            && place.distance(to: otherPlace) <= Self.namesakeDistance
    }

    /// Returns the platforms of a station and the station itself, because some feeds let trips call there.
    private static func platforms(of station: StopIndex, in timetable: Timetable) throws(StoreError) -> [StopIndex] {
        var stops = [station]
        for child in try timetable.file.children(of: station) where try timetable.file.stop(child).kind == .platform {
            stops.append(child)
        }
        return stops
    }
}

/// Finds the stop that a text refers to: `feed:stop_id`, an identifier, a code, a name, or the first words of a unique
/// name.
///
/// Every request that takes a stop uses this type, so a text has the same meaning in all requests. The finder accepts
/// every name that transitctl prints: "Mill Lane", "Mill Lane, platform 2", "Mill Lane (city:mill2)", and the name in
/// another language.
struct StopFinder {
    var timetables: [Timetable]
    private let context: RequestContext

    /// The maximum number of candidates in an error.
    private static let maximumCandidates = 10

    init(_ timetables: [Timetable], _ context: RequestContext) {
        self.timetables = timetables
        self.context = context
    }

    /// Returns the stop that a text refers to. Platforms with the same name within ``FoundStop/namesakeDistance``, or
    /// with the same parent, are one stop. Stops with the same name that are farther apart are separate stops.
    ///
    /// - Throws: ``ErrorKind/stopNotFound``, ``ErrorKind/stopAmbiguous`` with the candidates, and `StoreError`.
    func find(_ text: String) throws -> FoundStop {
        let found = Self.joined(try withoutDuplicates(candidates(text)))
        return try found.count == 1 ? found[0] : only(found, of: text)
    }

    private func candidates(_ text: String) throws -> [FoundStop] {
        if let found = try byReference(text) { return found }
        let byIdentifier = try timetables.compactMap { try Self.stop(StopID(text), in: $0) }
        if !byIdentifier.isEmpty { return byIdentifier }
        // The search below reads every stop name in every timetable.
        context.slowWork.beginSlowWork()
        let byName = try stops(named: text)
        if !byName.isEmpty { return byName }
        throw try notFound(text)
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

    private func only(_ stops: [FoundStop], of text: String) throws(ControlError) -> FoundStop {
        let candidates = stops.prefix(Self.maximumCandidates).map { found in
            JSONValue.object([
                "feed": .string(found.timetable.feed.rawValue), "id": .string(found.stop.id.rawValue),
                "name": .string(found.stop.name), "platform": found.stop.platform.map { .string($0) } ?? .null,
            ])
        }
        let names = stops.prefix(5).map { "\($0.reference)" }.joined(separator: ", ")
        throw ControlError(
            .stopAmbiguous, "\"\(text)\" matches \(stops.count) stops.",
            hint: "Give one of: \(names)\(stops.count > 5 ? ", …" : "").",
            details: ["candidates": .array(candidates)])
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

    private func notFound(_ text: String) throws(StoreError) -> ControlError {
        var near: [FoundStop] = []
        for timetable in timetables {
            for match in try timetable.search(stops: text, count: Self.maximumCandidates) {
                let stop = FoundStop(timetable: timetable, index: match.index, stop: match.stop)
                // Platforms that riders treat as one stop are suggested only once.
                if !near.contains(where: { $0.isOne(with: stop) || stop.isOne(with: $0) }) { near.append(stop) }
            }
        }
        if near.isEmpty, let similar = try similar(text) { near = [similar] }
        let names = near.prefix(3).map { "\($0.stop.name) (\($0.reference))" }.joined(separator: ", ")
        let hint = near.isEmpty ? "Search for it with: transitctl stops search TEXT." : "Did you mean \(names)?"
        return ControlError(.stopNotFound, "There is no stop \"\(text)\".", hint: hint)
    }
}

extension StopFinder {
    /// Returns a stop whose name differs from the text by only a few letters. Only names with the same first byte and a
    /// similar length are compared, because a large feed has a hundred thousand names.
    private func similar(_ text: String) throws(StoreError) -> FoundStop? {
        let folded = SearchText.fold(text)
        for timetable in timetables {
            var names: [String: StopIndex] = [:]
            try timetable.file.searchStops { stop in
                guard abs(stop.foldedName.utf8.count - folded.utf8.count) <= 2, stop.kind != .node,
                    stop.foldedName.utf8.first == folded.utf8.first
                else { return }
                names[stop.foldedName] = min(names[stop.foldedName] ?? stop.index, stop.index)
            }
            if let name = Spelling.closest(to: folded, among: names.keys.sorted()), let index = names[name] {
                return FoundStop(timetable: timetable, index: index, stop: try timetable.file.stop(index))
            }
        }
        return nil
    }
}

extension Timetable {
    /// A stop in search results.
    struct StopHit: Sendable {
        var rank: SearchRank
        var index: StopIndex
        var stop: Stop
    }

    /// Returns the stops whose name, code or identifier matches, best first.
    func search(
        stops text: String, count: Int, where isAllowed: (StopIndex) -> Bool = { _ in true }
    ) throws(StoreError) -> [StopHit] {
        var search = StopSearch(text, count: count)
        let translated = try TranslatedStopNames(self) { search.rank(foldedName: $0) }
        try file.searchStops { stop in
            if isAllowed(stop.index) { search.consider(StopSearch.Entry(stop), translated: translated[stop]) }
        }
        var hits: [StopHit] = []
        for match in search.matches {
            hits.append(
                StopHit(rank: match.rank, index: match.entry.stop, stop: try file.stop(match.entry.stop)))
        }
        return hits
    }

    /// Returns all stops that ``search(stops:count:where:)`` would find.
    func matching(stops text: String) throws(StoreError) -> Set<StopIndex> {
        let search = StopSearch(text, count: 0)
        let translated = try TranslatedStopNames(self) { search.rank(foldedName: $0) }
        var matching: Set<StopIndex> = []
        try file.searchStops { stop in
            if search.rank(of: StopSearch.Entry(stop)) ?? translated[stop] != nil { matching.insert(stop.index) }
        }
        return matching
    }
}

/// Ranks the stops of a timetable by their translated names, for a search over all stops.
struct TranslatedStopNames {
    private var byID: [String: SearchRank] = [:]
    /// The ranks of translated names, by the folded published name.
    private var byName: [String: SearchRank] = [:]

    /// - Parameter rank: A function that returns the rank of a folded name; `nil` if the name does not match.
    init(_ timetable: Timetable, rank: (String) -> SearchRank?) throws(StoreError) {
        try timetable.file.searchTranslatedStops { name in
            guard let rank = rank(name.foldedName) else { return }
            switch name.subject {
            case .record(let id, _): byID[id] = min(rank, byID[id] ?? rank)
            case .value(let text):
                let folded = SearchText.fold(text)
                byName[folded] = min(rank, byName[folded] ?? rank)
            }
        }
    }

    subscript(stop: TimetableFile.SearchableStop) -> SearchRank? {
        if byID.isEmpty, byName.isEmpty { return nil }
        return [byID[stop.id.rawValue], byName[stop.foldedName]].compactMap(\.self).min()
    }
}

extension StopSearch.Entry {
    fileprivate init(_ stop: TimetableFile.SearchableStop) {
        self.init(
            stop: stop.index, id: stop.id, code: stop.code, foldedName: stop.foldedName, platform: stop.platform,
            kind: stop.kind)
    }
}
