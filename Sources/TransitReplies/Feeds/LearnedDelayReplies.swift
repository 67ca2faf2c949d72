package import TransitControl
package import TransitEngine
package import TransitQueries

/// Handles `feed.history`.
package struct FeedHistoryHandler: QueryHandler {
    package init() {}

    package func reply(to parameters: FeedHistoryParameters, _ context: QueryContext) throws -> FeedHistoryResult {
        let feeds = try context.feeds(named: parameters.feed)
        return FeedHistoryResult(
            at: context.at,
            feeds: feeds.map { FeedHistory(feed: $0.id, delays: $0.history.map { LearnedDelayStatus($0) }) })
    }
}

extension LearnedDelayStatus {
    package init(_ history: DelayHistory) {
        let quality = history.quality
        self.init(
            departures: history.knownDepartures, bytes: history.memoryEstimate, coverage: quality.coverage,
            judged: quality.judged, sourceError: quality.sourceError, correctedError: quality.correctedError,
            correcting: quality.isCorrecting, repeatsTimetable: quality.repeatsTimetable)
    }
}

extension LearnedPunctuality {
    /// The ends of the ranges of delays in seconds.
    private static let ends = [-60, 60, 180, 360, 900]

    init(_ delays: LearnedDelays) {
        var ranges: [DelayShare] = []
        for (number, end) in (Self.ends + [nil]).enumerated() {
            let start = number == 0 ? nil : Self.ends[number - 1]
            ranges.append(DelayShare(from: start, to: end, share: delays.share(from: start, to: end)))
        }
        self.init(
            days: delays.days, dayKind: delays.dayKind.map { ServiceDayKind($0) }, medianDelay: delays.median,
            delays: ranges, notServed: delays.notServed)
    }
}
