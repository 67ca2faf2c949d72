public import TransitModel

/// One fetch that the engine wants: begun once, and ended by exactly one ``FetchOutcome`` with the same ticket.
///
/// Whoever carries it out sends the request within ``RequestBudget/margin`` seconds after the order or not at all: a spend
/// of a budget counts from the order, the upstream counts from the request.
public struct DatasetFetch: Hashable, Sendable {
    /// Names the fetch; no other one of this run has it.
    public var ticket: UInt64
    public var dataset: DatasetID
    public var source: DatasetSource
    /// To ask only for what changed; `nil`: the whole content is wanted.
    public var validators: Validators?
    /// Seconds for all of it.
    public var deadline: Int
    /// The most bytes that the body may have.
    public var bodyLimit: Int
    public var priority: FetchPriority

    public init(
        ticket: UInt64, dataset: DatasetID, source: DatasetSource, validators: Validators?, deadline: Int,
        bodyLimit: Int, priority: FetchPriority
    ) {
        self.ticket = ticket
        self.dataset = dataset
        self.source = source
        self.validators = validators
        self.deadline = deadline
        self.bodyLimit = bodyLimit
        self.priority = priority
    }
}

/// How a fetch ended.
public struct FetchOutcome: Hashable, Sendable {
    public enum Result: Hashable, Sendable {
        /// The whole content came and is in use. The digest tells contents apart, not packings of them.
        case content(digest: String, Validators)
        /// 304.
        case notModified(Validators)
        /// Content came that is older than what is in use, as from a server behind a balancer that lags: the source is well,
        /// and what is in use stays.
        case outdated
        /// The content came and is not usable; the sentence says why.
        case refused(String)
        case failed(FetchFailure)
        /// Nobody wanted it any more.
        case canceled
    }

    public var ticket: UInt64
    public var dataset: DatasetID
    public var result: Result
    /// The HTTP status; `nil` when there was no answer, or no HTTP.
    public var status: Int?
    /// Bytes of the body that were read.
    public var bytes: Int
    /// `Retry-After` as the server wrote it.
    public var retryAfter: String?

    public init(
        ticket: UInt64, dataset: DatasetID, result: Result, status: Int? = nil, bytes: Int = 0,
        retryAfter: String? = nil
    ) {
        self.ticket = ticket
        self.dataset = dataset
        self.result = result
        self.status = status
        self.bytes = bytes
        self.retryAfter = retryAfter
    }
}

/// Why there was no usable answer.
public enum FetchFailure: Error, Hashable, Sendable {
    /// No connection, no name, or it broke; the sentence has neither bodies nor secrets in it.
    case connection(String)
    /// The certificate is not trusted, or the handshake failed.
    case security(String)
    case timeout
    /// The body ended before its length.
    case truncated
    /// The body is longer than the order allows.
    case tooLarge(limit: Int)
    /// A redirect that is not followed: to http, in a circle, to nowhere.
    case redirect(String)
    /// An HTTP status that is neither success nor "not modified".
    case status(Int)
    /// This machine's own fault: the disk is full.
    case local(String)
    /// This machine's own fault before any request was sent: there is no key.
    case unsent(String)
}

extension FetchFailure {
    /// What the failure says about the upstream.
    enum Kind: Hashable {
        /// It may be gone in a moment.
        case transient
        /// The host asks to be left alone (RFC 6585 section 4, RFC 9110 section 15.6.4).
        case overloaded
        /// Trying again soon is of no use; the host itself is well.
        case lasting
        /// Not the upstream's fault.
        case local
    }

    var kind: Kind {
        switch self {
        case .connection, .timeout, .truncated: .transient
        case .status(429), .status(503): .overloaded
        case .status(408), .status(425), .status(500...599): .transient
        case .security, .tooLarge, .redirect, .status: .lasting
        case .local, .unsent: .local
        }
    }
}

extension FetchFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .connection(let reason): reason
        case .security(let reason): reason
        case .timeout: "no whole answer in time"
        case .truncated: "the answer broke off"
        case .tooLarge(let limit): "the answer is longer than \(limit) bytes"
        case .redirect(let reason): reason
        case .status(let status): "HTTP status \(status)"
        case .local(let reason), .unsent(let reason): reason
        }
    }
}
