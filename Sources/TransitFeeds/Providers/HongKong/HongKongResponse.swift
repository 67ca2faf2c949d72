internal import TransitModel

/// The envelope of both operators' responses.
///
///     {"type": "StopList", "version": "1.0", "generated_timestamp": "…+08:00", "data": [ … ]}
///
/// `data` is an array, a single object, or `{}` or `null` if there is nothing. A bare array of rows is accepted, too,
/// because some collectors store rows this way.
struct HongKongResponse<Element> {
    var elements: [Element] = []
    /// `generated_timestamp` of the envelope.
    var generated: Instant?

    /// Several times the number of rows in the longest list.
    private static var rowLimit: Int { 250_000 }

    /// - Parameters:
    ///   - wanted: The expected content, for error messages: "a list of stops".
    ///   - element: Converts a row. Logs the reason and returns `nil` to leave the row out.
    /// - Throws: ``FeedError/notDocument(_:wanted:)`` and ``FeedError/message(_:offset:member:)`` if the response as a
    ///   whole is unusable, for example because KMB sent an error in place of rows.
    init(
        _ body: [UInt8], as wanted: String, _ log: inout HongKongRowLog,
        _ element: (HongKongRow, inout HongKongRowLog) -> Element?
    ) throws(FeedError) {
        var reading = Reading(log: log)
        try JSONResponse.read(body, as: wanted) { json throws(MalformedMessageError) -> Void? in
            try reading.read(&json, element)
        }
        (log, elements, generated) = (reading.log, reading.elements, reading.generated)
    }

    private struct Reading {
        var log: HongKongRowLog
        var elements: [Element] = []
        var generated: Instant?
        private var hasData = false
        private var isError = false
        private var rows = 0

        init(log: HongKongRowLog) { self.log = log }

        mutating func read(
            _ json: inout JSONReader, _ element: (HongKongRow, inout HongKongRowLog) -> Element?
        ) throws(MalformedMessageError) {
            if try json.kind() == .array { return try readRows(&json, element) }
            guard try json.beginObject() else { return }
            while let name = try json.nextMember() {
                switch name.string {
                case "generated_timestamp": generated = try json.trimmedString().text.flatMap(Instant.init(rfc3339:))
                // {"code": "422", "message": " Invalid/Missing parameter(s)"}
                case "code", "message": isError = true
                case "data": try readRows(&json, element)
                default: break
                }
            }
            guard hasData else { throw MalformedMessageError(isError ? .failed : .missing("data"), at: 0) }
        }

        private mutating func readRows(
            _ json: inout JSONReader, _ element: (HongKongRow, inout HongKongRowLog) -> Element?
        ) throws(MalformedMessageError) {
            let kind = try json.kind()
            guard [.array, .object, .null].contains(kind) else {
                throw MalformedMessageError(.expected(.array), at: json.offset)
            }
            hasData = true
            var list = try json.list()
            while try json.next(&list) {
                rows += 1
                let place = (rows, json.offset)
                guard rows <= HongKongResponse.rowLimit else {
                    log.add(.tooMany, "data", at: place)
                    continue
                }
                guard let row = try HongKongRow(&json, place: place, &log), !row.isEmpty else { continue }
                if let element = element(row, &log) { elements.append(element) }
            }
        }
    }
}
