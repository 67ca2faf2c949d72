internal import TransitModel

/// An answer that is one list: `{"stops": […], "count": 3, "server_time": "2026-02-10T18:38:09.123456789+01:00"}`.
///
/// Lists of none come as `null`. Answers about vehicles spell `serverTime`; names are compared without case and
/// underscores.
struct WaBusList<Element> {
    var elements: [Element] = []
    /// By the server's clock, in its own zone.
    var serverTime: Instant?
    /// Elements that could not be used.
    var skipped = 0

    /// - Parameter element: reads one element at its byte offset; `nil` for one that cannot be used.
    /// - Throws: a ``FeedError`` for an error of the server, and when the list is missing or none.
    static func read(
        _ body: [UInt8], of member: String,
        _ element: (inout JSONReader, Int) throws(MalformedMessageError) -> Element?
    ) throws(FeedError) -> WaBusList {
        var list: WaBusList?
        var fault: FeedError?
        var time: Instant?
        try WaBusResponse.read(body) { (name, json) throws(MalformedMessageError) in
            switch name.folded {
            case JSONName.fold(member):
                let offset = json.offset
                list = try read(&json, element)
                if list == nil { fault = WaBusResponse.unexpected(member, offset) }
            case "servertime": time = try json.string().flatMap { Instant(rfc3339: $0) }
            case "error": fault = try json.string().map { WaBusResponse.serverError($0) } ?? fault
            default: break
            }
        }
        if let fault { throw fault }
        guard var list else { throw WaBusResponse.missing(member) }
        list.serverTime = time
        return list
    }

    /// `nil`, and the value is skipped, for what is neither a list nor an object in its place nor `null`.
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
