/// How recent realtime data is at the time of a query.
public enum Freshness: UInt8, Hashable, Sendable, Comparable {
    /// Recent enough for full confidence.
    case fresh
    /// Still used, with less confidence.
    case aging
    /// Too old to rely on. The data can still be used as the last known prediction.
    case stale

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The age limits of realtime data.
public struct FreshnessPolicy: Hashable, Sendable {
    /// The maximum age of fresh data, in seconds.
    public var fresh: Int
    /// The maximum age of usable data, in seconds; at least ``fresh``. Older data can be used only as a last known
    /// prediction.
    public var usable: Int
    /// The maximum age of a plan that the source publishes (``TransitModel/TripUpdateBasis/planned``), in seconds; at
    /// least ``usable``.
    public var plannedTimesLifetime: Int
    /// The maximum number of seconds by which a timestamp may be in the future. A later timestamp counts as wrong.
    public var tolerance: Int

    public init(fresh: Int = 90, usable: Int = 300, plannedTimesLifetime: Int? = nil, tolerance: Int = 60) {
        self.fresh = fresh
        self.usable = max(fresh, usable)
        self.plannedTimesLifetime = max(self.usable, plannedTimesLifetime ?? self.usable)
        self.tolerance = tolerance
    }

    /// Creates the policy for a dataset that is fetched at the given interval, in seconds. Data is fresh for one and a
    /// half intervals and usable for five intervals, but in each case at least as long as in the default policy.
    public init(interval: Int) {
        self.init(fresh: max(90, interval + interval / 2), usable: max(300, interval * 5))
    }

    /// Creates the policy for the responses of an arrivals source, which is queried on demand.
    public init(arrivals pace: ArrivalsPolicy) {
        self.init(interval: pace.lifetime)
        plannedTimesLifetime = max(usable, pace.plannedTimesLifetime ?? usable)
    }

    /// Returns the age of data with the given time. A time in the future, caused by clocks that differ, counts as age
    /// 0.
    public func age(of time: Instant, at now: Instant) -> DataAge {
        let seconds = now.secondsSince1970.subtractingReportingOverflow(time.secondsSince1970)
        let age = seconds.overflow ? Int64.max : max(0, seconds.partialValue)
        let freshness: Freshness = age <= Int64(fresh) ? .fresh : age <= Int64(usable) ? .aging : .stale
        return DataAge(
            seconds: Int(age), freshness: freshness,
            isAhead: !seconds.overflow && seconds.partialValue < -Int64(tolerance))
    }
}

/// The age of realtime data and the freshness that follows from it.
public struct DataAge: Hashable, Sendable {
    /// At least 0.
    public var seconds: Int
    public var freshness: Freshness
    /// Whether the timestamp is in the future by more than the tolerance. The age is then unknown and assumed to be 0.
    public var isAhead = false
}
