internal import TransitEngine

/// What the refresh engine is yet to hear of; anybody may tell it, from any thread.
final class RefreshEvents: Sendable {
    let stream: AsyncStream<RefreshEvent>
    private let continuation: AsyncStream<RefreshEvent>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func send(_ event: RefreshEvent) { continuation.yield(event) }
}
