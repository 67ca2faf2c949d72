internal import TransitControl
internal import TransitModel
internal import TransitRefresh

extension DatasetStatusRenderer {
    /// Returns the status of the on-demand source, which the refresh engine does not schedule.
    func status(_ summary: ArrivalsSummary) -> DatasetStatus {
        let age = summary.lastAnswer.map { Int(clamping: max(0, $0.milliseconds(to: reading.boot)) / 1000) }
        return DatasetStatus(
            dataset: .arrivals, source: "on demand", freshness: freshness(summary, age), age: age,
            lastSuccess: summary.lastAnswer.map(timestamp), lastAttempt: summary.lastRequested.map(timestamp),
            outcome: summary.lastRequested.map { _ in Self.outcome(summary.lastFailure) },
            message: summary.lastFailure.map { "\($0)".asSentence }, nextDue: summary.next.map(timestamp),
            dueReason: summary.reason.rawValue, failures: summary.failures, notes: notes(summary))
    }

    private func freshness(_ summary: ArrivalsSummary, _ age: Int?) -> DatasetFreshness {
        guard let age else { return .empty }
        if summary.fresh > 0 { return .fresh }
        return age <= (feed.realtime?.policy(.arrivals) ?? FreshnessPolicy()).usable ? .aging : .expired
    }

    private static func outcome(_ trouble: ArrivalsFailure?) -> AttemptOutcome {
        switch trouble {
        case nil: .updated
        case .refused, .unreadable: .refused
        case .failed: .failed
        }
    }

    private func notes(_ summary: ArrivalsSummary) -> [String] {
        guard summary.known > 0 else { return ["No request has needed it yet."] }
        var notes = ["Cached queries: \(summary.known). Fresh responses: \(summary.fresh)."]
        if summary.failing > 0 { notes.append("Queries that failed at the last attempt: \(summary.failing).") }
        return notes
    }

    private func timestamp(_ moment: BootTime) -> Timestamp { Timestamp(reading.wall(at: moment), in: zone) }
}
