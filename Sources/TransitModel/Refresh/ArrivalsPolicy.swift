/// The subject of ``ArrivalsQueryID``.
public enum ArrivalsQuerySubject {}
/// Identifies one arrivals query. The source defines the content.
public typealias ArrivalsQueryID = Identifier<ArrivalsQuerySubject>

/// The rate limits of a source of arrivals, as published by the source.
public struct ArrivalsPolicy: Hashable, Sendable {
    /// The maximum number of concurrent requests, 1 or more.
    public var batch: Int
    /// The number of milliseconds between two batches.
    public var batchSpacing: Int
    /// The minimum number of seconds between two requests for the same query, regardless of the client, 1 or more.
    public var cooldown: Int
    /// The number of seconds for which a response counts as fresh, at least ``cooldown``.
    public var lifetime: Int
    /// The number of seconds before a query that the upstream server refused (403, 422) is sent again.
    public var refusalLifetime: Int
    /// The number of seconds for which the planned times in a response stay valid without a newer response. `nil` means
    /// that they stay valid no longer than a prediction. A value lets the times stay valid while the source cannot be
    /// reached, like a downloaded timetable.
    public var plannedTimesLifetime: Int?

    public init(
        batch: Int = 5, batchSpacing: Int = 500, cooldown: Int = 5, lifetime: Int = 50, refusalLifetime: Int = 3600,
        plannedTimesLifetime: Int? = nil
    ) {
        self.batch = max(1, batch)
        self.batchSpacing = max(0, batchSpacing)
        self.cooldown = max(1, cooldown)
        self.lifetime = max(self.cooldown, lifetime)
        self.refusalLifetime = max(0, refusalLifetime)
        self.plannedTimesLifetime = plannedTimesLifetime
    }
}

/// An arrivals query that an upstream server refused. The query is not sent again before ``until``.
public struct RefusedArrivalsQuery: Hashable, Sendable {
    public var query: ArrivalsQueryID
    /// The HTTP status.
    public var status: Int
    public var until: ClockReading

    public init(_ query: ArrivalsQueryID, status: Int, until: ClockReading) {
        self.query = query
        self.status = status
        self.until = until
    }
}

/// The backoff state of one source of arrivals, which is preserved across restarts.
public struct ArrivalsBackoff: Hashable, Sendable {
    /// The boot that the boot times belong to.
    public var boot: BootID
    /// The refused queries, at most ``maximumRefused``, in ascending order of the query.
    public var refused: [RefusedArrivalsQuery]
    /// The hosts in backoff, in ascending order of their names.
    public var hosts: [HostRecord]

    /// The maximum number of refused queries that are stored. If there are more, the queries with the latest
    /// ``RefusedArrivalsQuery/until`` are stored.
    public static let maximumRefused = 200

    public init(boot: BootID, refused: [RefusedArrivalsQuery] = [], hosts: [HostRecord] = []) {
        self.boot = boot
        self.refused = refused
        self.hosts = hosts
    }

    public var isEmpty: Bool { refused.isEmpty && hosts.isEmpty }
}
