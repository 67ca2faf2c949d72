internal import TransitControl

/// How much the control server takes from clients. The standard values are the protocol's; tests take smaller ones.
public struct ControlLimits: Hashable, Sendable {
    /// Bytes of a request line, its line feed not counted.
    public var request = 64 << 10
    /// Bytes of an answer, its line feed counted.
    public var reply = 1 << 20
    public var connections = 256
    public var connectionsPerUser = 32
    /// Requests of one connection that are worked on at a time.
    public var inFlight = 8
    /// Answers that wait for a client to read them; one that is larger by itself may wait alone.
    public var queueMessages = 128
    public var queueBytes = 1 << 20
    /// Milliseconds from the first byte of a line to its last, and without any progress while an answer is waiting to
    /// be read.
    public var patience = 10_000
    /// Milliseconds in which the input of a refused connection is thrown away, so that its error can be read.
    public var linger = 1_000
    /// Milliseconds after the beginning of a graceful stop at which lengthy requests are cancelled, and at which
    /// every connection is closed.
    public var stopCancelDelay = 3_000
    public var stopCloseDelay = 4_500
    /// Milliseconds without any client after which memory is given back: until then somebody may come back.
    public var quiet = 5_000
    /// Threads that read and answer. A second one serves others while the first is busy with a slow answer.
    public var readers = 2
    /// Additional threads, started one at a time while the existing ones are busy for longer than ``slow``.
    public var extraReaders = 4
    /// Milliseconds after which another thread takes over from one that is still answering.
    public var slow = 20

    /// Subscriptions of one connection at a time.
    public var subscriptions = 16
    /// Milliseconds between two signs of life to a subscriber.
    public var heartbeat = 30_000
    /// Milliseconds between two answers of one subscription; what changes meanwhile is told together.
    public var eventSpacing = 250

    public init() {}

    /// What `hello` tells of them.
    var wireLimits: Limits {
        Limits(
            request: request, reply: reply, batch: RequestLine.maximumBatch, connections: connections,
            connectionsPerUser: connectionsPerUser, inFlight: inFlight, queueMessages: queueMessages,
            queueBytes: queueBytes, lineTimeout: (patience + 999) / 1000, subscriptions: subscriptions,
            heartbeat: (heartbeat + 999) / 1000)
    }
}

/// A reading of the monotonic clock, in nanoseconds. Means nothing to another process.
struct MonotonicInstant: Comparable, Hashable, Sendable {
    var nanoseconds: Int64

    func advanced(milliseconds: Int) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: nanoseconds + Int64(milliseconds) * 1_000_000)
    }
    static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}
