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

// MARK: - Paths

// The path of a position in a document, for error messages.
extension JSONReader {
    private enum Step {
        case member(String)
        case element(Int)
    }

    /// The maximum number of innermost steps in a path. The number is limited because the document comes from an
    /// upstream server.
    private static let maximumSteps = 6
    /// The maximum number of characters of each name in a path.
    private static let maximumNameLength = 40

    /// Returns the path of the member or element that contains a byte, for example
    /// "ServiceDelivery.MonitoredStopVisit[3].RecordedAtTime", or "the document" if there is none. If the document is
    /// malformed before that byte, the path leads to the malformed part.
    package static func path(to offset: Int, in document: UnsafeBufferPointer<UInt8>) -> String {
        var reader = JSONReader(document)
        var path: [Step] = []
        // The walk also stops at malformed JSON, and the path then leads to that position.
        _ = try? reader.walk(to: offset, &path)
        return path.isEmpty ? "the document" : text(of: path.suffix(maximumSteps))
    }

    /// Skips the next value. Returns true if it contains the byte, which ends the walk.
    private mutating func walk(to offset: Int, _ path: inout [Step]) throws(MalformedMessageError) -> Bool {
        switch try kind() {
        case .object:
            guard try beginObject(), self.offset <= offset else { return true }
            while let name = try nextMember() {
                path.append(.member(Self.plain(name.string)))
                if try walk(to: offset, &path) { return true }
                path.removeLast()
            }
        case .array:
            var list = try list()
            guard self.offset <= offset else { return true }
            var number = 0
            while try next(&list) {
                path.append(.element(number))
                if try walk(to: offset, &path) { return true }
                path.removeLast()
                number += 1
            }
        case .string, .number, .boolean, .null: try skip()
        }
        return self.offset > offset
    }

    private static func plain(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(maximumNameLength).map { isPlain($0) ? $0 : "?" }))
    }

    /// Returns whether the scalar is neither a control character, which terminals interpret, nor part of the path
    /// syntax.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar != "." && scalar != "["
    }

    private static func text(of path: some Sequence<Step>) -> String {
        var text = ""
        for step in path {
            switch step {
            case .member(let name): text += text.isEmpty ? name : "." + name
            case .element(let number): text += "[\(number)]"
            }
        }
        return text
    }
}
