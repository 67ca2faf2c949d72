/// The client side of one WebSocket from the handshake to the close (RFC 6455). Consumes the server's bytes, returns
/// the text messages in them, and collects the bytes to send.
///
/// It performs no I/O. Control frames are answered automatically. Binary messages are counted and dropped, because no
/// upstream of the daemon uses them.
package struct WebSocketSession: Sendable {
    package enum Event: Hashable, Sendable {
        /// The handshake is complete; text messages can be sent.
        case opened
        /// A text message; the bytes are valid UTF-8.
        case text([UInt8])
        case pong
    }

    /// Bytes to send to the server. Call ``sent(_:)`` after sending them.
    package private(set) var output: [UInt8] = []
    /// The reason why the WebSocket ended; `nil` while it is open. ``output`` may still contain a close frame for the
    /// server.
    package private(set) var ended: WebSocketError?
    /// Number of binary messages received.
    package private(set) var binaryMessages = 0
    private var handshake: WebSocketHandshake?
    private var reader: WebSocketFrameReader
    /// The kind and the bytes of an incomplete message.
    private var message: (opcode: WebSocketFrame.Opcode, payload: [UInt8])?
    private var hasSentClose = false
    /// Maximum size of a message in bytes.
    private let limit: Int
    private let random: @Sendable () -> UInt32

    /// Starts with the handshake request in ``output``.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of a message in bytes, including all fragments.
    ///   - random: Returns unpredictable values for the handshake and the masks.
    package init(_ address: WebURL, limit: Int, random: @escaping @Sendable () -> UInt32) {
        let nonce = (0..<4).flatMap { _ in
            let word = random()
            return (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
        }
        let handshake = WebSocketHandshake(nonce: nonce)
        self.limit = limit
        self.random = random
        reader = WebSocketFrameReader(limit: limit)
        output = handshake.request(address)
        self.handshake = handshake
    }

    package var isOpen: Bool { handshake == nil && !hasSentClose }

    // MARK: Sending

    package mutating func send(_ text: String) { send(WebSocketFrame(.text, payload: Array(text.utf8))) }

    package mutating func ping() { send(WebSocketFrame(.ping)) }

    /// Sends a close frame. Nothing can be sent afterward.
    package mutating func close(_ code: UInt16 = 1000) {
        send(WebSocketFrame(.close, payload: [UInt8(code >> 8), UInt8(code & 0xFF)]))
        hasSentClose = true
    }

    private mutating func send(_ frame: WebSocketFrame) {
        guard isOpen else { return }
        output += frame.encoded(key: random())
    }

    /// Removes bytes that were sent from ``output``.
    package mutating func sent(_ count: Int) { output.removeFirst(min(count, output.count)) }

    // MARK: Receiving

    /// Parses bytes from the server and returns the events in them. Returns nothing after the WebSocket has ``ended``.
    package mutating func receive(_ bytes: ArraySlice<UInt8>) -> [Event] {
        guard ended == nil else { return [] }
        var events: [Event] = []
        do throws(WebSocketError) { try receive(bytes, &events) } catch {
            if let code = error.closeCode { close(code) }
            ended = error
        }
        return events
    }

    private mutating func receive(_ bytes: ArraySlice<UInt8>, _ events: inout [Event]) throws(WebSocketError) {
        if handshake != nil {
            guard let rest = try handshake?.receive(bytes) else { return }
            handshake = nil
            events.append(.opened)
            reader.append(rest)
        } else {
            reader.append(bytes)
        }
        while let frame = try reader.next() {
            if let event = try handle(frame) { events.append(event) }
        }
    }

    private mutating func handle(_ frame: WebSocketFrame) throws(WebSocketError) -> Event? {
        switch frame.opcode {
        case .ping:
            send(WebSocketFrame(.pong, payload: frame.payload))
            return nil
        case .pong: return .pong
        case .close: throw try receiveClose(frame.payload)
        case .text, .binary:
            guard message == nil else { throw .protocolViolation("a message begins before the previous one ends") }
            guard frame.isFinal else {
                message = (frame.opcode, frame.payload)
                return nil
            }
            return try event(frame.opcode, frame.payload)
        case .continuation:
            guard let partial = message else { throw .protocolViolation("a fragment belongs to no message") }
            guard partial.payload.count + frame.payload.count <= limit else { throw .tooLarge(limit: limit) }
            let payload = partial.payload + frame.payload
            message = frame.isFinal ? nil : (partial.opcode, payload)
            return frame.isFinal ? try event(partial.opcode, payload) : nil
        }
    }

    private mutating func event(
        _ opcode: WebSocketFrame.Opcode, _ payload: [UInt8]
    ) throws(WebSocketError) -> Event? {
        guard opcode == .text else {
            binaryMessages += 1
            return nil
        }
        guard Self.isUTF8(payload) else { throw .notUTF8 }
        return .text(payload)
    }

    /// Replies to the server's close frame with the same code (section 5.5.1).
    private mutating func receiveClose(_ payload: [UInt8]) throws(WebSocketError) -> WebSocketError {
        guard !payload.isEmpty else {
            send(WebSocketFrame(.close))
            hasSentClose = true
            return .closed(code: nil)
        }
        guard payload.count >= 2 else { throw .protocolViolation("a close frame has an incomplete code") }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard Self.isCloseCode(code) else { throw .protocolViolation("\(code) is not a valid close code") }
        guard Self.isUTF8(Array(payload[2...])) else { throw .notUTF8 }
        close(code)
        return .closed(code: code)
    }

    /// The codes that a close frame may contain (section 7.4). The codes 1005, 1006 and 1015 are reserved and never
    /// sent in a close frame.
    private static func isCloseCode(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }
}

/// The reason why a WebSocket ended, other than a general connection failure (``TransportFailure``).
package enum WebSocketError: Error, Hashable, Sendable {
    /// The server violated RFC 6455. The value describes the violation.
    case protocolViolation(String)
    /// A text message is not UTF-8 (section 8.1).
    case notUTF8
    /// A message exceeds the limit in bytes.
    case tooLarge(limit: Int)
    /// The server responded to the upgrade request with a status other than 101. `retryAfter` is the raw value of the
    /// header.
    case refused(status: Int, retryAfter: String?)
    /// The response to the upgrade request is invalid.
    case handshake(String)
    /// The server closed the WebSocket; the code is `nil` if it sent none (section 7.4).
    case closed(code: UInt16?)

    /// The close code to send to the server (section 7.4.1); `nil` if there is no open WebSocket.
    package var closeCode: UInt16? {
        switch self {
        case .protocolViolation: 1002
        case .notUTF8: 1007
        case .tooLarge: 1009
        case .refused, .handshake, .closed: nil
        }
    }
}

extension WebSocketError: CustomStringConvertible {
    /// Begins with a lowercase letter and has no final period.
    package var description: String {
        switch self {
        case .protocolViolation(let place): "the server violates the WebSocket protocol: \(place)"
        case .notUTF8: "the server sent a text message that is not UTF-8"
        case .tooLarge(let limit): "the server sent a message of more than \(limit) bytes"
        case .refused(let status, _): "the server responded with status \(status) instead of opening a WebSocket"
        case .handshake(let reason): "the WebSocket handshake failed: \(reason)"
        case .closed(let code?): "the server closed the WebSocket with code \(code)"
        case .closed(nil): "the server closed the WebSocket"
        }
    }
}
