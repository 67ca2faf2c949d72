extension RealtimeReader {
    /// Detects the encoding of a message from its first bytes. Throws ``FeedError/notRealtime(_:)`` for other content.
    ///
    /// Control characters distinguish protobuf from text. A protobuf message begins with tags and lengths, and at least
    /// the length of the version "2.0" is a control character. The opening brace of a JSON object would be the start of
    /// a protobuf group, which the schema does not contain.
    static func encoding(of bytes: UnsafeBufferPointer<UInt8>) throws(FeedError) -> Encoding {
        let (kind, first) = UnexpectedContent.detect(bytes)
        if first == 0x7B { return isHeader(bytes) ? .protobuf : .json }
        // Binary data that is not an archive can be protobuf.
        if kind == .unknown { return .protobuf }
        throw .notRealtime(kind)
    }

    /// Returns whether a line feed and an opening brace are the tag and the length of a 123-byte header, as in the
    /// messages from New York. In JSON text, no other control characters follow, and the next 123 bytes do not parse as
    /// fields.
    private static func isHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x0A, bytes[1] == 0x7B else { return false }
        let header = UnsafeBufferPointer(rebasing: bytes[2..<min(bytes.count, 2 + 0x7B)])
        guard header.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }) else { return false }
        var wire = ProtobufReader(header)
        do throws(MalformedMessageError) {
            while let tag = try wire.nextTag() { try wire.skip(tag) }
            return true
        } catch {
            // In a message that is truncated within its header, the available part must parse.
            return header.count < 0x7B && error.fault == .truncated
        }
    }
}
