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
        return bytes.withUnsafeBufferPointer { text in
            if Self.occurs(text, at: 0, in: name) { return name.count == text.count ? .exact : .prefix }
            let isInside = Self.occurs(text, afterStartOf: name)
            // A single word that begins a word of the name is inside the name.
            guard isInside || hasSeveralWords else { return nil }
            if words.allSatisfy({ Self.beginsWord(UnsafeBufferPointer(rebasing: text[$0]), of: name) }) { return .word }
            return isInside ? .substring : nil
        }
    }

    /// Returns the rank of a code or an identifier that is not folded; `nil` without a match. The query matches the
    /// whole value or its beginning.
    public func rank(code: String) -> SearchRank? {
        var code = code
        return code.withUTF8 { rank(code: $0) }
    }

    /// Returns the rank of a code or an identifier in UTF-8; `nil` without a match.
    ///
    /// ASCII characters are folded while they are compared, because a search checks the identifier of every stop.
    public func rank(code: UnsafeBufferPointer<UInt8>) -> SearchRank? {
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

    private static func beginsWord(_ word: UnsafeBufferPointer<UInt8>, of name: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        while position + word.count <= name.count {
            if position == 0 || name[position - 1] == 0x20, occurs(word, at: position, in: name) { return true }
            position += 1
        }
        return false
    }

    private static func occurs(
        _ part: UnsafeBufferPointer<UInt8>, afterStartOf name: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let first = part[0]
        var position = 1
        while position + part.count <= name.count {
            if name[position] == first, occurs(part, at: position, in: name) { return true }
            position += 1
        }
        return false
    }

    @inline(__always)
    private static func occurs(
        _ part: UnsafeBufferPointer<UInt8>, at start: Int, in name: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard start + part.count <= name.count else { return false }
        for position in part.indices where name[start + position] != part[position] { return false }
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
