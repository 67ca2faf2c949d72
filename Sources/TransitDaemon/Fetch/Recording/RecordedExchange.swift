internal import TransitModel

/// A request and its response as stored in a recording: without secrets, and with the body in a separate file.
struct RecordedExchange: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        /// Status 200. The body is in the file ``bodyName``.
        case fetched(size: UInt64)
        case notModified
        case http(status: Int, retryAfter: String?)
        case failed(TransportFailure)
    }

    /// The number of the exchange, starting at 1. It determines the name of the body's file.
    var number: Int
    /// The time at which the request started, according to the daemon's clock.
    var time: Instant
    /// The requested URL without secrets and other sensitive parameters.
    var url: String
    var requestHeaders: [HTTPHeader]
    var redirections: [FetchResult.Redirection]
    /// The headers of the last response.
    var headers: [HTTPHeader]
    /// In milliseconds.
    var latency: Int
    /// In bytes, as transferred.
    var received: UInt64
    var outcome: Outcome

    /// The path of the body relative to the recording's folder.
    var bodyName: String { Self.bodyName(number) }

    static func bodyName(_ number: Int) -> String {
        let digits = String(number)
        return "bodies/" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    init(_ request: FetchRequest, _ result: FetchResult, number: Int, time: Instant) {
        let redactor = Redactor(request.secrets)
        func redacted(_ headers: [HTTPHeader]) -> [HTTPHeader] {
            headers.filter { !Self.private.contains($0.name.lowercased()) }
                .map { header in
                    let isURL = header.name == "location"
                    let value =
                        isURL
                        ? RedactedURL.text(header.value, redactor: redactor) : redactor.redact(header.value)
                    return HTTPHeader(name: header.name, value: value)
                }
        }
        self.number = number
        self.time = time
        url = RedactedURL.text(request.url, redactor: redactor)
        requestHeaders = redacted(request.plainHeaders)
        redirections = result.redirections
        headers = redacted(result.headers)
        latency = result.latency
        received = result.received
        switch result.outcome {
        case .fetched(let body): outcome = .fetched(size: body.size)
        case .notModified: outcome = .notModified
        case .http(let status, let retryAfter): outcome = .http(status: status, retryAfter: retryAfter)
        case .failed(let failure): outcome = .failed(failure)
        }
    }

    /// Headers that may identify a user or carry credentials other than the feed's key.
    private static let `private`: Set<String> = ["set-cookie", "cookie", "authorization", "proxy-authorization"]

    /// The validators that the server sent for the body.
    var validators: Validators {
        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
        return Validators(etag: header("etag"), lastModified: header("last-modified"))
    }
}
