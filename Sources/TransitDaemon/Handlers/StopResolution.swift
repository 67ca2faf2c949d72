internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// A stop of a timetable that somebody meant.
struct FoundStop: Sendable {
    var timetable: Timetable
    var index: StopIndex
    var stop: Stop
    /// Stops of the same name on the other side of the road or of the tracks, where the feed has no station for them.
    var namesakes: [StopIndex] = []

    /// `feed:stop_id`.
    var reference: QualifiedStop { QualifiedStop(feed: timetable.feed, stop: stop.id) }

    /// In which its times are told: its own, else the agency's.
    var zone: ServiceZone {
        get throws(StoreError) { try timetable.face(of: stop, at: index).zone ?? timetable.zone }
    }

    /// Where trips call for it: a station's platforms, the platform of a boarding area, the station's of an entrance.
    func callingStops() throws(StoreError) -> [StopIndex] {
        switch stop.kind {
        case .platform: return [index] + namesakes
        case .station: return try Self.platforms(of: index, in: timetable)
        case .entrance, .node:
            return try stop.parent.map { (p) throws(StoreError) in try Self.platforms(of: p, in: timetable) } ?? []
        case .boardingArea: return stop.parent.map { [$0] } ?? [index]
        }
    }

    /// Metres between stops of one name that riders take for one stop.
    static let namesakeDistance = 300.0

    /// With the stops of its name that lie close to it.
    func withNamesakes() throws(StoreError) -> FoundStop {
        guard let place = stop.coordinate else { return self }
        var joined = self
        for near in try timetable.file.stops(near: place, within: Self.namesakeDistance) where near.stop != index {
            let other = try timetable.file.stop(near.stop)
            if other.kind == .platform, other.name == stop.name { joined.namesakes.append(near.stop) }
        }
        return joined
    }

    /// The station itself is among them: some feeds let trips call there.
    private static func platforms(of station: StopIndex, in timetable: Timetable) throws(StoreError) -> [StopIndex] {
        var stops = [station]
        for child in try timetable.file.children(of: station) where try timetable.file.stop(child).kind == .platform {
            stops.append(child)
        }
        return stops
    }
}

/// Finds the one stop that a text means: `feed:stop_id`, an identifier, a code or a name.
struct StopResolution {
    var timetables: [Timetable]
    private let question: Question

    /// How many of several stops are listed to choose from.
    private static let mostCandidates = 10

    init(_ timetables: [Timetable], _ question: Question) {
        self.timetables = timetables
        self.question = question
    }

    /// - Throws: ``ErrorKind/stopNotFound``, ``ErrorKind/stopAmbiguous`` with the candidates, and what the store throws.
    func find(_ text: String) throws -> FoundStop {
        let found = try withoutTwins(candidates(text))
        return try found.count == 1 ? found[0] : only(found, of: text)
    }

    /// The same, but stops of one name that lie together are one answer: on a board they belong side by side.
    func findJoined(_ text: String) throws -> FoundStop {
        let found = try withoutTwins(candidates(text))
        return try found.count == 1 ? found[0] : Self.joined(found) ?? only(found, of: text)
    }

    private func candidates(_ text: String) throws -> [FoundStop] {
        if let reference = QualifiedStop(text), let timetable = timetables.first(where: { $0.feed == reference.feed }),
            let found = try Self.stop(reference.stop, in: timetable)
        {
            return [found]
        }
        let byIdentifier = try timetables.compactMap { try Self.stop(StopID(text), in: $0) }
        if !byIdentifier.isEmpty { return byIdentifier }
        // From here on every name of every timetable is looked at.
        question.pace.becomesSlow()
        let byName = try stops(named: text)
        if !byName.isEmpty { return byName }
        throw try notFound(text)
    }

    /// What two feeds of one agency have both is one stop: that of the feed which the other one is beside.
    private func withoutTwins(_ found: [FoundStop]) throws -> [FoundStop] {
        guard found.count > 1 else { return found }
        return try found.filter { stop in
            guard let pair = try question.pair(of: stop.timetable), stop.timetable === pair.beside,
                let twin = pair.twins.first(of: stop.index)
            else { return true }
            return try !found.contains { other in
                try other.timetable === pair.main && other.callingStops().contains(twin)
            }
        }
    }

    private static func stop(_ id: StopID, in timetable: Timetable) throws(StoreError) -> FoundStop? {
        guard let found = try timetable.file.find(id) else { return nil }
        return FoundStop(timetable: timetable, index: found.index, stop: found.stop)
    }

    /// One stop for all of them; `nil` unless they are platforms of one timetable and one name, close to the first.
    private static func joined(_ stops: [FoundStop]) -> FoundStop? {
        guard var first = stops.first, let place = first.stop.coordinate else { return nil }
        let belong = stops.allSatisfy { other in
            other.timetable === first.timetable && other.stop.kind == .platform && other.stop.name == first.stop.name
                && other.stop.coordinate.map { $0.distance(to: place) <= FoundStop.namesakeDistance } ?? false
        }
        guard belong else { return nil }
        first.namesakes = stops.dropFirst().map(\.index)
        return first
    }

    private func only(_ stops: [FoundStop], of text: String) throws(ControlError) -> FoundStop {
        let candidates = stops.prefix(Self.mostCandidates).map { found in
            JSONValue.object([
                "feed": .string(found.timetable.feed.rawValue), "id": .string(found.stop.id.rawValue),
                "name": .string(found.stop.name), "platform": found.stop.platform.map { .string($0) } ?? .null,
            ])
        }
        let names = stops.prefix(5).map { "\($0.reference)" }.joined(separator: ", ")
        throw ControlError(
            .stopAmbiguous, "\"\(text)\" may mean \(stops.count) stops.",
            hint: "Name one of them: \(names)\(stops.count > 5 ? ", …" : "").",
            details: ["candidates": .array(candidates)])
    }

    /// The stops with that code, else those with that name. A station stands for the platforms that share its name.
    private func stops(named text: String) throws(StoreError) -> [FoundStop] {
        let folded = SearchText.fold(text)
        var byCode: [FoundStop] = []
        var byName: [FoundStop] = []
        for timetable in timetables {
            var codes: [StopIndex] = []
            var names: [(stop: StopIndex, parent: StopIndex?)] = []
            try timetable.file.searchStops { stop in
                guard stop.kind == .platform || stop.kind == .station else { return }
                if stop.code == text { codes.append(stop.index) }
                if !folded.isEmpty, stop.foldedName == folded { names.append((stop.index, stop.parent)) }
            }
            let named = Set(names.map(\.stop))
            let whole = names.filter { name in !(name.parent.map { named.contains($0) } ?? false) }.map(\.stop)
            byCode += try Self.found(codes, in: timetable)
            byName += try Self.found(whole, in: timetable)
        }
        return byCode.isEmpty ? byName : byCode
    }

    private static func found(_ stops: [StopIndex], in timetable: Timetable) throws(StoreError) -> [FoundStop] {
        var found: [FoundStop] = []
        for index in stops {
            found.append(FoundStop(timetable: timetable, index: index, stop: try timetable.file.stop(index)))
        }
        return found
    }

    private func notFound(_ text: String) throws(StoreError) -> ControlError {
        var near: [String] = []
        for timetable in timetables {
            for match in try timetable.search(stops: text, count: 3) {
                near.append("\(match.stop.name) (\(timetable.feed):\(match.stop.id))")
            }
        }
        if near.isEmpty, let similar = try similar(text) { near = ["\(similar.stop.name) (\(similar.reference))"] }
        let hint =
            near.isEmpty
            ? "Look for it: transitctl stops search TEXT." : "Did you mean \(near.prefix(3).joined(separator: ", "))?"
        return ControlError(.stopNotFound, "There is no stop \"\(text)\".", hint: hint)
    }
}

extension StopResolution {
    /// A stop whose name differs by a few letters. Only names that begin alike and are about as long are compared: a large
    /// feed has a hundred thousand.
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
    /// A stop that a search found.
    struct StopHit: Sendable {
        var rank: SearchRank
        var index: StopIndex
        var stop: Stop
    }

    /// The stops whose name, code or identifier fits, best first.
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

    /// All stops that the same search would find.
    func fitting(stops text: String) throws(StoreError) -> Set<StopIndex> {
        let search = StopSearch(text, count: 0)
        let translated = try TranslatedStopNames(self) { search.rank(foldedName: $0) }
        var fitting: Set<StopIndex> = []
        try file.searchStops { stop in
            if search.rank(of: StopSearch.Entry(stop)) ?? translated[stop] != nil { fitting.insert(stop.index) }
        }
        return fitting
    }
}

/// How well the stops of a timetable fit by their names in other languages, for a search that goes through all of them.
struct TranslatedStopNames {
    private var byID: [String: SearchRank] = [:]
    /// By the folded name that the translations are for.
    private var byName: [String: SearchRank] = [:]

    /// - Parameter rank: how well a folded name fits; `nil`: not at all.
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
