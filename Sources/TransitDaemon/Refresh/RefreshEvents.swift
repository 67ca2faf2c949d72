internal import TransitRefresh

/// The queue of events for the refresh engine. Events can be sent from any thread.
final class RefreshEvents: Sendable {
    let stream: AsyncStream<RefreshEvent>
    private let continuation: AsyncStream<RefreshEvent>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func send(_ event: RefreshEvent) { continuation.yield(event) }
}
