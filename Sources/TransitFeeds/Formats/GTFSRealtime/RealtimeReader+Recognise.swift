extension RealtimeReader {
    /// Tells from the first bytes how a message is written down.
    ///
    /// Text is told from protobuf by its control characters: a protobuf message begins with a tag and a length, and
    /// at the latest the length of "2.0" is one. An object of JSON would be a group of protobuf, which the schema does
    /// not have.
    static func encoding(of bytes: UnsafeBufferPointer<UInt8>) throws(FeedError) -> Encoding {
        let (kind, first) = NotRealtime.look(at: bytes)
        if first == 0x7B { return .json }
        // No text, and neither an archive nor empty: it may be protobuf.
        if kind == .unknown { return .protobuf }
        throw .notRealtime(kind)
    }
}
