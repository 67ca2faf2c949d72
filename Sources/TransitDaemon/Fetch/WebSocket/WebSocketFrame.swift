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
