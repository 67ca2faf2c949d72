/// An answer of an API that is a JSON document of one kind.
package enum JSONResponse {
    /// Reads the document to its end.
    ///
    /// - Parameters:
    ///   - wanted: what the document is, for the error: "a list of stops".
    ///   - decode: reads the outermost value; `nil` when it is something other than what was asked for.
    /// - Throws: ``FeedError/notDocument(_:wanted:)`` for what is no such document, and
    ///   ``FeedError/message(_:offset:member:)`` where one is cut or damaged.
    package static func read<Value>(
        _ body: [UInt8], as wanted: String,
        _ decode: (inout JSONReader) throws(MalformedMessageError) -> Value?
    ) throws(FeedError) -> Value {
        try body.withUnsafeBufferPointer { bytes throws(FeedError) in
            let (kind, first) = UnexpectedContent.look(at: bytes)
            guard first == 0x7B || first == 0x5B else { throw .notDocument(kind, wanted: wanted) }
            var json = JSONReader(bytes)
            let value: Value?
            do throws(MalformedMessageError) {
                value = try decode(&json)
                try json.finish()
            } catch {
                throw error.feedError(in: bytes)
            }
            guard let value else { throw .notDocument(.otherJSON, wanted: wanted) }
            return value
        }
    }
}
