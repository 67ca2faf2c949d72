internal import TransitModel

/// How a request ended, and what it took. Holds no secret and, but for a fetched body, nothing of what upstream wrote
/// besides headers.
struct FetchResult: Sendable {
    enum Outcome: Hashable, Sendable {
        /// 200.
        case fetched(FetchedBody)
        /// 304 to a conditional request.
        case notModified
        /// Any other status. `retryAfter` is the header's raw text: seconds or a date (RFC 9110 section 10.2.3).
        case http(status: Int, retryAfter: String?)
        case failed(FetchFailure)
    }

    /// One redirection that was followed, or refused.
    struct Redirection: Hashable, Sendable {
        var status: Int
        /// Where to, without secrets.
        var location: String
    }

    var outcome: Outcome
    /// Of the last response, secrets removed; empty when there was none.
    var headers: [HTTPHeader] = []
    /// In their order.
    var redirections: [Redirection] = []
    /// Bytes on the wire of all responses, heads and bodies as they came; TLS and lower layers are not counted.
    var received: UInt64 = 0
    /// Milliseconds from the start to the end of it.
    var latency = 0
    /// The host that was asked last.
    var host: String?

    init(outcome: Outcome) { self.outcome = outcome }
    init(failure: FetchFailure) { outcome = .failed(failure) }

    /// What the last response says about the version of its body.
    var validators: Validators { Validators(etag: header("etag"), lastModified: header("last-modified")) }

    /// The first header of that name.
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// A body, decompressed.
enum FetchedBody: Hashable, Sendable {
    case memory([UInt8])
    case file(path: String, size: UInt64)

    /// In bytes.
    var size: UInt64 {
        switch self {
        case .memory(let bytes): UInt64(bytes.count)
        case .file(_, let size): size
        }
    }
}
