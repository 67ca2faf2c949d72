public import TransitModel
public import TransitWire

/// The kind of a service date. Delays are learned apart for each kind.
public enum ServiceDayKind: String, OpenWireEnum {
    /// Monday to Friday.
    case weekday
    case saturday
    case sunday
    /// A date on which the service does not run regularly, such as a holiday.
    case exception
    /// A value that this version does not know.
    case other
}

/// What a usual delay was learned from.
public enum UsualDelayBasis: String, OpenWireEnum {
    /// The same departure on earlier days.
    case departure
    /// Departures of the same route and direction on the same part of the route in the same hour.
    case route
    /// The current prediction, and how much later or earlier than such predictions vehicles left.
    case prediction
    /// A value that this version does not know.
    case other
}

/// When a departure usually leaves, learned from what its source reported on earlier days. All times are relative to the
/// timetable.
public struct UsualDelay: WireObject {
    /// The delay that is exceeded as often as not; negative when early.
    /// - Unit: seconds
    public var delay: Int
    /// The delay that nine of ten departures exceed.
    /// - Unit: seconds
    public var earliest: Int
    /// The delay that one of ten departures exceeds.
    /// - Unit: seconds
    public var latest: Int
    /// The number of days on which departures were observed.
    public var days: Int
    /// The kind of the days.
    public var dayKind: ServiceDayKind
    /// What the delay was learned from.
    public var basis: UsualDelayBasis
}

/// The share of departures whose delay is in a range.
public struct DelayShare: WireObject {
    /// The smallest delay of the range; null when it has no lower end.
    /// - Unit: seconds
    public var from: Int?
    /// The end of the range, which does not belong to it; null when it has no upper end.
    /// - Unit: seconds
    public var to: Int?
    /// The share of the departures that were observed.
    /// - Unit: percent
    public var share: Int
}

/// The distribution of delays on earlier days. Recent days count more: the weight of a day halves every six weeks.
public struct LearnedPunctuality: WireObject {
    /// The number of days on which departures were observed.
    public var days: Int
    /// The kind of the days; null when days of all kinds are included.
    public var dayKind: ServiceDayKind?
    /// The delay that is exceeded as often as not.
    /// - Unit: seconds
    public var medianDelay: Int
    /// The departures by delay, the earliest first. Their sum is about 100.
    public var delays: [DelayShare]
    /// The share of departures that were canceled or did not stop. They are not part of `delays`.
    /// - Unit: percent
    public var notServed: Int
}

/// What has been learned about the delays of a feed, and how good it is.
public struct LearnedDelayStatus: WireObject {
    /// The number of departures about which enough is known to state a usual delay.
    public var departures: Int
    /// The size of what has been learned.
    /// - Unit: bytes
    public var bytes: Int
    /// The share of departures of the last two weeks that left within their stated range, which nine of ten exceed at one
    /// end and one of ten at the other, so that 80 is right; null when too few were judged.
    /// - Unit: percent
    public var coverage: Int?
    /// The number of departures that were judged in the last two weeks.
    public var judged: Int
    /// The average error of the source's predictions ten minutes ahead; null when too few were judged.
    /// - Unit: seconds
    public var sourceError: Int?
    /// The average error of the corrected predictions ten minutes ahead; null when too few were judged.
    /// - Unit: seconds
    public var correctedError: Int?
    /// Whether predictions are corrected. False while corrections would be worse than the source's own predictions, and
    /// while too few predictions were judged.
    public var correcting: Bool
    /// Whether the source repeats the timetable instead of measuring, so that nothing can be learned from it.
    public var repeatsTimetable: Bool
}

/// Returns what has been learned about the delays of feeds.
public struct FeedHistoryParameters: ControlParameters {
    public typealias Reply = FeedHistoryResult
    public static let method = ControlMethod.feedHistory

    /// The feed. The default is all feeds.
    /// - Range: 1...64
    public var feed: FeedID?
}

/// What has been learned about the delays of one feed.
public struct FeedHistory: WireObject {
    /// The feed.
    public var feed: FeedID
    /// What has been learned; null when nothing has.
    public var delays: LearnedDelayStatus?
}

/// What has been learned about the delays of feeds.
public struct FeedHistoryResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The feeds, in the order of the configuration.
    public var feeds: [FeedHistory]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Removes what has been learned about the delays of feeds. Nothing else is lost.
public struct FeedHistoryClearParameters: ControlParameters {
    public typealias Reply = FeedHistoryClearResult
    public static let method = ControlMethod.feedHistoryClear

    /// The feed. The default is all feeds.
    /// - Range: 1...64
    public var feed: FeedID?
}

/// The result of removing what has been learned about delays.
public struct FeedHistoryClearResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The feeds about whose delays something had been learned.
    public var feeds: [FeedID]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
