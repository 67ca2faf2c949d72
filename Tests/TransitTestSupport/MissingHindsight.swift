public import TransitModel

/// Judges by hindsight which departures were called missing ten minutes before.
public struct MissingHindsight: CustomStringConvertible {
    /// The departures that were called missing.
    public private(set) var called = 0
    /// The departures that were called missing, and whose trip was not reported until then.
    public private(set) var stayed = 0
    /// The departures of trips that were never reported.
    public private(set) var neverReported = 0
    /// The departures of trips that were never reported, and that were called missing.
    public private(set) var found = 0

    public init() {}

    /// - Parameters:
    ///   - reports: the times at which the trip was reported, in order.
    public mutating func add(wasCalled: Bool, at time: Instant, departure: Instant, reports: [Instant]) {
        if reports.isEmpty {
            neverReported += 1
            if wasCalled { found += 1 }
        }
        guard wasCalled else { return }
        called += 1
        if !reports.contains(where: { $0 > time && $0 <= departure }) { stayed += 1 }
    }

    /// At least 95 % of those called missing stayed so, and at least 70 % of those that never appeared were called so.
    public var isGood: Bool { stayed * 100 >= called * 95 && found * 100 >= neverReported * 70 }

    public var description: String {
        "\(called) called missing, \(stayed) of them stayed so; \(neverReported) never reported, \(found) of them called missing"
    }
}
