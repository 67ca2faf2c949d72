/// The rate limits of a source of arrivals, as the source states them.
public struct ArrivalsPolicy: Hashable, Sendable {
    /// Maximum number of concurrent requests; 1 or more.
    public var batch: Int
    /// Milliseconds between two batches.
    public var batchSpacing: Int
    /// Minimum number of seconds between two requests for the same query, regardless of the client; 1 or more.
    public var cooldown: Int
    /// Seconds for which a response counts as fresh; not less than ``cooldown``.
    public var lifetime: Int
    /// Seconds before a query that the upstream refused (403, 422) is sent again.
    public var refusalLifetime: Int
    /// Seconds for which the planned times in a response stay valid without a newer response. `nil` means no longer
    /// than a prediction. A downloaded timetable stays valid while the source cannot be reached.
    public var planLifetime: Int?

    public init(
        batch: Int = 5, batchSpacing: Int = 500, cooldown: Int = 5, lifetime: Int = 50, refusalLifetime: Int = 3600,
        planLifetime: Int? = nil
    ) {
        self.batch = max(1, batch)
        self.batchSpacing = max(0, batchSpacing)
        self.cooldown = max(1, cooldown)
        self.lifetime = max(self.cooldown, lifetime)
        self.refusalLifetime = max(0, refusalLifetime)
        self.planLifetime = planLifetime
    }
}
