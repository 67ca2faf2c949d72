extension ZipArchive {
    /// Members larger than this are unpacked on a second thread.
    private static let parallelSize: UInt64 = 1 << 20

    /// Unpacks a member piece by piece; a piece is valid only during the call. The last call of `body` comes before the
    /// CRC-32 is compared: what was made of the pieces counts only when this returns.
    ///
    /// Throws ``FeedError/archive(member:fault:)`` for damage and false claims,
    /// ``FeedError/unreadable(path:reason:)``, and what `body` throws, which ends the unpacking at once.
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
        // One byte more than claimed, so that a member that is longer shows.
        let memory = ChunkMemory(capacity: Int(min(member.size + 1, 128 << 10)))
        while true {
            let count = try stream.read(into: memory.buffer)
            guard count > 0 else { return stream.digest }
            try body(memory.chunk(count: count))
        }
    }
}
