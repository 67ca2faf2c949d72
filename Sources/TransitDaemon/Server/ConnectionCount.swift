internal import Synchronization

/// The number of connected clients. Written by the server, read by `status`.
public final class ConnectionCount: Sendable {
    private let count = Atomic<Int>(0)
    public init() {}
    public var value: Int { count.load(ordering: .relaxed) }
    func set(_ value: Int) { count.store(value, ordering: .relaxed) }
}
