/// Parses the frames of a server from bytes as they arrive, and rejects frames that RFC 6455 forbids.
struct WebSocketFrameReader: Sendable {
    /// Maximum payload size of a frame in bytes.
    private let limit: Int
    private var bytes: [UInt8] = []
    /// Number of bytes that have been parsed.
    private var start = 0

    init(limit: Int) { self.limit = limit }

    mutating func append(_ more: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Returns the next frame; `nil` if it is incomplete.
    ///
    /// - Throws: ``WebSocketError/protocolViolation(_:)`` or ``WebSocketError/tooLarge(limit:)`` as soon as the header
    ///   of a frame reveals the error.
    mutating func next() throws(WebSocketError) -> WebSocketFrame? {
        guard let head = try head() else { return nil }
        let begin = start + head.size
        guard bytes.count - begin >= head.length else { return nil }
        start = begin + head.length
        return WebSocketFrame(
            head.opcode, isFinal: head.isFinal, payload: Array(bytes[begin..<(begin + head.length)]))
    }

    private struct Head {
        var opcode: WebSocketFrame.Opcode
        var isFinal: Bool
        var length: Int
        /// Number of bytes before the payload.
        var size: Int
    }

    private func head() throws(WebSocketError) -> Head? {
        guard bytes.count - start >= 2 else { return nil }
        let (first, second) = (bytes[start], bytes[start + 1])
        guard first & 0x70 == 0 else {
            throw .protocolViolation("a reserved bit is set without an extension")
        }
        guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F) else {
            throw .protocolViolation("the opcode \(first & 0x0F) is reserved")
        }
        guard second & 0x80 == 0 else { throw .protocolViolation("a frame from the server is masked") }
        let isFinal = first & 0x80 != 0
        guard let (length, size) = try length(second & 0x7F) else { return nil }
        if opcode.isControl {
            guard isFinal else { throw .protocolViolation("a control frame is fragmented") }
            guard length <= UInt64(WebSocketFrame.controlLimit) else {
                throw .protocolViolation("a control frame has \(length) bytes")
            }
        }
        guard length <= UInt64(limit) else { throw .tooLarge(limit: limit) }
        return Head(opcode: opcode, isFinal: isFinal, length: Int(length), size: size)
    }

    /// Returns the length of the payload and the size of the frame header; `nil` if the header is incomplete. A length
    /// must have its shortest encoding (section 5.2).
    private func length(_ short: UInt8) throws(WebSocketError) -> (length: UInt64, size: Int)? {
        guard short >= 126 else { return (UInt64(short), 2) }
        let count = short == 126 ? 2 : 8
        guard bytes.count - start >= 2 + count else { return nil }
        let value = bytes[(start + 2)..<(start + 2 + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard value > (count == 2 ? 125 : 0xFFFF) else {
            throw .protocolViolation("a length is not written in its shortest form")
        }
        guard value >> 63 == 0 else { throw .protocolViolation("a length has its highest bit set") }
        return (value, 2 + count)
    }
}
