package import TransitModel

/// A timetable of the catalog that matches a search.
package struct CatalogMatch: Hashable, Sendable {
    package var entry: CatalogEntry
    /// The area of the entry. If the catalog has none, it is that of an entry which this entry replaces.
    package var box: BoundingBox?
    /// The entries that match and that this entry replaces, in the order of the catalog.
    package var replaced: [String] = []
    /// The realtime feeds of the timetable.
    package var realtime: [CatalogEntry]
    /// Whether the entry has all words of the text in full, instead of words that only begin with them; false in a search
    /// by position.
    package var isWhole = false
    /// The distance in meters from the position of the search; `nil` in a search by name.
    package var distance: Double?
}

/// Finds timetables in the catalog of public feeds, by words of their names and places or by a position.
///
/// The index is built once for each catalog. An entry that the catalog retired stands for its successor.
package struct CatalogSearch: Sendable {
    private let entries: [CatalogEntry]
    /// The entry that an entry stands for: itself, or the usable entry that replaces it.
    private let representatives: [Int]
    /// The areas of the entries, including those of the entries that they replace.
    private let boxes: [BoundingBox?]
    /// The realtime feeds of each timetable, by its representative.
    private let realtime: [Int: [CatalogEntry]]
    private let index: CatalogWordIndex
    /// The positions of the entries by their identifiers.
    private let positions: [String: Int]
    /// The retired timetables by their URLs.
    private let retired: [String: Int]

    /// The number of timetables and realtime feeds.
    package let count: Int
    /// The number of timetables.
    package var timetableCount: Int { entries.count }
    /// The number of timetables with an area.
    package var areaCount: Int { boxes.count { $0 != nil } }

    /// - Parameter catalog: The entries in the order of the catalog. If an identifier occurs twice, the first entry is
    ///   used.
    package init(_ catalog: [CatalogEntry]) {
        let entries = catalog.filter(\.isTimetable)
        count = catalog.count
        self.entries = entries
        let positions = Dictionary(
            entries.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let representatives = entries.indices.map { Self.representative(of: $0, entries, positions) }
        self.representatives = representatives
        self.positions = positions
        boxes = Self.boxes(entries, representatives)
        realtime = Self.realtime(catalog, positions, representatives)
        index = CatalogWordIndex(entries)
        retired = Self.retired(entries)
    }

    // MARK: Successors

    /// The maximum number of entries that are followed from a retired one.
    private static let maximumSteps = 50

    /// Follows the successors of a retired entry, nearest first. A cycle ends, because each entry is visited once.
    ///
    /// - Returns: The first usable entry, or the entry itself if there is none.
    private static func representative(
        of start: Int, _ entries: [CatalogEntry], _ positions: [String: Int]
    ) -> Int {
        guard !entries[start].status.isUsable else { return start }
        var (pending, seen) = ([start], Set([start]))
        while let next = pending.first, seen.count <= maximumSteps {
            pending.removeFirst()
            if entries[next].status.isUsable { return next }
            pending += entries[next].successors.compactMap { positions[$0] }.filter { seen.insert($0).inserted }
        }
        return start
    }

    private static func boxes(_ entries: [CatalogEntry], _ representatives: [Int]) -> [BoundingBox?] {
        var boxes = entries.map(\.box)
        for (position, representative) in representatives.enumerated() where boxes[representative] == nil {
            boxes[representative] = entries[position].box
        }
        return boxes
    }

    private static func realtime(
        _ catalog: [CatalogEntry], _ positions: [String: Int], _ representatives: [Int]
    ) -> [Int: [CatalogEntry]] {
        var realtime: [Int: [CatalogEntry]] = [:]
        for entry in catalog where !entry.isTimetable && entry.status.isUsable {
            for position in Set(entry.timetables.compactMap { positions[$0].map { representatives[$0] } }) {
                realtime[position, default: []].append(entry)
            }
        }
        return realtime
    }

    // MARK: Configured URLs

    /// Returns the part of a URL that identifies a file on a server.
    private static func address(_ url: String) -> String {
        var address = url[...]
        for scheme in ["https://", "http://"] where address.hasPrefix(scheme) { address.removeFirst(scheme.count) }
        if address.hasSuffix("/") { address.removeLast() }
        return String(address)
    }

    private static func retired(_ entries: [CatalogEntry]) -> [String: Int] {
        var retired: [String: Int] = [:]
        for (position, entry) in entries.enumerated() where !entry.status.isUsable {
            for url in [entry.downloadURL, entry.copyURL].compactMap(\.self) { retired[address(url)] = position }
        }
        // A successor often keeps the URL of the entry that it replaces.
        for entry in entries where entry.status.isUsable {
            for url in [entry.downloadURL, entry.copyURL].compactMap(\.self) { retired[address(url)] = nil }
        }
        return retired
    }

    /// Returns the entry with a URL that the catalog has retired, and its usable successor.
    ///
    /// - Returns: `nil` if the catalog does not have the URL, if an entry with the URL is usable, or if there is no
    ///   successor.
    package func retirement(ofURL url: String) -> (entry: CatalogEntry, successor: CatalogEntry)? {
        guard let position = retired[Self.address(url)], representatives[position] != position else { return nil }
        return (entries[position], entries[representatives[position]])
    }

    /// Whether the catalog has an entry with a URL.
    package func contains(url: String) -> Bool {
        let address = Self.address(url)
        return entries.contains { entry in
            [entry.downloadURL, entry.copyURL].contains { $0.map { Self.address($0) == address } ?? false }
        }
    }

    // MARK: By name

    /// Returns the timetables whose names or places contain all words of a text, or the words of another name of the
    /// city that the text names. The best match is first. An identifier, such as `mdb-53`, names one timetable.
    ///
    /// A word of the text matches the beginning of a word of the entry. A timetable of the town, region or country that
    /// the text names is better than one that has the word in a longer name: Mexico is not New Mexico.
    package func named(_ text: String) -> [CatalogMatch] {
        if let position = positions[text.lowercased()] {
            return matches([(entry: position, cost: 0, isWhole: true, distance: nil)]) { _, _ in false }
        }
        var costs: [Int: WordCost] = [:]
        let words = CatalogWords.of(text)
        for query in Self.variants(of: words) + Self.countries(in: words) {
            for (entry, cost) in index.costs(of: query) { costs[entry] = min(costs[entry] ?? cost, cost) }
        }
        let candidates = costs.map { entry, cost in
            (entry: entry, cost: Double(cost.value), isWhole: cost.isWhole, distance: Double?.none)
        }
        return matches(candidates) { one, other in
            (one.cost, one.authority, one.area) < (other.cost, other.authority, other.area)
        }
    }

    /// Returns the words of a text, and the same words with another name in place of each name of a city.
    private static func variants(of words: [String]) -> [CatalogQuery] {
        guard !words.isEmpty else { return [] }
        var variants = [CatalogQuery(words: words)]
        for start in words.indices {
            for length in 1...CityNames.longestName where start + length <= words.count {
                for name in CityNames.others[Array(words[start..<start + length])] ?? [] {
                    variants.append(CatalogQuery(words: Array(words[..<start] + name + words[(start + length)...])))
                }
            }
        }
        return variants
    }

    /// Returns, for each name of a country in a text, the other words and the country, and the same words with the English
    /// name of the country, which the names of its towns and regions may contain: Mexico City for "mexiko".
    private static func countries(in words: [String]) -> [CatalogQuery] {
        words.indices.flatMap { start in
            (1...CountryNames.longestName).flatMap { length -> [CatalogQuery] in
                guard start + length <= words.count,
                    let country = CountryNames.countries[Array(words[start..<start + length])]
                else { return [] }
                let (before, after) = (words[..<start], words[(start + length)...])
                return [
                    CatalogQuery(words: Array(before + after), country: country.code),
                    CatalogQuery(
                        words: Array(before + country.englishName + after), country: country.code, namesCountry: true),
                ]
            }
        }
    }

    // MARK: By position

    /// The maximum distance in meters between a position and the area of a timetable.
    private static let maximumDistance = 50_000.0
    /// Within this distance in meters, the last stop is within walking distance, so the position counts as inside.
    private static let walkingDistance = 1000.0

    /// Returns the timetables near a position: by the distance to their areas, then the smallest area first.
    package func near(_ position: Coordinate) -> [CatalogMatch] {
        let near = entries.indices.compactMap { entry -> Candidate? in
            guard let distance = boxes[entry]?.distance(to: position), distance <= Self.maximumDistance else {
                return nil
            }
            return (entry, distance <= Self.walkingDistance ? 0 : distance, false, distance)
        }
        return matches(near) { one, other in
            (one.cost, one.area, one.authority) < (other.cost, other.area, other.authority)
        }
    }

    // MARK: Order

    /// The properties by which matches are sorted; the lower, the better.
    private struct Rank {
        /// The inverse quality of the match.
        var cost: Double
        /// The diagonal of the area in meters; infinite if it is unknown.
        var area: Double
        /// 0 for official, 1 for unknown, 2 for unofficial feeds.
        var authority: Int
    }

    private typealias Candidate = (entry: Int, cost: Double, isWhole: Bool, distance: Double?)

    /// Returns the matches of the representatives, sorted. Retired entries without a successor are last.
    private func matches(
        _ candidates: [Candidate], by isBetter: (Rank, Rank) -> Bool
    ) -> [CatalogMatch] {
        var best: [Int: Candidate] = [:]
        var replaced: [Int: [Int]] = [:]
        for candidate in candidates {
            let representative = representatives[candidate.entry]
            if representative != candidate.entry { replaced[representative, default: []].append(candidate.entry) }
            if let known = best[representative], known.cost <= candidate.cost { continue }
            best[representative] = candidate
        }
        let ranked = best.map { position, candidate in
            (
                position: position, distance: candidate.distance, isWhole: candidate.isWhole,
                status: Self.rank(entries[position].status),
                rank: Rank(
                    cost: candidate.cost, area: boxes[position]?.diagonal ?? .infinity,
                    authority: entries[position].isOfficial.map { $0 ? 0 : 2 } ?? 1)
            )
        }
        let sorted = ranked.sorted { one, other in
            if one.status != other.status { return one.status < other.status }
            if isBetter(one.rank, other.rank) { return true }
            return isBetter(other.rank, one.rank) ? false : one.position < other.position
        }
        return sorted.map { match in
            CatalogMatch(
                entry: entries[match.position], box: boxes[match.position],
                replaced: (replaced[match.position] ?? []).sorted().map { entries[$0].id },
                realtime: realtime[match.position] ?? [], isWhole: match.isWhole, distance: match.distance)
        }
    }

    private static func rank(_ status: CatalogStatus) -> Int {
        switch status {
        case .active: 0
        case .development: 1
        case .inactive: 2
        case .deprecated: 3
        }
    }
}
