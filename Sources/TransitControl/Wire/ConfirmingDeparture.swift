public import TransitModel

/// What another feed of the same agency tells of a departure.
public struct ConfirmingDeparture: WireObject {
    public var feed: FeedID
    public var departure: String
    public var expected: Timestamp?
    public var source: DepartureSource
    public var status: DepartureStatus
    public var difference: Int
    public var agrees: Bool
    public var isUsed: Bool

    public init(
        feed: FeedID, departure: String, expected: Timestamp?, source: DepartureSource, status: DepartureStatus,
        difference: Int, agrees: Bool, isUsed: Bool
    ) {
        self.feed = feed
        self.departure = departure
        self.expected = expected
        self.source = source
        self.status = status
        self.difference = difference
        self.agrees = agrees
        self.isUsed = isUsed
    }

    public static let wireSchema = WireSchema(
        "ConfirmingDeparture", "What another feed of the same agency tells of a departure.", Self.init,
        Field("feed", \.feed, "The other feed."),
        Field("departure", \.departure, "The `id` that the departure has there."),
        Field("expected", \.expected, "When it leaves by what is told there."),
        Field("source", \.source, "Where that time comes from."),
        Field("status", \.status, "What happens to it by what is told there."),
        Field(
            "difference", \.difference,
            "How much later that is than what the departure's own feed tells; negative when it is earlier.",
            unit: .seconds),
        Field(
            "agrees", \.agrees,
            """
            Whether both say the same, within three minutes. Where one of both is more than a plan, the departure's \
            `confidence` is a step higher for it.
            """),
        Field(
            "is_used", \.isUsed,
            "Whether that time is the one that the departure is given, since its own feed only has a plan."))
}
