/// Tells the whole chain behind a departure: where its times come from and why they are believed.
public struct ExplainParameters: ControlParameters {
    public typealias Reply = ExplainResult
    public static let method = ControlMethod.explain

    public var departure: String
    public var language: String?

    public init(departure: String, language: String? = nil) {
        self.departure = departure
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "ExplainParameters",
        "Tells the whole chain behind a departure: where its times come from and why they are believed.", Self.init,
        Field("departure", \.departure, "The departure's `id`.", in: 1...300),
        Field(
            "language", \.language, "An IETF BCP 47 code, such as \"de\": texts in it where the feed has them.",
            in: 1...35))
}

/// One step of an explanation.
public struct ExplainedFact: WireObject {
    public var fact: String
    public var value: String
    public var source: String?

    public init(fact: String, value: String, source: String? = nil) {
        self.fact = fact
        self.value = value
        self.source = source
    }

    public static let wireSchema = WireSchema(
        "ExplainedFact", "One step of an explanation.", Self.init,
        Field(
            "fact", \.fact,
            """
            What is told, stable: "feed", "timetable", "match", "delay", "age", "confidence". More may follow.
            """
        ),
        Field("value", \.value, "What is the case, for people."),
        Field("source", \.source, "Why, or on whose word: a file, a rule of a specification."))
}

/// The chain behind a departure.
public struct ExplainResult: WireObject {
    public var at: Timestamp
    public var departure: Departure
    public var facts: [ExplainedFact]
    public var notices: [Notice]

    public init(at: Timestamp, departure: Departure, facts: [ExplainedFact], notices: [Notice] = []) {
        self.at = at
        self.departure = departure
        self.facts = facts
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "ExplainResult", "The chain behind a departure.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("departure", \.departure, "The departure as it is told now."),
        Field("facts", \.facts, "From the source to the time that is told."),
        Field("notices", \.notices, "What to know about this answer."))
}
