internal import TransitWire

/// Cancels one long-running request. It can be triggered before a task waits for it.
final class CancelSignal: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func trigger() { continuation.finish() }

    /// Returns when the signal is triggered or the task is canceled. Only one task may wait.
    func wait() async {
        for await _ in stream {}
    }
}

/// The long-running requests of one connection that are in progress.
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

    /// Adds a request and returns a token for ``finish(_:)``. `id` is `nil` for a notification, which a client cannot
    /// cancel.
    mutating func admit(_ id: RequestID?, _ signal: CancelSignal) -> UInt64 {
        nextToken += 1
        entries.append(Entry(token: nextToken, id: id, signal: signal))
        return nextToken
    }

    mutating func finish(_ token: UInt64) { entries.removeAll { $0.token == token } }

    /// Cancels the requests with an id. Returns false if there are none.
    func cancel(_ id: RequestID) -> Bool {
        let matching = entries.filter { $0.id == id }
        for entry in matching { entry.signal.trigger() }
        return !matching.isEmpty
    }

    func cancelAll() {
        for entry in entries { entry.signal.trigger() }
    }
}
