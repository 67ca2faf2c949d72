internal import TransitModel

/// The result of a request and its cost. Contains no secrets. Only a fetched body and the headers contain data from the
/// upstream.
struct FetchResult: Sendable {
    enum Outcome: Hashable, Sendable {
        /// Status 200.
        case fetched(FetchedBody)
        /// Status 304 in response to a conditional request.
        case notModified
        /// Any other status. `retryAfter` is the header's raw text: seconds or a date (RFC 9110 section 10.2.3).
        case http(status: Int, retryAfter: String?)
        case failed(TransportFailure)
    }

    /// One redirect, followed or rejected.
    struct Redirection: Hashable, Sendable {
        var status: Int
        /// The target URL without secrets.
        var location: String
    }

    var outcome: Outcome
    /// The headers of the last response, without secrets; empty if there was no response.
    var headers: [HTTPHeader] = []
    /// The redirects in the order in which they occurred.
    var redirections: [Redirection] = []
    /// The number of bytes transferred for the headers and bodies of all responses. Excludes TLS and lower layers.
    var received: UInt64 = 0
    /// Milliseconds from the start to the end of the request.
    var latency = 0
    /// The host of the last request.
    var host: String?

    init(outcome: Outcome) { self.outcome = outcome }
    init(failure: TransportFailure) { outcome = .failed(failure) }

    /// The validators that the last response gives for its body.
    var validators: Validators { Validators(etag: header("etag"), lastModified: header("last-modified")) }

    /// Returns the first header with a name.
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// A decompressed body.
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
