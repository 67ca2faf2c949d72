/// Decodes API responses in JSON.
package enum JSONResponse {
    /// Reads a document to its end and returns the decoded value.
    ///
    /// - Parameters:
    ///   - wanted: A description of the expected document for error messages, such as "a list of stops".
    ///   - decode: Reads the outermost value. Returns `nil` if the document is not the expected document.
    /// - Throws: ``FeedError/notDocument(_:wanted:)`` if the body is not the expected document, and
    ///   ``FeedError/message(_:offset:member:)`` if the document is truncated or malformed.
    package static func read<Value>(
        _ body: [UInt8], as wanted: String,
        _ decode: (inout JSONReader) throws(MalformedMessageError) -> Value?
    ) throws(FeedError) -> Value {
        try body.withUnsafeBufferPointer { bytes throws(FeedError) in
            let (kind, first) = UnexpectedContent.detect(bytes)
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
