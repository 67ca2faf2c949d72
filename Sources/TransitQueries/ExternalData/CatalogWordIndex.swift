internal import TransitModel

/// What entries are searched for.
struct CatalogQuery {
    /// Empty if the country is enough.
    var words: [String]
    /// The folded code of the country in which entries are searched; `nil` for all.
    var country: String?
    /// Whether ``words`` contain the country's name, as entries write it.
    var namesCountry = false
}

/// How well the words of an entry match those of a text.
struct WordCost: Comparable {
    /// Lower for a better match.
    var value: Int
    /// Whether the entry has all words of the text in full.
    var isWhole: Bool

    static func < (one: WordCost, other: WordCost) -> Bool {
        one.value == other.value ? one.isWhole && !other.isWhole : one.value < other.value
    }
}

/// The words of the timetables in alphabetical order, each with the entries that contain it.
struct CatalogWordIndex: Sendable {
    /// The part of an entry that contains a word, in the order of their value for a search.
    private enum Field: Int {
        case town = 0
        case name = 2
        case region = 3
        case country = 4
    }

    private struct Posting {
        var entry: Int
        var field: Field
    }

    private var words: [String] = []
    private var postings: [[Posting]] = []
    /// The words of the town of each entry: the municipality, or the subdivision of an entry without a municipality.
    private let towns: [[String]]
    /// Whether the town of each entry is its municipality.
    private let isMunicipality: [Bool]
    /// The words of the subdivision of each entry.
    private let regions: [[String]]
    /// The entries of each country, by its folded code.
    private let entriesByCountry: [String: [Int]]

    /// A timetable of the town that a text names has a lower cost than any other.
    private static let townBonus = 100
    /// The cost of a word that only begins with that of the text. It exceeds the differences between fields.
    private static let beginningCost = 5

    init(_ entries: [CatalogEntry]) {
        towns = entries.map { entry in
            CatalogWords.of(
                entry.location.municipality.isEmpty ? entry.location.subdivision : entry.location.municipality)
        }
        isMunicipality = entries.map { !$0.location.municipality.isEmpty }
        regions = entries.map { CatalogWords.of($0.location.subdivision) }
        entriesByCountry = Dictionary(grouping: entries.indices) { entries[$0].location.country.lowercased() }
        var found: [String: [Posting]] = [:]
        for (position, entry) in entries.enumerated() {
            var seen: Set<String> = []
            func add(_ words: [String], _ field: Field) {
                for word in words where seen.insert(word).inserted {
                    found[word, default: []].append(Posting(entry: position, field: field))
                }
            }
            add(towns[position], .town)
            add(CatalogWords.of(entry.provider), .name)
            add(CatalogWords.of(entry.name), .name)
            add(regions[position], .region)
            add(CatalogWords.of(entry.location.country), .country)
        }
        for (word, list) in found.sorted(by: { Self.isLess($0.key, $1.key) }) {
            words.append(word)
            postings.append(list)
        }
    }

    private static func isLess(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Returns the entries that a query finds, with a number that is lower for a better match.
    func costs(of query: CatalogQuery) -> [Int: WordCost] {
        guard let country = query.country else { return costs(of: query.words) }
        let entries = entriesByCountry[country] ?? []
        let value = query.namesCountry ? 0 : Field.country.rawValue
        if query.words.isEmpty {
            // An entry without a town is that of the whole country.
            return Dictionary(
                uniqueKeysWithValues: entries.map { entry in
                    let bonus = Self.townBonus * (towns[entry].isEmpty ? 2 : 1)
                    return (entry, WordCost(value: value - bonus, isWhole: true))
                })
        }
        let costs = costs(of: query.words)
        return entries.reduce(into: [:]) { found, entry in
            guard let cost = costs[entry] else { return }
            found[entry] = WordCost(value: cost.value + value, isWhole: cost.isWhole)
        }
    }

    /// Returns the entries that contain all words, with a number that is lower for a better match.
    private func costs(of query: [String]) -> [Int: WordCost] {
        guard let first = query.first else { return [:] }
        var costs = self.costs(of: first)
        for word in query.dropFirst() {
            let further = self.costs(of: word)
            costs = costs.reduce(into: [:]) { sum, known in
                guard let cost = further[known.key] else { return }
                sum[known.key] = WordCost(
                    value: known.value.value + cost.value, isWhole: known.value.isWhole && cost.isWhole)
            }
        }
        let words = Set(query)
        for entry in costs.keys { costs[entry]!.value -= bonus(of: entry, query, words) }
        return costs
    }

    /// Returns how much better an entry is because of its town or region. A region that is called like the text is worse
    /// than a town whose name begins with it: New York City is better than the towns of the state.
    private func bonus(of entry: Int, _ query: [String], _ words: Set<String>) -> Int {
        let town = towns[entry]
        if town.isEmpty { return 0 }
        if isMunicipality[entry] {
            if town == query { return 4 * Self.townBonus }
            if town.starts(with: query) { return 3 * Self.townBonus }
        } else if town == query {
            return 2 * Self.townBonus
        }
        let isNamed = town.starts(with: query) || words.isSuperset(of: town) || regions[entry] == query
        return isNamed ? Self.townBonus : 0
    }

    /// Returns the entries with a word that begins with the given one. A country matches only as a whole, because its
    /// code has two letters.
    private func costs(of word: String) -> [Int: WordCost] {
        var costs: [Int: WordCost] = [:]
        var position = words.partitioningIndex { !Self.isLess($0, word) }
        while position < words.count, words[position].utf8.starts(with: word.utf8) {
            let isWhole = words[position].utf8.count == word.utf8.count
            for posting in postings[position] where isWhole || posting.field != .country {
                let cost = WordCost(
                    value: posting.field.rawValue + (isWhole ? 0 : Self.beginningCost), isWhole: isWhole)
                costs[posting.entry] = min(costs[posting.entry] ?? cost, cost)
            }
            position += 1
        }
        return costs
    }
}

extension Array {
    /// Returns the first index whose element fulfills a condition that all later elements fulfill too.
    fileprivate func partitioningIndex(where belongsToSecond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
