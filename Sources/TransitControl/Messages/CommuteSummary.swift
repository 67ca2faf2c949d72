public import TransitWire

/// Where a place or commute is defined.
public enum DefinitionOrigin: String, WireEnum {
    case user
    case configuration
    case implied
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The kind of endpoint of a commute.
public enum EndpointKind: String, WireEnum {
    case place
    case stop
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// An endpoint of a commute.
public struct CommuteEndpoint: WireObject {
    public var kind: EndpointKind
    public var reference: String
    public var name: String?

    public init(kind: EndpointKind, reference: String, name: String? = nil) {
        self.kind = kind
        self.reference = reference
        self.name = name
    }

    public static let wireSchema = WireSchema(
        "Endpoint", "An endpoint of a commute.", Self.init,
        Field("kind", \.kind, "Whether the endpoint is a place or a stop."),
        Field("reference", \.reference, "The endpoint as entered: \"home\", \"caltrain:70211\"."),
        Field("name", \.name, "The stop's name; null for a place, and while the name is unknown."))
}

/// A commute of the caller.
public struct CommuteSummary: WireObject {
    public var name: String
    public var from: CommuteEndpoint
    public var to: CommuteEndpoint
    public var isInUse: Bool
    public var origin: DefinitionOrigin
    public var problem: String?
    public var windows: [String]

    public init(
        name: String, from: CommuteEndpoint, to: CommuteEndpoint, isInUse: Bool, origin: DefinitionOrigin,
        problem: String? = nil,
        windows: [String] = []
    ) {
        self.name = name
        self.from = from
        self.to = to
        self.isInUse = isInUse
        self.origin = origin
        self.problem = problem
        self.windows = windows
    }

    public static let wireSchema = WireSchema(
        "CommuteSummary", "A commute of the caller.", Self.init,
        Field("name", \.name, "The commute's name."),
        Field("from", \.from, "The origin."),
        Field("to", \.to, "The destination."),
        Field("is_in_use", \.isInUse, "Whether `next` uses this commute when it is called without a name."),
        Field(
            "origin", \.origin,
            """
            Where the commute is defined. user: added over the socket; configuration: in the configuration file; \
            implied: derived from the places home and work.
            """),
        Field(
            "problem", \.problem,
            "A sentence that explains why the commute cannot be queried now; null when it can be queried."),
        Field(
            "windows", \.windows,
            "When the commute is usually made, such as \"07:00-09:00 weekdays\"; empty when not set.", default: []))
}
