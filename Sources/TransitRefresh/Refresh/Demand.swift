public import TransitModel

/// The demand for a feed's realtime data.
public struct Demand: Hashable, Sendable {
    /// The number of subscribers.
    public var subscribers: Int
    /// The time of the last request for the data.
    public var lastRequest: ClockReading?
    /// Commute windows, in wall clock time.
    public var windows: [ClosedRange<Instant>]
    /// Departures of interest, such as the next departures of a commute.
    public var departures: [Instant]

    public init(
        subscribers: Int = 0, lastRequest: ClockReading? = nil, windows: [ClosedRange<Instant>] = [],
        departures: [Instant] = []
    ) {
        self.subscribers = subscribers
        self.lastRequest = lastRequest
        self.windows = windows
        self.departures = departures
    }

    /// The importance of fresh data.
    enum Urgency: Int, Hashable, Comparable {
        /// No one uses the data.
        case idle
        /// The data will be used soon. The data is fetched at half the rate.
        case soon
        case now

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The number of seconds for which a request counts as demand.
    static let requestLifetime = 600
    /// Data about a departure less than this number of seconds in the future is fetched at the full rate.
    static let near = 30 * 60
    /// Data about a departure less than this number of seconds in the future is fetched at half the rate.
    static let far = 60 * 60
    /// The number of seconds after a departure's time for which its data is still fetched, because the departure may be
    /// late.
    static let late = 10 * 60

    func urgency(at now: ClockReading) -> Urgency {
        if subscribers > 0 { return .now }
        if let lastRequest, now.age(of: lastRequest) < Self.requestLifetime { return .now }
        if windows.contains(where: { $0.contains(now.wall) }) { return .now }
        return departures.map { Self.urgency(ofDepartureIn: now.wall.seconds(to: $0)) }.max() ?? .idle
    }

    private static func urgency(ofDepartureIn seconds: Int) -> Urgency {
        switch seconds {
        case ..<(-late): .idle
        case ..<near: .now
        case ..<far: .soon
        default: .idle
        }
    }

    /// Returns the next instant at which the urgency increases without an event.
    func nextUrgencyIncrease(after now: Instant) -> Instant? {
        let rises =
            windows.map(\.lowerBound)
            + departures.flatMap { [$0.advanced(by: -Self.far + 1), $0.advanced(by: -Self.near + 1)] }
        return rises.filter { $0 > now }.min()
    }
}

extension RefreshPolicy {
    /// Returns the number of seconds between two refreshes at an urgency.
    func interval(_ urgency: Demand.Urgency) -> Int {
        switch urgency {
        case .now: interval
        case .soon: min(idleInterval, interval * 2)
        case .idle: idleInterval
        }
    }
}
