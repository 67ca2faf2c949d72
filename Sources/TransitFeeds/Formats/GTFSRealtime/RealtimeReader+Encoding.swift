extension RealtimeReader {
    /// Tells from the first bytes how a message is written down.
    ///
    /// Text is told from protobuf by its control characters: a protobuf message begins with a tag and a length, and
    /// at the latest the length of "2.0" is one. An object of JSON would be a group of protobuf, which the schema does
    /// not have.
    static func encoding(of bytes: UnsafeBufferPointer<UInt8>) throws(FeedError) -> Encoding {
        let (kind, first) = UnexpectedContent.look(at: bytes)
        if first == 0x7B { return isHeader(bytes) ? .protobuf : .json }
        // No text, and neither an archive nor empty: it may be protobuf.
        if kind == .unknown { return .protobuf }
        throw .notRealtime(kind)
    }

    /// Whether a line feed and an opening brace are the tag and the length of a 123-byte header, as in New York's
    /// messages. Text contains no other control characters, and its first 123 bytes do not parse as fields.
    private static func isHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x0A, bytes[1] == 0x7B else { return false }
        let header = UnsafeBufferPointer(rebasing: bytes[2..<min(bytes.count, 2 + 0x7B)])
        guard header.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }) else { return false }
        var wire = WireReader(header)
        do throws(MalformedMessageError) {
            while let tag = try wire.nextTag() { try wire.skip(tag) }
            return true
        } catch {
            // A message that was truncated within its header is read as far as it goes.
            return header.count < 0x7B && error.fault == .truncated
        }
    }
}
