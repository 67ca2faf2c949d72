internal import TransitControl

/// Tells one lengthy request to stop. May be given before and after anybody waits for it.
final class CancelSignal: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func trigger() { continuation.finish() }

    /// Returns when the signal is given or the task is cancelled. For one waiter.
    func wait() async {
        for await _ in stream {}
    }
}

/// The lengthy requests of one connection that are being worked on.
struct InFlightRequests {
    private struct Entry {
        var token: UInt64
        var id: RequestID?
        var signal: CancelSignal
    }

    let limit: Int
    private var entries: [Entry] = []
    private var nextToken: UInt64 = 0

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { entries.isEmpty }
    var hasRoom: Bool { entries.count < limit }

    /// Takes a request in; the token is for ``finish(_:)``. `id` is `nil` for a notification, which cannot be
    /// cancelled by a client.
    mutating func admit(_ id: RequestID?, _ signal: CancelSignal) -> UInt64 {
        nextToken += 1
        entries.append(Entry(token: nextToken, id: id, signal: signal))
        return nextToken
    }

    mutating func finish(_ token: UInt64) { entries.removeAll { $0.token == token } }

    /// Tells the requests with that id to stop; false when there is none.
    func cancel(_ id: RequestID) -> Bool {
        let meant = entries.filter { $0.id == id }
        for entry in meant { entry.signal.trigger() }
        return !meant.isEmpty
    }

    func cancelAll() {
        for entry in entries { entry.signal.trigger() }
    }
}
