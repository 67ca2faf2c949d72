internal import TransitControl
internal import TransitModel
internal import TransitWire

// A line of `exchanges.jsonl`. transitd(8) describes the format.
extension RecordedExchange {
    var json: JSONValue {
        var request: JSONObject = ["method": "GET", "url": .string(url)]
        request["headers"] = Self.json(requestHeaders)
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
            let request = line["request"]?.object, let url = request["url"]?.string,
            let outcome = Self.outcome(line)
        else { return nil }
        self.number = number
        self.time = time
        self.url = url
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
        case .canceled: ("canceled", .null)
        case .file(let number): ("file", .int(Int64(number)))
        case .key(let reason): ("key", .string(reason))
        case .address: ("address", .null)
        case .notRecorded: ("not_recorded", .null)
        case .unavailable(let reason): ("unavailable", .string(reason))
        case .other(let reason): ("other", .string(reason))
        }
    }

    /// In earlier recordings, ``canceled`` is spelled "cancelled". A kind that only a later version defines is read as
    /// ``other(_:)``.
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
