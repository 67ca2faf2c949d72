internal import TransitModel

/// A search text, folded in the same way as the names (``SearchText``) and compared byte by byte.
public struct SearchQuery: Sendable {
    private let bytes: [UInt8]
    /// The ranges of the words in ``bytes``.
    private let words: [Range<Int>]

    public init(_ text: String) {
        bytes = Array(SearchText.fold(text).utf8)
        var words: [Range<Int>] = []
        var start = 0
        for position in 0...bytes.count where position == bytes.count || bytes[position] == 0x20 {
            if position > start { words.append(start..<position) }
            start = position + 1
        }
        self.words = words
    }

    /// Whether the text contains neither letters nor digits, so that nothing matches.
    public var isEmpty: Bool { bytes.isEmpty }
    public var hasSeveralWords: Bool { words.count > 1 }

    /// Returns the rank of a name folded by ``SearchText/fold(_:)``; `nil` without a match.
    public func rank(folded name: String) -> SearchRank? {
        var name = name
        return name.withUTF8 { rank(folded: $0) }
    }

    /// Returns the rank of a folded name in UTF-8; `nil` without a match.
    public func rank(folded name: UnsafeBufferPointer<UInt8>) -> SearchRank? {
        guard !bytes.isEmpty, !name.isEmpty else { return nil }
        if contains(bytes.indices, at: 0, of: name) { return name.count == bytes.count ? .exact : .prefix }
        if words.allSatisfy({ beginsWord($0, of: name) }) { return .word }
        let isInside =
            name.count > bytes.count
            && (1...(name.count - bytes.count)).contains { contains(bytes.indices, at: $0, of: name) }
        return isInside ? .substring : nil
    }

    /// Returns the rank of a code or an identifier that is not folded; `nil` without a match. The query matches the
    /// whole value or its beginning.
    public func rank(code: String) -> SearchRank? {
        var code = code
        return code.withUTF8 { rank(code: $0) }
    }

    /// Folds ASCII characters while comparing, because a search checks the identifier of every stop.
    private func rank(code: UnsafeBufferPointer<UInt8>) -> SearchRank? {
        guard !bytes.isEmpty else { return nil }
        var matched = 0
        var pendingBlank = false
        for byte in code where byte != 0x27 {
            guard byte < 0x80 else { return rank(unusualCode: code) }
            guard let letter = Self.foldedLetter(byte) else {
                pendingBlank = matched > 0
                continue
            }
            guard matched < bytes.count else { return .prefix }
            if pendingBlank {
                guard bytes[matched] == 0x20 else { return nil }
                matched += 1
                pendingBlank = false
            }
            guard bytes[matched] == letter else { return nil }
            matched += 1
        }
        return matched == bytes.count ? .exact : nil
    }

    private func rank(unusualCode code: UnsafeBufferPointer<UInt8>) -> SearchRank? {
        let rank = rank(folded: SearchText.fold(String(decoding: code, as: UTF8.self)))
        return rank == .exact || rank == .prefix ? rank : nil
    }

    /// Returns `nil` for word separators.
    private static func foldedLetter(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte + 0x20
        case 0x61...0x7A, 0x30...0x39: byte
        default: nil
        }
    }

    private func beginsWord(_ word: Range<Int>, of name: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        while position + word.count <= name.count {
            if position == 0 || name[position - 1] == 0x20, contains(word, at: position, of: name) { return true }
            position += 1
        }
        return false
    }

    @inline(__always)
    private func contains(_ part: Range<Int>, at start: Int, of name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard start + part.count <= name.count else { return false }
        for position in part where name[start + position - part.lowerBound] != bytes[position] { return false }
        return true
    }
}

/// The quality of a search match, best first.
public enum SearchRank: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    /// The query is the whole name, or the whole code or identifier.
    case exact
    /// The query is the beginning of the name, the code or the identifier.
    case prefix
    /// Every word of the query is the beginning of a word of the name.
    case word
    /// The query occurs elsewhere in the name.
    case substring
    /// The query may be a misspelling or an abbreviation of the name. Searched only if nothing else matches.
    case similar

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
