/// An arrivals query that an upstream refused. It is not sent again before ``until``.
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

/// The backoff state of one source of arrivals that is kept across restarts.
public struct ArrivalsBackoff: Hashable, Sendable {
    /// The boot that the boot times belong to.
    public var boot: BootID
    /// In ascending order of the query; at most ``maximumRefused``.
    public var refused: [RefusedArrivalsQuery]
    /// Hosts in backoff, in ascending order of the name.
    public var hosts: [HostRecord]

    /// The maximum number of refused queries that are kept. The ones with the latest ``RefusedArrivalsQuery/until`` are
    /// kept.
    public static let maximumRefused = 200

    public init(boot: BootID, refused: [RefusedArrivalsQuery] = [], hosts: [HostRecord] = []) {
        self.boot = boot
        self.refused = refused
        self.hosts = hosts
    }

    public var isEmpty: Bool { refused.isEmpty && hosts.isEmpty }
}
