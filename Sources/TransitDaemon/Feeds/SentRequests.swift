internal import Synchronization
internal import TransitFetch

/// Counts the requests of one attempt to update a timetable.
final class SentRequests: Sendable {
    private let counts = Mutex((sent: 0, answered: 0))

    /// The number of requests that left this machine.
    var sent: Int { counts.withLock { $0.sent } }
    /// The number of requests with a usable response.
    var answered: Int { counts.withLock { $0.answered } }

    func add(_ result: FetchResult) {
        var isUsable = false
        if case .fetched = result.outcome { isUsable = true }
        counts.withLock { [isUsable, count = result.requests] counts in
            counts.sent += count
            if isUsable { counts.answered += 1 }
        }
    }
}
