/// The limits of the control server. The default values are those of the protocol; tests use smaller ones.
public struct ControlLimits: Hashable, Sendable {
    /// Maximum size of a request line in bytes, without its line feed.
    public var request = 64 << 10
    /// Maximum size of a reply in bytes, including its line feed.
    public var reply = 1 << 20
    public var connections = 256
    public var connectionsPerUser = 32
    /// Maximum number of requests per connection that are processed concurrently.
    public var inFlight = 8
    /// Maximum number of queued replies. A single reply may exceed ``queueBytes`` if the queue is empty.
    public var queueMessages = 128
    public var queueBytes = 1 << 20
    /// The timeout in milliseconds for receiving a complete line, and for progress while output is queued.
    public var stallTimeout = 10_000
    /// How long, in milliseconds, the input of a refused connection is discarded, so that the client can read the
    /// error.
    public var lingerDelay = 1_000
    /// Milliseconds from the start of a graceful stop until long-running requests are canceled, and until all
    /// connections are closed.
    public var stopCancelDelay = 3_000
    public var stopCloseDelay = 4_500
    /// Milliseconds without a client after which memory is released. The delay preserves the memory for a client that
    /// reconnects soon.
    public var idleDelay = 5_000
    /// Number of permanent threads that read and answer requests. A second thread serves other clients during a slow
    /// request.
    public var threads = 2
    /// Maximum number of additional threads, started one at a time while all others are busy for longer than
    /// ``slowRequestDelay``.
    public var extraThreads = 4
    /// Milliseconds after which another thread takes over from one that is still processing a request.
    public var slowRequestDelay = 20

    /// Maximum number of subscriptions per connection.
    public var subscriptions = 16
    /// Milliseconds between two heartbeats to a subscriber.
    public var heartbeat = 30_000
    /// Minimum number of milliseconds between two events for one subscription. Changes in between are combined.
    public var eventSpacing = 250

    public init() {}

    /// ``stallTimeout`` in seconds, rounded up.
    public var lineTimeout: Int { (stallTimeout + 999) / 1000 }
}
