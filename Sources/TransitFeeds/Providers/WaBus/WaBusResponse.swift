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
