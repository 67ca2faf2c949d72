public import TransitModel

/// A search that a user made.
public struct SavedSearch: Hashable, Sendable {
    /// The kind of objects that were searched.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case stops, routes
    }

    public var kind: Kind
    /// The text that the user typed.
    public var text: String
    public var at: Instant

    public init(kind: Kind, text: String, at: Instant) {
        self.kind = kind
        self.text = text
        self.at = at
    }
}
