extension ZipArchive {
    /// The size, in bytes, above which a member is unpacked on a second thread.
    private static let parallelSize: UInt64 = 1 << 20

    /// Unpacks a member and passes it to `body` piece by piece. A piece is valid only during the call.
    ///
    /// The CRC-32 is checked after the last call of `body`, so results made from the pieces are valid only if this
    /// method returns without an error.
    ///
    /// Throws ``FeedError/archive(member:fault:)`` if the member is corrupt or does not match its directory entry, and
    /// ``FeedError/unreadable(path:reason:)`` if the source cannot be read. An error from `body` stops the unpacking
    /// and is rethrown.
    public func inflate(
        _ member: ZipMember, _ body: (UnsafeBufferPointer<UInt8>) throws(FeedError) -> Void
    ) throws(FeedError) {
        _ = try unpack(member) { chunk throws(FeedError) in
            try body(UnsafeBufferPointer(start: chunk.base, count: chunk.count))
        }
    }

    /// Unpacks a member piece by piece and returns the SHA-256 of its bytes.
    func unpack(
        _ member: ZipMember, _ body: (UnpackedChunk) throws(FeedError) -> Void
    ) throws(FeedError) -> [UInt8] {
        if member.size > Self.parallelSize { return try UnpackRingBuffer.run(self, member, body) }
        var stream = try MemberStream.open(member, of: self)
        // One byte more than the declared size, to detect a member that is longer.
        let memory = ChunkMemory(capacity: Int(min(member.size + 1, 128 << 10)))
        while true {
            let count = try stream.read(into: memory.buffer)
            guard count > 0 else { return stream.digest }
            try body(memory.chunk(count: count))
        }
    }
}
