internal import TransitEngine
internal import TransitModel

/// Why a live source tells nothing new: it could not be asked, or what it answered cannot be used.
struct RealtimeSourceFailure: Hashable, Sendable {
    /// A sentence for people; never a part of an answer.
    var reason: String
    /// Whether the source has answered, with what cannot be used.
    var isMalformed: Bool
    /// When the first attempt of those that failed in a row ended.
    var since: Instant

    /// - Returns: `nil` for an attempt that did not fail.
    init?(_ outcome: FetchOutcome, at now: Instant) {
        switch outcome.result {
        case .refused(let text): self.init(text, isMalformed: true, since: now)
        case .failed(let failure): self.init("\(failure)", isMalformed: false, since: now)
        case .content, .notModified, .outdated, .canceled: return nil
        }
    }

    /// As it was before a restart; `nil` for a source whose last attempt did not fail.
    init?(_ record: DatasetRecord) {
        guard record.consecutiveFailures > 0,
            let last = record.history.last(where: { $0.outcome == .failed || $0.outcome == .refused })
        else { return nil }
        self.init(last.reason ?? "it failed", isMalformed: last.outcome == .refused, since: last.began)
    }

    /// The last response was set aside, because the process died with it.
    init(setAsideAt now: Instant) {
        self.init(
            "transitd ended twice soon after starting with the last answer, which is set aside", isMalformed: true,
            since: now)
    }

    private init(_ reason: String, isMalformed: Bool, since: Instant) {
        self.reason = reason.asSentence
        self.isMalformed = isMalformed
        self.since = since
    }
}
