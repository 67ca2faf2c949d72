/// The expected response time of a method, which determines the thread on which a server handles a request.
public enum ResponseTime: Hashable, Sendable {
    /// Typically about ten microseconds. The thread that reads the request handles it immediately.
    case instant
    /// At most 50 ms. The thread that reads the request handles it while another thread serves other clients.
    case quick
    /// The time to write the change to disk. Later requests on the same connection wait for it.
    case write
    /// More than 50 ms, or the response time of another server.
    case lengthy
}
