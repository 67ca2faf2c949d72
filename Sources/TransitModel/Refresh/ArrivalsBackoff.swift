/// A question about arrivals that an upstream refused: it is not asked before a moment.
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

/// What has to outlive a restart about the questions to one source of arrivals: what must not be asked yet.
public struct ArrivalsBackoff: Hashable, Sendable {
    /// To which the boot times belong.
    public var boot: BootID
    /// Ascending by query; at most ``mostRefused``.
    public var refused: [RefusedArrivalsQuery]
    /// Hosts that are left alone, ascending by name.
    public var hosts: [HostRecord]

    /// So many refused questions are kept: those whose pause is longest.
    public static let maximumRefused = 200

    public init(boot: BootID, refused: [RefusedArrivalsQuery] = [], hosts: [HostRecord] = []) {
        self.boot = boot
        self.refused = refused
        self.hosts = hosts
    }

    public var isEmpty: Bool { refused.isEmpty && hosts.isEmpty }
}
