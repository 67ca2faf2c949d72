internal import TransitModel

/// Finds the names that a misspelled or abbreviated text may mean: words in any order, each given whole, by its
/// beginning or with a typing error, or the initials of the name.
///
/// It is slower than ``SearchQuery`` and used when that finds nothing.
public struct ApproximateSearch: Sendable {
    /// How much a name differs from the text. Lower is better.
    public struct Difference: Hashable, Comparable, Sendable {
        /// The sum over the words: 0 for a whole word or its beginning, and ``perEdit`` for each typing error.
        fileprivate var cost: Int

        public static func < (left: Self, right: Self) -> Bool { left.cost < right.cost }
    }

    /// A typing error costs more than the remainder of an abbreviated word.
    private static let perEdit = 4
    private static let abbreviation = 1
    /// The cost of initials, and of words that are written together or apart.
    private static let initials = 6
    private static let joined = 3

    private let words: [Word]
    private let compact: [UInt8]

    private struct Word: Sendable {
        var bytes: [UInt8]
        /// One bit for each letter or digit, to reject most words without computing a distance.
        var letters: UInt64

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            letters = bytes.reduce(0) { $0 | ApproximateSearch.letter($1) }
        }

        /// The number of typing errors that are tolerated. Short words have too many neighbors.
        var tolerance: Int { bytes.count < 4 ? 0 : bytes.count < 8 ? 1 : 2 }
    }

    /// Returns `nil` if the text contains neither letters nor digits.
    public init?(_ text: String) {
        let folded = SearchText.fold(text)
        words = folded.utf8.split(separator: 0x20).prefix(8).map { Word(Array($0.prefix(64))) }
        compact = words.flatMap(\.bytes)
        if words.isEmpty { return nil }
    }

    /// Returns the difference of a name folded by ``SearchText/fold(_:)``; `nil` if the text does not mean it.
    public func difference(folded name: String) -> Difference? {
        var name = name
        return name.withUTF8 { difference(Self.split($0)) }
    }

    private func difference(_ name: [UnsafeBufferPointer<UInt8>]) -> Difference? {
        let candidates = [
            wordsCost(name), isInitials(of: name) ? Self.initials : nil, isJoined(name) ? Self.joined : nil,
        ]
        return candidates.compactMap(\.self).min().map { Difference(cost: $0) }
    }

    /// Returns the sum of the costs of the words, each of which must match a different word of the name.
    private func wordsCost(_ name: [UnsafeBufferPointer<UInt8>]) -> Int? {
        guard words.count <= name.count else { return nil }
        var isUsed = [Bool](repeating: false, count: name.count)
        var total = 0
        for word in words {
            var best: (cost: Int, position: Int)?
            for position in name.indices where !isUsed[position] {
                guard let cost = Self.cost(of: word, name[position]), cost < best?.cost ?? .max else { continue }
                best = (cost, position)
                if cost == 0 { break }
            }
            guard let best else { return nil }
            isUsed[best.position] = true
            total += best.cost
        }
        return total
    }

    private static func cost(of word: Word, _ other: UnsafeBufferPointer<UInt8>) -> Int? {
        let count = word.bytes.count
        if other.count >= count, zip(word.bytes, other).allSatisfy(==) {
            return other.count == count ? 0 : abbreviation
        }
        let tolerance = word.tolerance
        guard tolerance > 0, other.count >= count - tolerance, other.count >= 3 else { return nil }
        // People rarely mistype the first letter of a short word, and many short words differ only there.
        let isSwapped = other.count > 1 && word.bytes[0] == other[1] && word.bytes[1] == other[0]
        guard count >= 6 || word.bytes[0] == other[0] || isSwapped else { return nil }
        let letters = other.reduce(0) { $0 | letter($1) }
        guard (word.letters & ~letters).nonzeroBitCount <= tolerance else { return nil }
        let (whole, beginning) = distances(word.bytes, UnsafeBufferPointer(rebasing: other.prefix(count + tolerance)))
        if other.count <= count + tolerance, whole <= tolerance { return whole * perEdit }
        return count >= 5 && beginning <= 1 ? beginning * perEdit + abbreviation : nil
    }

    /// Returns the optimal string alignment distance of a word to another one, and to the nearest beginning of it.
    private static func distances(_ word: [UInt8], _ other: UnsafeBufferPointer<UInt8>) -> (whole: Int, beginning: Int)
    {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (row, byte) in word.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(other.count + 1)
            for (column, letter) in other.enumerated() {
                var edits = min(
                    last[column] + (byte == letter ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, byte == other[column - 1], word[row - 1] == letter {
                    edits = min(edits, beforeLast[column - 1] + 1)
                }
                current.append(edits)
            }
            beforeLast = last
            last = current
        }
        return (last[other.count], last.min() ?? 0)
    }

    /// Whether the text consists of the first letters of the name's first words: "mv" for "mountain view station".
    private func isInitials(of name: [UnsafeBufferPointer<UInt8>]) -> Bool {
        guard words.count == 1, compact.count >= 2, compact.count <= name.count else { return false }
        return zip(compact, name).allSatisfy { $0 == $1.first }
    }

    /// Whether the text is the beginning of the name, but for spaces: "mountainview".
    private func isJoined(_ name: [UnsafeBufferPointer<UInt8>]) -> Bool {
        guard compact.count >= 5 else { return false }
        return name.joined().starts(with: compact)
    }

    private static func split(_ name: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
        name.split(separator: 0x20).map { UnsafeBufferPointer(rebasing: $0) }
    }

    private static func letter(_ byte: UInt8) -> UInt64 {
        switch byte {
        case 0x61...0x7A: 1 << UInt64(byte - 0x61)
        case 0x30...0x39: 1 << UInt64(byte - 0x30 + 26)
        default: 1 << 36
        }
    }
}

extension ApproximateSearch {
    /// Returns the names that a text may mean, best first: those with the text as their beginning, or else with words
    /// that begin like those of the text, or else with the text anywhere, or else those that differ least.
    ///
    /// The names are not folded. A name that folds to the text is better than all others.
    public static func names(meantBy text: String, among names: [String]) -> [String] {
        let query = SearchQuery(text)
        let ranked = names.compactMap { name in query.rank(folded: SearchText.fold(name)).map { (rank: $0, name: name) }
        }
        if let best = ranked.map(\.rank).min() {
            return ranked.filter { query.isAlternative($0.rank, to: best) }.map(\.name)
        }
        guard let search = ApproximateSearch(text) else { return [] }
        let similar = names.compactMap { name in
            search.difference(folded: SearchText.fold(name)).map { (difference: $0, name: name) }
        }
        guard let least = similar.map(\.difference).min() else { return [] }
        return similar.filter { $0.difference == least }.map(\.name)
    }
}

extension SearchQuery {
    /// Whether a match of a rank is as likely to be meant as the best match.
    ///
    /// A single word can begin any word of a name. Several words at the beginning of a name hardly mean another one.
    public func isAlternative(_ rank: SearchRank, to best: SearchRank) -> Bool {
        rank == best || (!hasSeveralWords && best == .prefix && rank == .word)
    }
}
