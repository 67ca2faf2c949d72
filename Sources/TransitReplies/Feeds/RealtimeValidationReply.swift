package import TransitControl
package import TransitEngine
package import TransitModel
package import TransitQueries
package import TransitRefresh

/// Reports the problems of a feed's realtime data: the reply to `feed.validate` with `realtime`.
package struct RealtimeValidationReply {
    private let feed: FeedView
    private let arrivalsFailure: ArrivalsFailure?

    /// - Parameter arrivalsFailure: The last failure of the on-demand source; `nil` if its last request succeeded or it
    ///   has none.
    package init(feed: FeedView, arrivalsFailure: ArrivalsFailure?) {
        self.feed = feed
        self.arrivalsFailure = arrivalsFailure
    }

    /// Reports the problems that were found while the realtime data was parsed and matched to the timetable.
    ///
    /// - Parameter validate: Applies the GTFS-Realtime validator's rules to a dataset; `nil` if no usable response is
    ///   cached.
    package func result(
        _ context: QueryContext, validate: (DatasetKind) -> RealtimeFindings?
    ) -> FeedValidateResult {
        let responses = (feed.snapshot?.responses ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }
        let findings = responses.flatMap { kind, response in
            ResponseFindings(kind: kind, response: response, rules: validate(kind)).findings
        }
        var notices = FeedNotices(now: context.now).about(feed)
        if responses.isEmpty {
            let cause = feed.source.hasRealtime ? "received no live data yet" : "no live data"
            notices.insert(
                Notice(kind: .missing, feed: feed.id, message: "Nothing was checked: \(feed.id) has \(cause)."), at: 0)
        }
        if case .unreadable(let reason) = arrivalsFailure {
            notices.append(
                Notice(
                    kind: .malformed, feed: feed.id,
                    message: "The last response about arrivals cannot be used: \(reason.asSentence)"))
        }
        let sorted = findings.sorted { ($0.severity.rank, $1.count) > ($1.severity.rank, $0.count) }
        return FeedValidateResult(
            at: context.at, feed: feed.id, version: feed.timetable?.version, isRefused: false,
            counts: FindingCounts(
                fatal: 0, error: findings.count(of: .error), warning: findings.count(of: .warning),
                info: findings.count(of: .info)), findings: sorted, notices: notices)
    }
}

extension RealtimeRule {
    /// The rule's name in words: "vehicle missing".
    var words: String {
        String("\(self)".flatMap { $0.isUppercase ? " " + $0.lowercased() : String($0) })
    }
}

extension [Finding] {
    fileprivate func count(of severity: FindingSeverity) -> Int {
        filter { $0.severity == severity }.reduce(0) { $0 + $1.count }
    }
}

extension FindingSeverity {
    fileprivate var rank: Int {
        switch self {
        case .fatal: 4
        case .error: 3
        case .warning: 2
        case .info: 1
        default: 0
        }
    }
}

/// The findings about one message from a realtime source.
private struct ResponseFindings {
    var kind: DatasetKind
    var response: RealtimeResponse
    /// The findings of the GTFS-Realtime validator's rules; `nil` if no usable response is cached.
    var rules: RealtimeFindings?

    private var statistics: RealtimeStatistics { response.dataset.statistics }

    var findings: [Finding] {
        (rules?.sorted ?? []).map(finding) + response.problems.findings.map(finding) + unmatched
            + [
                finding("unmatched_stop", .error, statistics.unmatchedStops, "a stop that is not on the trip"),
                finding("ambiguous_stop", .warning, statistics.ambiguousStops, "a stop that the trip visits twice"),
                finding("impossible_time", .error, statistics.impossibleTimes, "a time more than a week off"),
                finding(
                    "early_departure", .error, statistics.earlyDepartures,
                    "a departure more than an hour before its scheduled time"),
                finding(
                    "delay_without_timetable", .error, statistics.delaysWithoutTimetable,
                    "a delay for a trip without exact times (exact_times 0)"),
                finding("repeated_run", .warning, statistics.repeatedTrips, "a trip that another entity also updates"),
            ].filter { $0.count > 0 }
            + response.notes(kind).map { finding("message", .warning, 1, $0.text) }
    }

    private var unmatched: [Finding] {
        statistics.unmatchedTrips.sorted { $0.value > $1.value }.map { cause, count in
            let examples = statistics.examples.compactMap { example -> FindingExample? in
                guard case .trip(cause, let trip) = example.subject else { return nil }
                return FindingExample(
                    file: kind.rawValue, field: "trip_id",
                    message: "entity \(example.entity): trip \(trip.tripID?.rawValue ?? "without an id")")
            }
            return Finding(rule: "unmatched_trip.\(cause)", severity: .error, count: count, examples: examples)
        }
    }

    private func finding(_ found: (rule: RealtimeRule, finding: RealtimeFindings.Finding)) -> Finding {
        Finding(
            rule: found.rule.rawValue, severity: found.rule.isError ? .error : .warning, count: found.finding.count,
            // A finding about the message as a whole has no entity.
            examples: found.finding.examples.isEmpty
                ? [FindingExample(file: kind.rawValue, field: "header", message: found.rule.words)]
                : found.finding.examples.map {
                    FindingExample(file: kind.rawValue, message: "\(found.rule.words), entity \($0)")
                })
    }

    private func finding(_ problem: RealtimeProblems.Finding) -> Finding {
        let example = problem.example
        let entity = example.entity.map { "entity \($0): " } ?? ""
        let canonical = problem.rule.canonicalID
        let words = canonical == nil ? "" : problem.rule.rawValue.replacing("_", with: " ") + ", "
        return Finding(
            rule: canonical ?? problem.rule.rawValue, severity: canonical?.first == "E" ? .error : .warning,
            count: problem.count,
            examples: [
                FindingExample(
                    file: kind.rawValue, field: example.field,
                    message: "\(words)\(entity)\(example.value.map { "\"\($0)\", " } ?? "")byte \(example.offset)")
            ])
    }

    private func finding(_ rule: String, _ severity: FindingSeverity, _ count: Int, _ message: String) -> Finding {
        Finding(
            rule: rule, severity: severity, count: count,
            examples: [FindingExample(file: kind.rawValue, message: message)])
    }
}
