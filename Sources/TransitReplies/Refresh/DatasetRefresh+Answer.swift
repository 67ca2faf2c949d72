package import TransitControl
package import TransitModel
package import TransitRefresh

extension DatasetRefresh {
    /// - Parameter hold: Why the request budget delays the request; `nil` if it does not.
    package init(_ id: DatasetID, _ answer: RefreshAnswer, hold: BudgetHold?, zone: ServiceZone) {
        self.init(feed: id.feed, dataset: DatasetName(id.kind), outcome: .other, message: "")
        switch answer {
        case .ended(let update):
            outcome = RefreshOutcome(update.outcome)
            message = update.reason.map(\.asSentence) ?? Self.words(update.outcome)
            bytes = update.bytes
            latency = update.milliseconds
        case .fresh(let age):
            outcome = .fresh
            message = "The data is fresh: \(age) s old."
        case .held(let reason, let until):
            outcome = RefreshOutcome(reason)
            message = reason == .budget ? hold?.sentence ?? reason.words : reason.words
            self.until = until.map { Timestamp($0, in: zone) }
        case .removed:
            outcome = .canceled
            message = "The feed was removed from the configuration."
        }
    }

    private static func words(_ outcome: UpdateOutcome) -> String {
        switch outcome {
        case .updated: "New data was received."
        case .unchanged: "The source has nothing new."
        case .refused: "The data of the source cannot be used."
        case .failed: "The source could not be reached."
        case .canceled: "The fetch was canceled."
        }
    }
}

extension RefreshOutcome {
    init(_ outcome: UpdateOutcome) {
        switch outcome {
        case .updated: self = .updated
        case .unchanged: self = .unchanged
        case .refused: self = .refused
        case .failed: self = .failed
        case .canceled: self = .canceled
        }
    }

    /// The reason why a dataset was not fetched.
    init(_ reason: DueReason) {
        switch reason {
        case .fresh, .idle: self = .fresh
        case .spacing, .busy, .inFlight, .due, .catchUp: self = .cooldown
        case .retrying, .refused, .keyRejected, .circuitOpen, .retryAfter: self = .backoff
        case .budget, .ledger: self = .budget
        case .offline: self = .offline
        }
    }
}

extension DueReason {
    /// The reason as a sentence for a user who requested a refresh.
    package var words: String {
        switch self {
        case .fresh: "The data is fresh."
        case .idle: "The data is fresh, and no client needs newer data."
        case .due: "The fetch is about to start."
        case .inFlight: "The data is being fetched."
        case .retrying: "The last attempt failed. A retry is scheduled."
        case .refused: "The last data could not be used. A retry is scheduled."
        case .keyRejected: "The source rejects the key. Set another one with: transitctl key set FEED."
        case .offline: "There is no network."
        case .circuitOpen: "The source's host is failing. A retry is scheduled."
        case .retryAfter: "The source's host asked transitd to wait."
        case .budget: "The request budget of the key delays the request. See: transitctl budget."
        case .spacing: "The source was queried moments ago."
        case .busy: "The maximum number of fetches is in progress."
        case .catchUp: "The fetch is queued."
        case .ledger: "The request ledger cannot be saved, so sources with a request budget are not fetched."
        }
    }
}
