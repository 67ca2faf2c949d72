internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies

extension RealtimeSourceFailure {
    /// - Returns: `nil` for an attempt that did not fail.
    init?(_ outcome: FetchOutcome, at now: Instant) {
        switch outcome.result {
        case .refused(let text): self.init(text, isMalformed: true, since: now)
        case .failed(let failure): self.init("\(failure)", isMalformed: false, since: now)
        case .content, .notModified, .outdated, .canceled: return nil
        }
    }

    /// Restores the failure from before a restart; `nil` if the last attempt did not fail.
    init?(_ record: DatasetRecord) {
        let failures = record.history.filter { $0.outcome == .failed || $0.outcome == .refused }
            .suffix(record.consecutiveFailures)
        guard let first = failures.first, let last = failures.last else { return nil }
        // The first failure may be older than the history.
        let since = failures.count < record.consecutiveFailures ? record.lastSuccess?.wall : nil
        self.init(
            last.reason ?? "the fetch failed", isMalformed: last.outcome == .refused, since: since ?? first.began)
    }

    /// Creates the failure for a response that was set aside because the process crashed while using it.
    init(setAsideAt now: Instant) {
        self.init(
            "transitd crashed twice soon after starting while using the last response, which was set aside",
            isMalformed: true,
            since: now)
    }

    private init(_ reason: String, isMalformed: Bool, since: Instant) {
        self.init(reason: reason.asSentence, isMalformed: isMalformed, since: since)
    }
}

/// A response in which no entry is usable. Such a response is neither an update nor an empty dataset.
struct UnreadableResponse: Error, CustomStringConvertible {
    private let finding: RealtimeProblems.Finding

    /// - Parameter entities: The number of entries that were read.
    /// - Returns: `nil` if an entry was read or none was dropped.
    init?(entities: Int, problems: RealtimeProblems) {
        guard entities == 0, let finding = problems.findings.first(where: \.rule.mayLeaveOut) else { return nil }
        self.finding = finding
    }

    init?(_ message: DecodedMessage) { self.init(entities: message.entities.count, problems: message.problems) }

    var description: String {
        let example = finding.example
        let value = example.value.map { " (\"\($0)\")" } ?? ""
        let rule = finding.rule.rawValue.split(separator: "_").joined(separator: " ")
        return
            "None of the response's entries can be used: \(rule), \(example.field)\(value) at byte \(example.offset)."
    }
}

extension RealtimeProblems.Rule {
    /// Whether the problem can cause an entry to be dropped.
    fileprivate var mayLeaveOut: Bool {
        switch self {
        case .missingHeader, .missingEntityID, .unsupportedEntity, .unsupportedField, .invalidText: false
        default: true
        }
    }
}
