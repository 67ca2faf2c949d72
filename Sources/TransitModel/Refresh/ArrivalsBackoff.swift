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
