public import TransitModel

/// How far a piece of live data is from the moment of the question.
public enum Freshness: UInt8, Hashable, Sendable, Comparable {
    /// As good as it gets.
    case fresh
    /// Still used, with less confidence.
    case aging
    /// The data is too old to rely on. At most it serves as the last known prediction.
    case stale

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// When live data grow old.
public struct FreshnessPolicy: Hashable, Sendable {
    /// Seconds up to which data are fresh.
    public var fresh: Int
    /// Seconds up to which the data counts as more than a last known prediction; at least ``fresh``.
    public var usable: Int
    /// Seconds up to which a plan that the source publishes is used (``TransitModel/TripUpdateBasis/planned``); at least
    /// ``usable``.
    public var plan: Int
    /// Seconds that a timestamp may lie ahead before it is called wrong.
    public var tolerance: Int

    public init(fresh: Int = 90, usable: Int = 300, plan: Int? = nil, tolerance: Int = 60) {
        self.fresh = fresh
        self.usable = max(fresh, usable)
        self.plan = max(self.usable, plan ?? self.usable)
        self.tolerance = tolerance
    }

    /// For a dataset that is asked every so many seconds: fresh for one interval and a half, used for five, and at least as long as
    /// the policy without an interval.
    public init(interval: Int) {
        self.init(fresh: max(90, interval + interval / 2), usable: max(300, interval * 5))
    }

    /// The policy for the answers of an arrivals source, which is queried on demand.
    public init(arrivals pace: ArrivalsPolicy) {
        self.init(interval: pace.lifetime)
        plan = max(usable, pace.planLifetime ?? usable)
    }

    /// The age of data of that time. One that lies ahead, because clocks differ, is no age.
    public func age(of time: Instant, at now: Instant) -> DataAge {
        let seconds = now.secondsSince1970.subtractingReportingOverflow(time.secondsSince1970)
        let age = seconds.overflow ? Int64.max : max(0, seconds.partialValue)
        let freshness: Freshness = age <= Int64(fresh) ? .fresh : age <= Int64(usable) ? .aging : .stale
        return DataAge(
            seconds: Int(age), freshness: freshness,
            isAhead: !seconds.overflow && seconds.partialValue < -Int64(tolerance))
    }
}

/// How old something is, and what follows from it.
public struct DataAge: Hashable, Sendable {
    /// 0 or more.
    public var seconds: Int
    public var freshness: Freshness
    /// The timestamp lies ahead of the clock by more than is tolerated: the age is not known, and taken as 0.
    public var isAhead: Bool

    public init(seconds: Int, freshness: Freshness, isAhead: Bool = false) {
        self.seconds = seconds
        self.freshness = freshness
        self.isAhead = isAhead
    }
}
