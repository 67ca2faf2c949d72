public import TransitModel

/// The demand for a feed's realtime data: who uses it now, and when it will be used.
public struct Demand: Hashable, Sendable {
    /// How fresh data has to be.
    public enum Level: Int, Hashable, Sendable, Comparable {
        /// No one uses the data.
        case idle
        /// A user will be notified from the data later. It is fetched every ``Demand/aheadInterval`` seconds, with the
        /// priority of data that no one waits for.
        case ahead
        /// The data will be used soon. It is fetched at half the rate.
        case soon
        /// The data is used, so it is fetched at the full rate.
        case full

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// A time range in which the data is needed, in wall clock time: the window of a commute, or the time around a
    /// departure that someone waits for.
    public struct Period: Hashable, Sendable {
        public var range: ClosedRange<Instant>
        public var level: Level

        public init(_ range: ClosedRange<Instant>, _ level: Level) {
            self.range = range
            self.level = level
        }
    }

    /// The number of subscribers.
    public var subscribers: Int
    /// The time of the last request for the data.
    public var lastRequest: ClockReading?
    /// The periods in any order. They can overlap: the highest level applies.
    public var periods: [Period]

    public init(subscribers: Int = 0, lastRequest: ClockReading? = nil, periods: [Period] = []) {
        self.subscribers = subscribers
        self.lastRequest = lastRequest
        self.periods = periods
    }

    /// The number of seconds for which a request counts as demand.
    static let requestLifetime = 600
    /// Data about a listed departure less than this number of seconds in the future is fetched at the full rate.
    static let near = 30 * 60
    /// Data about a listed departure less than this number of seconds in the future is fetched at half the rate.
    static let far = 60 * 60
    /// The number of seconds after a listed departure's time for which its data is still fetched, because the departure
    /// may be late.
    static let late = 10 * 60
    /// The number of seconds between two refreshes at ``Level/ahead``.
    static let aheadInterval = 300

    /// Returns the periods around a departure that a client was shown. The demand rises as the departure approaches.
    public static func periods(aroundDeparture departure: Instant) -> [Period] {
        let near = departure.advanced(by: -Self.near)
        return [
            Period(departure.advanced(by: -far + 1)...near, .soon),
            Period(near.advanced(by: 1)...departure.advanced(by: late), .full),
        ]
    }

    /// Whether someone uses the data now and may use it for any length of time.
    func isOpenEnded(at now: ClockReading) -> Bool {
        subscribers > 0 || lastRequest.map { now.age(of: $0) < Self.requestLifetime } ?? false
    }

    func level(at now: ClockReading) -> Level {
        if isOpenEnded(at: now) { return .full }
        return periods.lazy.filter { $0.range.contains(now.wall) }.map(\.level).max() ?? .idle
    }

    /// Returns the next instant at which the level can rise without an event.
    func nextRise(after now: Instant) -> Instant? {
        periods.lazy.map(\.range.lowerBound).filter { $0 > now }.min()
    }
}

extension RefreshPolicy {
    /// Returns the number of seconds between two refreshes at a level of demand.
    func interval(_ level: Demand.Level) -> Int {
        switch level {
        case .full: interval
        case .soon: min(idleInterval, interval * 2)
        case .ahead: min(idleInterval, max(interval, Demand.aheadInterval))
        case .idle: idleInterval
        }
    }
}

extension FetchPriority {
    /// The priority of data that is needed at a level.
    init(_ level: Demand.Level) { self = level >= .soon ? .commute : .background }
}
