public import TransitWire

/// Explains a departure: where its times come from and why they are trusted.
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
        "Explains a departure: where its times come from and why they are trusted.", Self.init,
        Field("departure", \.departure, "The departure's `id`.", in: 1...300),
        Field(
            "language", \.language,
            """
            The language for texts, as an IETF BCP 47 language tag such as "de". Texts are translated only if the feed \
            has translations.
            """,
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
            The stable name of the fact: "feed", "timetable", "match", "delay", "age", "confidence". More names \
            may be added.
            """
        ),
        Field("value", \.value, "The fact as human-readable text."),
        Field("source", \.source, "The evidence: a file, or a rule of a specification."))
}

/// The explanation of a departure.
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
        "ExplainResult", "The explanation of a departure.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("departure", \.departure, "The departure as currently returned by queries."),
        Field("facts", \.facts, "The facts in order, from the source to the displayed time."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
