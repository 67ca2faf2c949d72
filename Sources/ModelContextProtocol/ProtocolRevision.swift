/// A revision of the Model Context Protocol, named by its date.
package enum ProtocolRevision: String, CaseIterable, Comparable, Sendable {
    case november2024 = "2024-11-05"
    case march2025 = "2025-03-26"
    case june2025 = "2025-06-18"
    case november2025 = "2025-11-25"
    case july2026 = "2026-07-28"

    /// The revision that `initialize` negotiates with a client whose revision is not known.
    static let newestWithHandshake = november2025

    package static func < (left: ProtocolRevision, right: ProtocolRevision) -> Bool { left.rawValue < right.rawValue }

    /// Whether a session begins with `initialize`. Since 2026-07-28, each request names its revision instead.
    var hasHandshake: Bool { self <= .newestWithHandshake }
    /// Whether messages can be sent in JSON-RPC batches. Only this revision kept them.
    var hasBatches: Bool { self == .march2025 }
    /// Whether a tool has annotations.
    var hasAnnotations: Bool { self >= .march2025 }
    /// Whether a tool has a title and an output schema, and a result has structured content.
    var hasStructuredContent: Bool { self >= .june2025 }
    /// Whether arguments that do not match the schema give a result that the model can read, not a protocol error.
    var reportsArgumentsToModel: Bool { self >= .november2025 }
}
