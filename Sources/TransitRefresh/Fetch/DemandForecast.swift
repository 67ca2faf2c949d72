internal import TransitModel

/// When the feeds of one key will be needed, from now on. A budget is planned with it, so that it lasts as long as the
/// demand.
struct DemandForecast: Hashable, Sendable {
    /// A part of the future with a constant demand.
    private struct Segment: Hashable, Sendable {
        /// Seconds from now.
        var start: Int
        var end: Int
        /// The share of the full rate.
        var share: Double
    }

    /// In ascending order, without overlaps.
    private var segments: [Segment]

    /// A demand at the full rate without a known end.
    static let steady = DemandForecast(segments: [Segment(start: 0, end: .max, share: 1)])

    private init(segments: [Segment]) { self.segments = segments }

    /// - Parameter demands: The demand for each feed of the key. The highest level applies at each moment.
    init(_ demands: some Sequence<Demand>, at now: ClockReading) {
        var found: [Segment] = []
        for demand in demands {
            if demand.isOpenEnded(at: now) {
                self = .steady
                return
            }
            for period in demand.periods where period.level >= .soon {
                let (start, end) = (
                    max(0, now.wall.seconds(to: period.range.lowerBound)),
                    now.wall.seconds(to: period.range.upperBound)
                )
                guard start < end else { continue }
                found.append(Segment(start: start, end: end, share: period.level == .full ? 1 : 0.5))
            }
        }
        segments = Self.joined(found)
    }

    private static func joined(_ found: [Segment]) -> [Segment] {
        let bounds = Set(found.flatMap { [$0.start, $0.end] }).sorted()
        return zip(bounds, bounds.dropFirst()).compactMap { start, end in
            let share = found.filter { $0.start <= start && end <= $0.end }.map(\.share).max()
            return share.map { Segment(start: start, end: end, share: $0) }
        }
    }

    /// Returns the demand within a number of seconds, in seconds at the full rate.
    func demand(within seconds: Int) -> Double {
        var demand = 0.0
        for segment in segments {
            guard segment.start < seconds else { break }
            demand += Double(min(segment.end, seconds) - segment.start) * segment.share
        }
        return demand
    }
}
