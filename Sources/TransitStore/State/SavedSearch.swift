public import TransitModel

/// Something that a user looked for.
public struct SavedSearch: Hashable, Sendable {
    /// Among what it was looked for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case stops, routes
    }

    public var kind: Kind
    /// As it was typed.
    public var text: String
    public var at: Instant

    public init(kind: Kind, text: String, at: Instant) {
        self.kind = kind
        self.text = text
        self.at = at
    }
}
