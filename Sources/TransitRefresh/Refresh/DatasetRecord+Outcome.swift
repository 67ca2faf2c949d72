internal import TransitModel

extension DatasetRecord {
    /// The findings about the source that follow from an outcome.
    struct FetchAssessment {
        var ignoresConditionalRequests = false
        var falseNotModified = false
    }

    /// Applies an outcome to the record.
    mutating func apply(
        _ outcome: FetchOutcome, _ pendingFetch: FetchInFlight, _ now: ClockReading, _ faults: RefreshEngine.Faults
    ) -> FetchAssessment {
        var assessment = FetchAssessment()
        isInProgress = false
        var ended = UpdateOutcome.failed
        var reason: String?
        switch outcome.result {
        case .content(let digest, let validators):
            ended = digest == contentDigest ? .unchanged : .updated
            assessment = applyContent(digest, validators, pendingFetch)
            succeed(pendingFetch)
        case .notModified(let validators):
            ended = .unchanged
            notModifiedStreak = min(notModifiedStreak + 1, 1 << 20)
            // RFC 9110 section 15.4.5: a 304 carries the validators that a 200 would have carried.
            if !validators.isEmpty { self.validators = validators }
            succeed(pendingFetch)
        case .outdated:
            (ended, reason) = (.unchanged, "The response is older than the data in use.")
            succeed(pendingFetch)
        case .refused(let text):
            (ended, reason) = (.refused, text)
            fail(isPermanent: true)
        case .failed(let failure):
            reason = failure.description
            if pendingFetch.order.source.isKeyed, case .status(let status) = failure, status == 401 || status == 403 {
                reason = "the key was rejected (HTTP status \(status))"
            }
            if outcome.madeProgress { forgetFailures() }
            fail(isPermanent: failure.kind == .permanent)
            if faults.contains(.failureIsSuccess) { succeed(pendingFetch) }
        case .canceled: ended = .canceled
        }
        append(
            UpdateRecord(
                number: 0, began: pendingFetch.began.wall,
                milliseconds: Int(clamping: max(0, pendingFetch.began.boot.milliseconds(to: now.boot))), outcome: ended,
                bytes: outcome.bytes, status: outcome.status, priority: pendingFetch.order.priority, reason: reason))
        return assessment
    }

    private mutating func succeed(_ pendingFetch: FetchInFlight) {
        lastSuccess = pendingFetch.began
        forgetFailures()
    }

    /// Resets the failures when the key changes, so that earlier failures do not delay the next fetch.
    mutating func forgetFailures() {
        consecutiveFailures = 0
        isFailurePermanent = false
    }

    private mutating func fail(isPermanent: Bool) {
        consecutiveFailures = min(consecutiveFailures + 1, 1 << 20)
        isFailurePermanent = isPermanent
    }

    /// Compares full content with the existing content, because some servers always respond "not modified" and others
    /// never do.
    private mutating func applyContent(_ digest: String, _ validators: Validators, _ pendingFetch: FetchInFlight)
        -> FetchAssessment
    {
        var assessment = FetchAssessment()
        if digest == contentDigest {
            if pendingFetch.order.validators != nil {
                unchangedContentStreak = min(unchangedContentStreak + 1, 1 << 20)
            }
            assessment.ignoresConditionalRequests =
                pendingFetch.order.validators != nil && unchangedContentStreak == Self.maximumRepeatedContent
        } else {
            if wasFalselyNotModified(by: validators, pendingFetch.began.wall), !areValidatorsUnreliable {
                areValidatorsUnreliable = true
                assessment.falseNotModified = true
            }
            contentDigest = digest
            lastChange = pendingFetch.began
            unchangedContentStreak = 0
        }
        lastFull = pendingFetch.began
        notModifiedStreak = 0
        self.validators = validators
        return assessment
    }

    /// The number of consecutive full responses with unchanged content after which the server is considered to ignore
    /// conditional requests.
    static let maximumRepeatedContent = 3
    /// The number of "not modified" responses after which different content in a full response is no coincidence.
    static let maximumNotModified = 10

    /// Whether the new content must already have existed when the server responded "not modified".
    private func wasFalselyNotModified(by new: Validators, _ now: Instant) -> Bool {
        guard notModifiedStreak > 0, contentDigest != nil else { return false }
        if !new.isEmpty, new == validators { return true }
        if let text = new.lastModified, let modified = HTTPDate.instant(text, now: now),
            let denied = lastSuccess?.wall, modified.advanced(by: 60) < denied
        {
            return true
        }
        return notModifiedStreak >= Self.maximumNotModified
    }
}

extension DatasetRecord.FetchAssessment {
    /// The number of seconds without a change in realtime content after which a notice is issued.
    static let unchanging = 1800

    /// Returns the notices for users, each of which is issued once.
    func notices(_ old: DatasetRecord, _ new: DatasetRecord, _ now: ClockReading) -> [RefreshNotice] {
        var notices: [RefreshNotice] = []
        if ignoresConditionalRequests { notices.append(.ignoresConditionalRequests(new.id)) }
        if falseNotModified { notices.append(.falseNotModified(new.id)) }
        if new.id.kind == .tripUpdates || new.id.kind == .vehicles, let change = new.lastChange,
            let before = old.lastSuccess, let success = new.lastSuccess, old.lastChange == change,
            before.age(of: change) < Self.unchanging, success.age(of: change) >= Self.unchanging
        {
            notices.append(.unchanging(new.id, since: change.wall))
        }
        return notices
    }
}
