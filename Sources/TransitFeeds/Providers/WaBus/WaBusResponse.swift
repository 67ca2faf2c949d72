internal import TransitModel

/// Reads the JSON documents that the server answers with, and says what came instead.
enum WaBusResponse {
    /// - Throws: a ``FeedError`` for what is no JSON object, and for one that is cut or damaged.
    static func read(
        _ body: [UInt8], member: (JSONText, inout JSONReader) throws(MalformedMessageError) -> Void
    ) throws(FeedError) {
        try JSONResponse.read(body, as: "an answer of a WaBus server") {
            (json) throws(MalformedMessageError) -> Void? in
            guard try json.beginObject() else { return nil }
            while let name = try json.nextMember() { try member(name, &json) }
            return ()
        }
    }

    /// A member that everything hangs on is not there.
    static func missing(_ member: String) -> FeedError { .message(.missing(member), offset: 0) }

    /// A member is another kind of value than documented.
    static func unexpected(_ member: String, _ offset: Int) -> FeedError {
        .message(.expected(.array), offset: offset, member: member)
    }

    /// The server says why it does not answer: `{"error": "GTFS data is loading, please retry"}`.
    static func serverError(_ words: String) -> FeedError {
        .refused(reason: "The server answers: \(plain(words))", report: ValidationReport())
    }

    /// Without control characters, which would act on a terminal, and short.
    private static func plain(_ words: String) -> String {
        String(
            words.unicodeScalars.lazy.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
                .prefix(128).map(Character.init))
    }
}
