/// The refresh intervals of one dataset and the limits on one fetch. The defaults are those of ``standard(for:)``.
public struct RefreshPolicy: Hashable, Sendable {
    /// The number of seconds between two refreshes while a client uses the data, 5 or more. This is also the promised
    /// maximum age of the data.
    public var interval: Int
    /// The number of seconds between two refreshes while no client uses the data. Equal to ``interval`` if the use
    /// makes no difference.
    public var idleInterval: Int
    /// The preferred local times for a daily dataset, in the agency's time zone, or `nil` for any time.
    public var quietHours: QuietHours?
    /// The maximum duration of a fetch in seconds, from the first connection attempt to the last byte.
    public var deadline: Int
    /// The maximum size of a body in bytes, after decompression if the transfer was compressed.
    public var bodyLimit: Int
    /// The number of seconds after which an unconditional request is sent even if the server reports no change.
    public var unconditionalInterval: Int

    public init(
        interval: Int, idleInterval: Int? = nil, quietHours: QuietHours? = nil, deadline: Int, bodyLimit: Int,
        unconditionalInterval: Int
    ) {
        self.interval = max(Self.minimumInterval, interval)
        self.idleInterval = max(self.interval, idleInterval ?? interval)
        self.quietHours = quietHours
        self.deadline = max(1, deadline)
        self.bodyLimit = max(1, bodyLimit)
        self.unconditionalInterval = max(self.interval, unconditionalInterval)
    }

    /// The minimum interval of any dataset, in seconds.
    public static let minimumInterval = 5
    /// The maximum interval that a configuration may set, in seconds: 7 days.
    public static let maximumInterval = 7 * 24 * 3600

    /// Returns the policy of a dataset without configuration.
    public static func standard(for kind: DatasetKind) -> RefreshPolicy {
        switch kind {
        case .static:
            RefreshPolicy(
                interval: 24 * 3600, quietHours: .standard, deadline: 900, bodyLimit: 1 << 30,
                unconditionalInterval: maximumInterval)
        case .tripUpdates, .vehicles:
            RefreshPolicy(
                interval: 60, idleInterval: 300, deadline: 30, bodyLimit: 64 << 20, unconditionalInterval: 900)
        case .alerts:
            RefreshPolicy(interval: 300, deadline: 30, bodyLimit: 32 << 20, unconditionalInterval: 3600)
        case .arrivals:
            // These limits apply to a single response. The rate limits of the source determine how often requests are
            // sent.
            RefreshPolicy(interval: 50, deadline: 10, bodyLimit: 10 << 20, unconditionalInterval: 50)
        case .weather:
            RefreshPolicy(interval: 1800, deadline: 20, bodyLimit: 2 << 20, unconditionalInterval: 1800)
        case .events:
            // The deadline applies to all requests of one refresh, and the size limit to each response.
            RefreshPolicy(interval: 6 * 3600, deadline: 120, bodyLimit: 8 << 20, unconditionalInterval: 6 * 3600)
        case .catalog:
            RefreshPolicy(
                interval: 7 * 86_400, deadline: 60, bodyLimit: 32 << 20, unconditionalInterval: 60 * 86_400)
        }
    }
}

/// A local time range, usually at night, in the agency's time zone.
public struct QuietHours: Hashable, Sendable {
    /// Seconds after midnight on the wall clock, 0..<86,400.
    public var start: Int
    /// Length in seconds, 60...43,200.
    public var length: Int

    public init(start: Int, length: Int) {
        self.start = min(max(0, start), 86_399)
        self.length = min(max(60, length), 43_200)
    }

    /// 03:00 to 05:00.
    public static let standard = QuietHours(start: 3 * 3600, length: 2 * 3600)
}

/// The reason for a fetch. A budget is used first for fetches whose result a user is waiting for.
public enum FetchPriority: String, Hashable, Sendable, CaseIterable, Comparable {
    /// A scheduled refresh.
    case background
    /// A commute in its time window, or a client that watches a board.
    case commute
    /// A request whose client is waiting for the result.
    case user

    private var rank: Int {
        switch self {
        case .background: 0
        case .commute: 1
        case .user: 2
        }
    }

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}
