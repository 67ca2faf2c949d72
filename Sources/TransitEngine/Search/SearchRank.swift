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

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
