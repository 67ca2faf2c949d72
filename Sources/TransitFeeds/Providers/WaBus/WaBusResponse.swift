internal import TransitModel

/// Parses the server's JSON responses and describes unexpected ones.
enum WaBusResponse {
    /// - Throws: A ``FeedError`` if the body is not a JSON object, or is truncated or malformed.
    static func read(
        _ body: [UInt8], member: (JSONText, inout JSONReader) throws(MalformedMessageError) -> Void
    ) throws(FeedError) {
        try JSONResponse.read(body, as: "a response of a WaBus server") {
            (json) throws(MalformedMessageError) -> Void? in
            guard try json.beginObject() else { return nil }
            while let name = try json.nextMember() { try member(name, &json) }
            return ()
        }
    }

    /// The error for a missing required member.
    static func missing(_ member: String) -> FeedError { .message(.missing(member), offset: 0) }

    /// The error for a member that is not a list.
    static func unexpected(_ member: String, _ offset: Int) -> FeedError {
        .message(.expected(.array), offset: offset, member: member)
    }

    /// The error for a response in which the server reports a failure:
    /// `{"error": "GTFS data is loading, please retry"}`.
    static func serverError(_ message: String) -> FeedError {
        .refused(reason: "The server reports an error: \(plain(message))", report: ValidationReport())
    }

    /// Removes control characters, which a terminal would interpret, and truncates the text.
    private static func plain(_ message: String) -> String {
        String(
            message.unicodeScalars.lazy.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
                .prefix(128).map(Character.init))
    }
}

/// A response that consists of one list:
/// `{"stops": […], "count": 3, "server_time": "2026-02-10T18:38:09.123456789+01:00"}`.
///
/// An empty list is sent as `null`. Responses about vehicles use `serverTime`; names are compared without regard to
/// case and underscores.
struct WaBusList<Element> {
    var elements: [Element] = []
    /// The server's time.
    var serverTime: Instant?
    /// The number of unusable elements.
    var skipped = 0

    /// - Parameter element: Parses one element at its byte offset. Returns `nil` for an unusable element.
    /// - Throws: A ``FeedError`` if the server reports an error, or if the list is missing or is not a list.
    static func read(
        _ body: [UInt8], of member: String,
        _ element: (inout JSONReader, Int) throws(MalformedMessageError) -> Element?
    ) throws(FeedError) -> WaBusList {
        var list: WaBusList?
        var failure: FeedError?
        var time: Instant?
        try WaBusResponse.read(body) { (name, json) throws(MalformedMessageError) in
            switch name.folded {
            case JSONName.fold(member):
                let offset = json.offset
                list = try read(&json, element)
                if list == nil { failure = WaBusResponse.unexpected(member, offset) }
            case "servertime": time = try json.string().flatMap { Instant(rfc3339: $0) }
            case "error": failure = try json.string().map { WaBusResponse.serverError($0) } ?? failure
            default: break
            }
        }
        if let failure { throw failure }
        guard var list else { throw WaBusResponse.missing(member) }
        list.serverTime = time
        return list
    }

    /// Returns `nil` and skips the value if it is a string, number or Boolean instead of a list, a single object or
    /// `null`.
    static func read(
        _ json: inout JSONReader, _ element: (inout JSONReader, Int) throws(MalformedMessageError) -> Element?
    ) throws(MalformedMessageError) -> WaBusList? {
        switch try json.kind() {
        case .array, .object, .null: break
        case .string, .number, .boolean:
            try json.skip()
            return nil
        }
        var result = WaBusList()
        var list = try json.list()
        while try json.next(&list) {
            let offset = json.offset
            if let value = try element(&json, offset) {
                result.elements.append(value)
            } else {
                result.skipped += 1
            }
        }
        return result
    }
}

/// The scalar members of one object by their folded names. Empty strings are treated as missing.
struct WaBusRow {
    private(set) var texts: [String: String] = [:]

    /// Returns `false` and skips the value if it is not an object.
    mutating func read(_ json: inout JSONReader) throws(MalformedMessageError) -> Bool {
        guard try json.beginObject() else { return false }
        while let name = try json.nextMember() { try readMember(name, &json) }
        return true
    }

    /// Stores the value of one member.
    mutating func readMember(_ name: JSONText, _ json: inout JSONReader) throws(MalformedMessageError) {
        let text: String?
        switch try json.scalar() {
        case .text(let value): text = value.string
        case .number(let value): text = value.string
        case .boolean(let value): text = value ? "true" : "false"
        case .null, nil: text = nil
        }
        if let text, !text.isEmpty { texts[name.folded] = text }
    }

    /// Returns `nil` if the text is not a finite number.
    func number(_ name: String) -> Double? {
        guard let text = texts[name], let value = Double(text), value.isFinite else { return nil }
        return value
    }

    func isTrue(_ name: String) -> Bool { ["true", "1"].contains(texts[name]?.lowercased() ?? "") }
}
