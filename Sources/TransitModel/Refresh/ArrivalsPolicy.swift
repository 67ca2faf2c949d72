/// How often a source of arrivals may be asked, as it says itself.
public struct ArrivalsPolicy: Hashable, Sendable {
    /// How many requests are under way together; 1 or more.
    public var batch: Int
    /// Thousandths of a second between two batches.
    public var batchSpacing: Int
    /// Seconds before a question is asked again, whoever asks; 1 or more.
    public var cooldown: Int
    /// Seconds for which an answer is as good as a new one; not less than ``cooldown``.
    public var lifetime: Int
    /// Seconds for which a question that the upstream refused (403, 422) is not asked again.
    public var refusalLifetime: Int
    /// Seconds for which the plan in an answer stays valid without a newer answer. `nil`: no longer than a prediction.
    /// A downloaded timetable stays valid while the source cannot be reached.
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
