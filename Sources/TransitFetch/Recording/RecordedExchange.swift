internal import TransitModel
internal import TransitWire

/// What distinguishes the requests of a recording.
struct RecordedRequest: Hashable, Sendable {
    var method = RequestMethod.get
    /// The requested URL without secrets and other sensitive parameters.
    var url: String
    /// The SHA-256 digest of the body without secrets, in hexadecimal; `nil` without a body.
    var bodyDigest: String?

    init(_ request: FetchRequest) {
        let redactor = Redactor(request.secrets)
        method = request.method
        url = RedactedURL.text(request.url, redactor: redactor)
        guard method != .get, let body = request.body else { return }
        bodyDigest = Digest.hexadecimal(Digest.sha256(redactor.redact(body.bytes)))
    }

    /// Returns `nil` if the request is incomplete or has an unknown method. A request without a method is GET.
    fileprivate init?(json: JSONObject) {
        guard let url = json["url"]?.string,
            let method = RequestMethod(rawValue: json["method"]?.string ?? RequestMethod.get.rawValue)
        else { return nil }
        self.url = url
        self.method = method
        bodyDigest = json["body_sha256"]?.string
    }
}

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
    /// The method, the URL and the digest of the body.
    var key: RecordedRequest
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
        key = RecordedRequest(request)
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

// A line of `exchanges.jsonl`. transitd(8) describes the format.
extension RecordedExchange {
    var json: JSONValue {
        var request: JSONObject = ["method": .string(key.method.rawValue), "url": .string(key.url)]
        request["headers"] = Self.json(requestHeaders)
        if let digest = key.bodyDigest { request["body_sha256"] = .string(digest) }
        let steps = redirections.map { step -> JSONValue in
            ["status": .int(Int64(step.status)), "location": .string(step.location)]
        }
        var line: JSONObject = [
            "number": .int(Int64(number)), "time": .string(time.rfc3339()), "latency": .int(Int64(latency)),
            "request": .object(request), "redirections": .array(steps),
        ]
        switch outcome {
        case .fetched(let size): line["response"] = response(200, size: size)
        case .notModified: line["response"] = response(304)
        case .http(let status, _): line["response"] = response(status)
        case .failed(let failure):
            let (kind, detail) = failure.recorded
            line["failure"] = ["kind": .string(kind), "detail": detail]
        }
        return .object(line)
    }

    private func response(_ status: Int, size: UInt64? = nil) -> JSONValue {
        var response: JSONObject = [
            "status": .int(Int64(status)), "headers": Self.json(headers), "received": .int(Int64(clamping: received)),
        ]
        if let size {
            response["body"] = .string(bodyName)
            response["size"] = .int(Int64(clamping: size))
        }
        return .object(response)
    }

    private static func json(_ headers: [HTTPHeader]) -> JSONValue {
        .array(headers.map { [.string($0.name), .string($0.value)] })
    }

    /// Returns `nil` if the value is not a recorded exchange.
    init?(json: JSONValue) {
        guard let line = json.object, let number = line["number"]?.int.flatMap({ Int(exactly: $0) }), number > 0,
            let time = line["time"]?.string.flatMap({ Instant(rfc3339: $0) }),
            let request = line["request"]?.object, let key = RecordedRequest(json: request),
            let outcome = Self.outcome(line)
        else { return nil }
        self.number = number
        self.time = time
        self.key = key
        self.outcome = outcome
        requestHeaders = Self.headers(request["headers"])
        latency = Int(clamping: line["latency"]?.int ?? 0)
        redirections = (line["redirections"]?.array ?? []).compactMap { step in
            guard let status = step.object?["status"]?.int, let location = step.object?["location"]?.string else {
                return nil
            }
            return .init(status: Int(clamping: status), location: location)
        }
        let response = line["response"]?.object
        headers = Self.headers(response?["headers"])
        received = UInt64(clamping: response?["received"]?.int ?? 0)
    }

    private static func outcome(_ line: JSONObject) -> Outcome? {
        if let failure = line["failure"]?.object {
            guard let kind = failure["kind"]?.string else { return nil }
            return .failed(TransportFailure(recorded: kind, failure["detail"] ?? .null))
        }
        guard let response = line["response"]?.object, let status = response["status"]?.int else { return nil }
        switch status {
        case 200: return response["size"]?.int.map { .fetched(size: UInt64(clamping: $0)) }
        case 304: return .notModified
        default:
            let retryAfter = headers(response["headers"]).first { $0.name == "retry-after" }?.value
            return .http(status: Int(clamping: status), retryAfter: retryAfter)
        }
    }

    private static func headers(_ json: JSONValue?) -> [HTTPHeader] {
        (json?.array ?? []).compactMap { pair in
            guard let pair = pair.array, pair.count == 2, let name = pair[0].string, let value = pair[1].string else {
                return nil
            }
            return HTTPHeader(name: name, value: value)
        }
    }
}

extension TransportFailure {
    /// The kind and detail that a recording stores.
    var recorded: (kind: String, detail: JSONValue) {
        switch self {
        case .dns: ("dns", .null)
        case .connect: ("connect", .null)
        case .tls(let reason): ("tls", .string(reason))
        case .timedOut(let seconds): ("timed_out", .int(Int64(seconds)))
        case .tooSlow(let seconds): ("too_slow", .int(Int64(seconds)))
        case .tooLarge(let limit): ("too_large", .int(Int64(clamping: limit)))
        case .redirection(let refusal): ("redirection", .string(refusal.rawValue))
        case .interrupted: ("interrupted", .null)
        case .encoding: ("encoding", .null)
        case .headerTooLong: ("header_too_long", .null)
        case .canceled: ("canceled", .null)
        case .file(let number): ("file", .int(Int64(number)))
        case .key(let reason): ("key", .string(reason))
        case .address: ("address", .null)
        case .notRecorded: ("not_recorded", .null)
        case .unavailable(let reason): ("unavailable", .string(reason))
        case .other(let reason): ("other", .string(reason))
        }
    }

    /// In earlier recordings, ``canceled`` is spelled "cancelled". A kind from a later version is read as ``other(_:)``.
    init(recorded kind: String, _ detail: JSONValue) {
        let text = detail.string ?? ""
        let number = detail.int ?? 0
        switch kind {
        case "dns": self = .dns
        case "connect": self = .connect
        case "tls": self = .tls(text)
        case "timed_out": self = .timedOut(seconds: Int(clamping: number))
        case "too_slow": self = .tooSlow(seconds: Int(clamping: number))
        case "too_large": self = .tooLarge(limit: UInt64(clamping: number))
        case "redirection": self = .redirection(RedirectionRefusal(rawValue: text) ?? .malformed)
        case "interrupted": self = .interrupted
        case "encoding": self = .encoding
        case "header_too_long": self = .headerTooLong
        case "canceled", "cancelled": self = .canceled
        case "file": self = .file(Int32(clamping: number))
        case "key": self = .key(text)
        case "address": self = .address
        case "not_recorded": self = .notRecorded
        case "unavailable": self = .unavailable(text)
        default: self = .other(text.isEmpty ? kind : text)
        }
    }
}

extension JSONValue {
    fileprivate var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
    fileprivate var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    fileprivate var string: String? { if case .string(let value) = self { value } else { nil } }
    fileprivate var int: Int64? { if case .int(let value) = self { value } else { nil } }
}
