package import TransitModel
internal import TransitSystem

/// The result of a request and its cost. Contains no secrets. Only a fetched body and the headers contain data from the
/// upstream.
package struct FetchResult: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// Status 200.
        case fetched(FetchedBody)
        /// Status 304 in response to a conditional request.
        case notModified
        /// Any other status. `retryAfter` is the header's raw text: seconds or a date (RFC 9110 section 10.2.3).
        case http(status: Int, retryAfter: String?)
        case failed(TransportFailure)
    }

    /// One redirect, followed or rejected.
    package struct Redirection: Hashable, Sendable {
        package var status: Int
        /// The target URL without secrets.
        package var location: String
    }

    package var outcome: Outcome
    /// The headers of the last response, without secrets; empty if there was no response.
    package var headers: [HTTPHeader] = []
    /// The redirects in the order in which they occurred.
    package var redirections: [Redirection] = []
    /// The number of bytes transferred for the headers and bodies of all responses. Excludes TLS and lower layers.
    package var received: UInt64 = 0
    /// Milliseconds from the start to the end of the request.
    package var latency = 0
    /// The host of the last request.
    package var host: String?
    /// The number of requests that left this machine, including those to which redirects led. 0 if the result comes from
    /// this machine, such as a file, or if there was nothing to send the request to.
    package var requests: Int

    package init(outcome: Outcome) {
        self.outcome = outcome
        requests = 1
    }

    package init(failure: TransportFailure) {
        outcome = .failed(failure)
        requests = failure.isBeforeConnecting ? 0 : 1
    }

    /// The validators that the last response gives for its body.
    package var validators: Validators { Validators(etag: header("etag"), lastModified: header("last-modified")) }

    /// Returns the first header with a name.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// A decompressed body.
package enum FetchedBody: Hashable, Sendable {
    case memory([UInt8])
    case file(path: String, size: UInt64)

    /// In bytes.
    package var size: UInt64 {
        switch self {
        case .memory(let bytes): UInt64(bytes.count)
        case .file(_, let size): size
        }
    }
}

/// The reason why there is no usable response. The texts come from the daemon or from libcurl, never from an upstream.
package enum TransportFailure: Error, Hashable, Sendable {
    /// The host name could not be resolved.
    case dns
    case connect
    /// The verification of the certificate or the TLS handshake failed. The reason is a user-facing message.
    case tls(String)
    /// The deadline for the request or the connection has passed.
    case timedOut(seconds: Int)
    /// The transfer stayed below ``FetchRequest/minimumSpeed`` bytes per second for this many seconds.
    case tooSlow(seconds: Int)
    /// The body exceeds this limit in bytes after decompression.
    case tooLarge(limit: UInt64)
    /// A line of the response's header, or the whole header, is longer than libcurl accepts (100 and 300 KiB).
    case headerTooLong
    case redirection(RedirectionRefusal)
    /// The connection closed in the middle of the response.
    case interrupted
    /// The compressed body is corrupt.
    case encoding
    case canceled
    /// A file could not be written or read; the value is the system's error number.
    case file(Int32)
    /// The key that the request needs is not available.
    case key(String)
    /// Requests to the URL are not allowed.
    case address
    /// The recording has no response for this request at this time.
    case notRecorded
    /// libcurl is not installed or is out of memory.
    case unavailable(String)
    /// Another failure, with libcurl's message.
    case other(String)
}

extension TransportFailure {
    /// Whether the failure occurs before the first packet to the server.
    package var isBeforeConnecting: Bool {
        switch self {
        case .dns, .key, .address, .notRecorded, .unavailable: true
        case .connect, .tls, .timedOut, .tooSlow, .tooLarge, .headerTooLong, .redirection, .interrupted, .encoding,
            .canceled, .file, .other:
            false
        }
    }
}

extension TransportFailure: CustomStringConvertible {
    /// Begins with a lowercase letter and has no final period.
    package var description: String {
        switch self {
        case .dns: "the server's name could not be resolved"
        case .connect: "the server could not be reached"
        case .tls(let reason): "the TLS connection failed: \(reason)"
        case .timedOut(let seconds): "the server did not finish within \(seconds) s"
        case .tooSlow(let seconds): "the server sent almost no data for \(seconds) s"
        case .tooLarge(let limit): "the response is larger than \(Self.size(limit))"
        case .headerTooLong: "the header of the response is too long"
        case .redirection(let refusal): "the server's redirect was not followed: \(refusal)"
        case .interrupted: "the server closed the connection in the middle of its response"
        case .encoding: "the compressed response is corrupt"
        case .canceled: "it was canceled"
        case .file(let number): "the file could not be read or written: \(ErrnoMessage.text(number))"
        case .key(let reason): reason
        case .address: "requests to the URL are not allowed"
        case .notRecorded: "the recording has no response for this URL"
        case .unavailable(let reason): "libcurl cannot be used: \(reason)"
        case .other(let reason): "the request failed: \(reason)"
        }
    }

    private static func size(_ bytes: UInt64) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
    }
}
