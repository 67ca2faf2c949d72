public import TransitModel

/// A fetch ordered by the engine. Each fetch starts once and ends with exactly one ``FetchOutcome`` that has the same
/// ticket.
///
/// The fetcher must send the request within ``RequestBudget/margin`` seconds after the order, or not at all: the budget
/// is charged at the time of the order, but the upstream counts the time of the request.
public struct DatasetFetch: Hashable, Sendable {
    /// Unique among the fetches of this run.
    public var ticket: UInt64
    public var dataset: DatasetID
    public var source: DatasetSource
    /// The validators for a conditional request; `nil` to fetch the full content.
    public var validators: Validators?
    /// The timeout of the whole fetch in seconds.
    public var deadline: Int
    /// The maximum size of the body in bytes.
    public var bodyLimit: Int
    public var priority: FetchPriority
}

/// The outcome of a fetch.
public struct FetchOutcome: Hashable, Sendable {
    public enum Result: Hashable, Sendable {
        /// The full content was received and is in use. The digest identifies the content regardless of its
        /// compression.
        case content(digest: String, Validators)
        /// The source responded 304 Not Modified.
        case notModified(Validators)
        /// The content is older than the content in use, such as content from a lagging server behind a load balancer.
        /// The source is healthy, and the current content stays in use.
        case outdated
        /// The content was received but is unusable. The associated value is a sentence that gives the reason.
        case refused(String)
        case failed(FetchFailure)
        /// The fetch was canceled.
        case canceled
    }

    public var ticket: UInt64
    public var dataset: DatasetID
    public var result: Result
    /// The HTTP status; `nil` without a response or without HTTP.
    public var status: Int?
    /// The number of bytes of the body that were read.
    public var bytes: Int
    /// The `Retry-After` header as received.
    public var retryAfter: String?
    /// The number of requests that left this machine, including those to which a redirect led; `nil` if each request
    /// that was charged did.
    public var requests: Int?
    /// Whether an attempt that failed received usable responses before, which the next attempt does not request again.
    public var madeProgress = false

    public init(
        ticket: UInt64, dataset: DatasetID, result: Result, status: Int? = nil, bytes: Int = 0,
        retryAfter: String? = nil, requests: Int? = nil
    ) {
        self.requests = requests
        self.ticket = ticket
        self.dataset = dataset
        self.result = result
        self.status = status
        self.bytes = bytes
        self.retryAfter = retryAfter
    }
}

/// The reason for a failed fetch.
public enum FetchFailure: Error, Hashable, Sendable {
    /// The host was not found, or the connection failed or was lost. The text contains neither bodies nor secrets.
    case connection(String)
    /// The certificate is not trusted, or the TLS handshake failed.
    case security(String)
    case timeout
    /// The body ended before its declared length.
    case truncated
    /// The body exceeds the size limit of the fetch.
    case tooLarge(limit: Int)
    /// A redirect that is not followed: a redirect to `http`, in a loop, or without a target.
    case redirect(String)
    /// An HTTP status that is neither success nor "not modified".
    case status(Int)
    /// A failure of this machine, such as a full disk.
    case local(String)
    /// A failure of this machine before any request was sent, such as a missing key.
    case unsent(String)
}

extension FetchFailure {
    /// The HTTP status; `nil` for a failure without a response.
    var status: Int? {
        if case .status(let status) = self { status } else { nil }
    }

    /// The category of the failure, which determines how requests to the upstream are retried.
    enum Kind: Hashable {
        /// The failure may end soon.
        case transient
        /// The host rejects requests because of load (RFC 6585 section 4, RFC 9110 section 15.6.4).
        case overloaded
        /// An early retry is useless, but the host is healthy.
        case permanent
        /// The upstream is not responsible.
        case local
    }

    var kind: Kind {
        switch self {
        case .connection, .timeout, .truncated: .transient
        case .status(429), .status(503): .overloaded
        case .status(408), .status(425), .status(500...599): .transient
        case .security, .tooLarge, .redirect, .status: .permanent
        case .local, .unsent: .local
        }
    }
}

extension FetchFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .connection(let reason): reason
        case .security(let reason): reason
        case .timeout: "the request timed out"
        case .truncated: "the response is truncated"
        case .tooLarge(let limit): "the response is larger than \(limit) bytes"
        case .redirect(let reason): reason
        case .status(let status): "HTTP status \(status)"
        case .local(let reason), .unsent(let reason): reason
        }
    }
}
