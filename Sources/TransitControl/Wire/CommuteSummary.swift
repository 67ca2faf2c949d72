/// Where something that the caller has comes from.
public enum Origin: String, WireEnum {
    case user
    case configuration
    case implied
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// What an end of a commute is.
public enum EndpointKind: String, WireEnum {
    case place
    case stop
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// One end of a commute.
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
        "Endpoint", "One end of a commute.", Self.init,
        Field("kind", \.kind, "A place or a stop."),
        Field("reference", \.reference, "As it is written: \"home\", \"caltrain:70211\"."),
        Field("name", \.name, "The stop's name; null for a place and while it is not known."))
}

/// A commute of the caller.
public struct CommuteSummary: WireObject {
    public var name: String
    public var from: CommuteEndpoint
    public var to: CommuteEndpoint
    public var isInUse: Bool
    public var origin: Origin
    public var problem: String?
    public var windows: [String]

    public init(
        name: String, from: CommuteEndpoint, to: CommuteEndpoint, isInUse: Bool, origin: Origin, problem: String? = nil,
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
        Field("name", \.name, "Its name."),
        Field("from", \.from, "Where it starts."),
        Field("to", \.to, "Where it ends."),
        Field("is_in_use", \.isInUse, "Whether `next` without a name means this one."),
        Field(
            "origin", \.origin,
            "user: added over the socket; configuration: in the file; implied: from the places home and work."),
        Field("problem", \.problem, "Why it cannot be answered now, in words; null when it can."),
        Field(
            "windows", \.windows,
            "When it is usually made, such as \"07:00-09:00 weekdays\"; empty where nobody has said.", default: []))
}
