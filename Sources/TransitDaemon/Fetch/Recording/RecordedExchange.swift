internal import TransitModel

/// One request and its answer as a recording keeps them: without secrets, the body in a file beside.
struct RecordedExchange: Hashable, Sendable {
    enum Answer: Hashable, Sendable {
        /// 200. The body is the file of the exchange's number.
        case fetched(size: UInt64)
        case notModified
        case http(status: Int, retryAfter: String?)
        case failed(FetchFailure)
    }

    /// Counts from 1; names the body's file.
    var number: Int
    /// When the request began, by the daemon's clock.
    var time: Instant
    /// As it was asked, secrets and telltale parameters removed.
    var url: String
    var requestHeaders: [HTTPHeader]
    var redirections: [FetchResult.Redirection]
    /// Of the last response.
    var headers: [HTTPHeader]
    /// Milliseconds.
    var latency: Int
    /// Bytes on the wire.
    var received: UInt64
    var answer: Answer

    /// Relative to the recording's folder.
    var bodyName: String { Self.bodyName(number) }

    static func bodyName(_ number: Int) -> String {
        let digits = String(number)
        return "bodies/" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    init(_ request: FetchRequest, _ result: FetchResult, number: Int, time: Instant) {
        let redactor = Redactor(request.secrets)
        func clean(_ headers: [HTTPHeader]) -> [HTTPHeader] {
            headers.filter { !Self.private.contains($0.name.lowercased()) }
                .map { header in
                    let isAddress = header.name == "location"
                    let value =
                        isAddress
                        ? RedactedURL.text(header.value, redactor: redactor) : redactor.redact(header.value)
                    return HTTPHeader(name: header.name, value: value)
                }
        }
        self.number = number
        self.time = time
        url = RedactedURL.text(request.url, redactor: redactor)
        requestHeaders = clean(request.plainHeaders)
        redirections = result.redirections
        headers = clean(result.headers)
        latency = result.latency
        received = result.received
        switch result.outcome {
        case .fetched(let body): answer = .fetched(size: body.size)
        case .notModified: answer = .notModified
        case .http(let status, let retryAfter): answer = .http(status: status, retryAfter: retryAfter)
        case .failed(let failure): answer = .failed(failure)
        }
    }

    /// Headers that identify somebody even where they are not ours.
    private static let `private`: Set<String> = ["set-cookie", "cookie", "authorization", "proxy-authorization"]

    /// What the server said about the body's version.
    var validators: Validators {
        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
        return Validators(etag: header("etag"), lastModified: header("last-modified"))
    }
}
