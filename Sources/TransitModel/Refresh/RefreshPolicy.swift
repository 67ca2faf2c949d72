/// How often one dataset is refreshed, and how much a fetch of it may take. The defaults are those of ``standard(for:)``.
public struct RefreshPolicy: Hashable, Sendable {
    /// Seconds between two refreshes while somebody could use the data; the age that is promised. 5 or more.
    public var interval: Int
    /// Seconds between two while nobody does; as long as ``interval`` where that makes no difference.
    public var idleInterval: Int
    /// Civil times of the agency at which a daily dataset is best fetched; `nil`: at any time.
    public var quietHours: QuietHours?
    /// Seconds for a whole fetch, from the first try to connect to the last byte.
    public var deadline: Int
    /// The most bytes that a body may have, unpacked where the transfer packed it.
    public var bodyLimit: Int
    /// Seconds after which the content is asked for whole, even of a server that says that nothing changed.
    public var unconditionalInterval: Int

    public init(
        interval: Int, idleInterval: Int? = nil, quietHours: QuietHours? = nil, deadline: Int, bodyLimit: Int,
        unconditionalInterval: Int
    ) {
        self.interval = max(Self.shortest, interval)
        self.idleInterval = max(self.interval, idleInterval ?? interval)
        self.quietHours = quietHours
        self.deadline = max(1, deadline)
        self.bodyLimit = max(1, bodyLimit)
        self.unconditionalInterval = max(self.interval, unconditionalInterval)
    }

    /// No dataset is asked for more often than this, in seconds.
    public static let shortest = 5
    /// The longest interval that a configuration may give, in seconds: 7 days.
    public static let longest = 7 * 24 * 3600

    /// What holds where nothing is configured.
    public static func standard(for kind: DatasetKind) -> RefreshPolicy {
        switch kind {
        case .static:
            RefreshPolicy(
                interval: 24 * 3600, quietHours: .standard, deadline: 900, bodyLimit: 1 << 30,
                unconditionalInterval: longest)
        case .tripUpdates, .vehicles:
            RefreshPolicy(
                interval: 60, idleInterval: 300, deadline: 30, bodyLimit: 64 << 20, unconditionalInterval: 900)
        case .alerts:
            RefreshPolicy(interval: 300, deadline: 30, bodyLimit: 32 << 20, unconditionalInterval: 3600)
        case .arrivals:
            // Of single answers; how often they are asked is decided by the source's own limits.
            RefreshPolicy(interval: 50, deadline: 10, bodyLimit: 10 << 20, unconditionalInterval: 50)
        }
    }
}

/// A part of the night, on the agency's wall clock.
public struct QuietHours: Hashable, Sendable {
    /// Seconds after midnight as shown by the clock, 0..<86,400.
    public var start: Int
    /// Seconds that it lasts, 60...43,200.
    public var length: Int

    public init(start: Int, length: Int) {
        self.start = min(max(0, start), 86_399)
        self.length = min(max(60, length), 43_200)
    }

    /// 03:00 to 05:00.
    public static let standard = QuietHours(start: 3 * 3600, length: 2 * 3600)
}

/// For whom a fetch is made. A budget is spent first on what a user waits for.
public enum FetchPriority: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Nobody in particular.
    case background
    /// A commute in its window, or a reader who follows.
    case commute
    /// Somebody who asked and waits.
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
