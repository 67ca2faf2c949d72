internal import TransitModel

extension DatasetRecord {
    /// What an outcome told beyond itself.
    struct FetchAssessment {
        var ignoresConditionalRequests = false
        var falseNotModified = false
    }

    /// Takes note of an outcome.
    mutating func take(
        _ outcome: FetchOutcome, _ flight: FetchInFlight, _ now: ClockReading, _ faults: RefreshEngine.Faults
    ) -> FetchAssessment {
        var verdict = FetchAssessment()
        isInProgress = false
        var ended = UpdateOutcome.failed
        var reason: String?
        switch outcome.result {
        case .content(let digest, let validators):
            ended = digest == contentDigest ? .unchanged : .updated
            verdict = applyContent(digest, validators, flight)
            succeed(flight)
        case .notModified(let validators):
            ended = .unchanged
            notModifiedStreak = min(notModifiedStreak + 1, 1 << 20)
            // RFC 9110 section 15.4.5: a 304 carries what a 200 would have carried.
            if !validators.isEmpty { self.validators = validators }
            succeed(flight)
        case .outdated:
            (ended, reason) = (.unchanged, "It is older than what is in use.")
            succeed(flight)
        case .refused(let text):
            (ended, reason) = (.refused, text)
            fail(lasts: true)
        case .failed(let failure):
            reason = failure.description
            if flight.order.source.isKeyed, case .status(let status) = failure, status == 401 || status == 403 {
                reason = "the key is rejected (HTTP status \(status))"
            }
            fail(lasts: failure.kind == .lasting)
            if faults.contains(.failureIsSuccess) { succeed(flight) }
        case .canceled: ended = .canceled
        }
        append(
            UpdateRecord(
                number: 0, began: flight.began.wall,
                milliseconds: Int(clamping: max(0, flight.began.boot.milliseconds(to: now.boot))), outcome: ended,
                bytes: outcome.bytes, status: outcome.status, priority: flight.order.priority, reason: reason))
        return verdict
    }

    private mutating func succeed(_ flight: FetchInFlight) {
        lastSuccess = flight.began
        forgetFailures()
    }

    /// Another key may end the failures: the next fetch is not delayed by them.
    mutating func forgetFailures() {
        consecutiveFailures = 0
        isFailurePermanent = false
    }

    private mutating func fail(lasts: Bool) {
        consecutiveFailures = min(consecutiveFailures + 1, 1 << 20)
        isFailurePermanent = lasts
    }

    /// Whole content is compared with what is here: servers are known that call everything unchanged, and others that
    /// call nothing so.
    private mutating func applyContent(_ digest: String, _ validators: Validators, _ flight: FetchInFlight)
        -> FetchAssessment
    {
        var verdict = FetchAssessment()
        if digest == contentDigest {
            if flight.order.validators != nil { unchangedContentStreak = min(unchangedContentStreak + 1, 1 << 20) }
            verdict.ignoresConditionalRequests =
                flight.order.validators != nil && unchangedContentStreak == Self.maximumRepeatedContent
        } else {
            if wasFalselyNotModified(by: validators, flight.began.wall), !areValidatorsUnreliable {
                areValidatorsUnreliable = true
                verdict.falseNotModified = true
            }
            contentDigest = digest
            lastChange = flight.began
            unchangedContentStreak = 0
        }
        lastFull = flight.began
        notModifiedStreak = 0
        self.validators = validators
        return verdict
    }

    /// So many whole answers in a row that repeat what the request named tell that the server ignores conditions.
    static let maximumRepeatedContent = 3
    /// After so many answers "not modified" it is no accident that a request without conditions finds other content.
    static let maximumNotModified = 10

    /// Whether the content that came now must have been there already when the server said "not modified".
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
    /// Live content that did not change for so many seconds is worth a word.
    static let unchanging = 1800

    /// What people should hear, once.
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
