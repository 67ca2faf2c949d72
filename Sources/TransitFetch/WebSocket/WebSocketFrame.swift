/// One frame of a WebSocket (RFC 6455 section 5.2).
struct WebSocketFrame: Hashable, Sendable {
    /// The opcodes of RFC 6455 section 11.8. Other values are reserved.
    enum Opcode: UInt8, Hashable, Sendable, CaseIterable {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xA

        /// Control frames are never fragmented and may occur between the fragments of a message (section 5.5).
        var isControl: Bool { rawValue >= 0x8 }
    }

    var opcode: Opcode
    /// Whether this is the last frame of its message.
    var isFinal: Bool
    /// The unmasked payload.
    var payload: [UInt8]

    init(_ opcode: Opcode, isFinal: Bool = true, payload: [UInt8] = []) {
        self.opcode = opcode
        self.isFinal = isFinal
        self.payload = payload
    }

    /// Maximum payload size of a control frame in bytes (section 5.5).
    static let controlLimit = 125
}

extension WebSocketFrame {
    /// Encodes the frame as a client sends it: masked (section 5.3).
    ///
    /// - Parameter key: An unpredictable masking key, different for each frame.
    func encoded(key: UInt32) -> [UInt8] {
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode.rawValue]
        bytes.reserveCapacity(payload.count + 14)
        let masked: UInt8 = 0x80
        switch payload.count {
        case 0...125: bytes.append(masked | UInt8(payload.count))
        case 126...0xFFFF:
            bytes.append(masked | 126)
            Self.append(UInt64(payload.count), size: 2, to: &bytes)
        default:
            bytes.append(masked | 127)
            Self.append(UInt64(payload.count), size: 8, to: &bytes)
        }
        Self.append(UInt64(key), size: 4, to: &bytes)
        for (position, byte) in payload.enumerated() { bytes.append(byte ^ Self.maskByte(key, position)) }
        return bytes
    }

    private static func maskByte(_ key: UInt32, _ position: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: key >> UInt32(24 - 8 * (position & 3)))
    }

    /// In network byte order.
    private static func append(_ value: UInt64, size: Int, to bytes: inout [UInt8]) {
        for place in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place))) }
    }
}

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
