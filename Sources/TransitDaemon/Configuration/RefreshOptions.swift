public import TransitModel

/// `[feed.refresh]`: refresh intervals of a feed's datasets that differ from the defaults of ``RefreshPolicy``.
public struct RefreshOptions: Hashable, Sendable {
    /// Seconds between two refreshes while there is demand for the data, ``RefreshPolicy/shortest`` to
    /// ``RefreshPolicy/longest``.
    public var intervals: [DatasetKind: Int] = [:]
    /// Seconds between two refreshes of realtime datasets without demand.
    public var idle: Int?
    /// The preferred hour for fetching the timetable, 0...23 in the agency's time zone.
    public var downloadHour: Int?

    public init() {}
}
