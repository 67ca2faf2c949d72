public import TransitModel

/// `[feed.refresh]`: how often a feed's datasets are asked for, where the standard of ``RefreshPolicy`` does not do.
public struct RefreshOptions: Hashable, Sendable {
    /// Seconds between two refreshes while somebody could use the data, ``RefreshPolicy/shortest`` to
    /// ``RefreshPolicy/longest``.
    public var intervals: [DatasetKind: Int] = [:]
    /// Seconds between two refreshes of live datasets while nobody does.
    public var idle: Int?
    /// The hour at which the timetable is best fetched, 0...23 on the agency's clock.
    public var downloadHour: Int?

    public init() {}
}
