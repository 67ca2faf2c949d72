public import TransitModel
public import TransitWire

/// The same departure in another feed of the same agency.
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
        "ConfirmingDeparture", "The same departure in another feed of the same agency.", Self.init,
        Field("feed", \.feed, "The other feed."),
        Field("departure", \.departure, "The departure's `id` in the other feed."),
        Field("expected", \.expected, "The departure time in the other feed."),
        Field("source", \.source, "The source of that time."),
        Field("status", \.status, "The departure's status in the other feed."),
        Field(
            "difference", \.difference,
            """
            The time in the other feed minus the time in the departure's own feed; negative when the other feed's \
            time is earlier.
            """,
            unit: .seconds),
        Field(
            "agrees", \.agrees,
            """
            Whether the two feeds agree within three minutes. If at least one of them has realtime data, the \
            departure's `confidence` is raised one step.
            """),
        Field(
            "is_used", \.isUsed,
            """
            Whether the departure shows the other feed's time because its own feed has only scheduled times.
            """))
}
