internal import Glibc
internal import TransitEngine
internal import TransitFetch
internal import TransitModel
internal import TransitRefresh
internal import TransitSystem

/// Validates, saves and removes keys for users who are allowed to do so.
struct KeyValidator: Sendable {
    var responses: KeyCheckResponses
    var keys: FeedKeys
    var events: RefreshEvents
    /// The budgets to which checks are charged.
    var budgets: KeyBudgets
    var clock: any DaemonClock

    /// The source's response to a key.
    enum Verdict: Hashable, Sendable {
        case accepted
        /// The HTTP status.
        case rejected(Int)
        /// The key could not be checked; the reason begins with a lowercase letter and has no final period.
        case unverified(String)
    }

    /// Returns the source's response to one request with the key.
    ///
    /// - Parameter usesEarlierResponse: Whether the response to the same request a moment ago suffices.
    func verdict(
        on key: SecretLocation, of source: KeyedSource, usesEarlierResponse: Bool = true
    ) async -> Verdict {
        guard let request = source.checkRequest(key) else { return .unverified("none of the feed's URLs takes a key") }
        let result = await responses.check(
            request, isCharged: true, usesEarlierResponse: usesEarlierResponse)
        if let name = source.budget {
            for _ in 0..<result.requests {
                budgets.spend(
                    BudgetSpend(
                        key: name, dataset: DatasetID(source.id, .static), priority: .user, at: clock.reading()))
            }
        }
        return Self.verdict(of: result)
    }

    static func verdict(of result: FetchResult) -> Verdict {
        switch result.outcome {
        // The body exceeds the limit, so the source accepted the key.
        case .fetched, .notModified, .failed(.tooLarge): .accepted
        case .http(let status, _) where status == 401 || status == 403: .rejected(status)
        case .http(let status, _): .unverified("the source responded with HTTP status \(status)")
        case .failed(let failure): .unverified("\(failure)")
        }
    }

    /// Saves a key and permits requests with it.
    func save(_ secret: Secret, of feed: FeedID) throws(KeyStore.Failure) {
        guard let store = keys.store else { throw KeyStore.Failure(ENOENT) }
        try store.write(secret, of: feed)
        events.send(.keyChanged(feed))
    }

    /// - Returns: whether there was a key.
    func remove(_ feed: FeedID) throws(KeyStore.Failure) -> Bool {
        guard let store = keys.store, try store.remove(feed) else { return false }
        events.send(.keyChanged(feed))
        return true
    }
}
