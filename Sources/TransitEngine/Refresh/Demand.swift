public import TransitModel

/// Who could use a feed's live data.
public struct Demand: Hashable, Sendable {
    /// Readers who follow it.
    public var subscribers: Int
    /// When it was last asked about.
    public var lastRequest: ClockReading?
    /// Commute windows, by the wall clock.
    public var windows: [ClosedRange<Instant>]
    /// Departures that matter to somebody, such as the next ones of a commute.
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

    /// How much it matters that the data is new.
    enum Urgency: Int, Hashable, Comparable {
        /// Nobody could use it.
        case idle
        /// Somebody will soon: asked half as often.
        case soon
        case now

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// A question counts so many seconds.
    static let requestLifetime = 600
    /// A departure that is less than so many seconds away is followed at full rate.
    static let near = 30 * 60
    /// The same at half the rate.
    static let far = 60 * 60
    /// A departure is followed so long after its time: it may be late.
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

    /// The next instant at which it matters more than now, by itself.
    func nextUrgencyIncrease(after now: Instant) -> Instant? {
        let rises =
            windows.map(\.lowerBound)
            + departures.flatMap { [$0.advanced(by: -Self.far + 1), $0.advanced(by: -Self.near + 1)] }
        return rises.filter { $0 > now }.min()
    }
}

extension RefreshPolicy {
    /// Seconds between two refreshes when it matters so much.
    func interval(_ urgency: Demand.Urgency) -> Int {
        switch urgency {
        case .now: interval
        case .soon: min(idleInterval, interval * 2)
        case .idle: idleInterval
        }
    }
}
