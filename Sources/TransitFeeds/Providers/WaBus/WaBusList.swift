internal import TransitModel

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
