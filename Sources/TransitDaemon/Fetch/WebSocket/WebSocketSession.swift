/// The client's side of one WebSocket, from the handshake to the end (RFC 6455): takes the server's bytes, gives the texts that
/// are in them, and collects what is to be sent.
///
/// It neither waits nor knows the network. Control frames are answered by themselves; messages of bytes are counted and left
/// out, since no upstream of this daemon sends them for anything.
struct WebSocketSession: Sendable {
    enum Event: Hashable, Sendable {
        /// The handshake is over: texts may be sent.
        case opened
        /// The bytes of a text; they are UTF-8.
        case text([UInt8])
        case pong
    }

    /// Bytes for the server, to be taken away by whoever sends them.
    private(set) var output: [UInt8] = []
    /// Why there is nothing more to come. What is to be told to the server then is in ``output``.
    private(set) var ended: WebSocketError?
    /// Messages of bytes.
    private(set) var binaryMessages = 0
    private var handshake: WebSocketHandshake?
    private var reader: WebSocketFrameReader
    /// The kind and the bytes of a message whose last fragment has not come.
    private var message: (opcode: WebSocketFrame.Opcode, payload: [UInt8])?
    private var hasClosed = false
    /// The most bytes of a message.
    private let limit: Int
    private let random: @Sendable () -> UInt32

    /// Begins with the request in ``output``.
    ///
    /// - Parameters:
    ///   - limit: the most bytes of a message, all its fragments together.
    ///   - random: unpredictable, for the handshake and the masks.
    init(_ address: WebURL, limit: Int, random: @escaping @Sendable () -> UInt32) {
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

    var isOpen: Bool { handshake == nil && !hasClosed }

    // MARK: Sending

    mutating func send(_ text: String) { send(WebSocketFrame(.text, payload: Array(text.utf8))) }

    mutating func ping() { send(WebSocketFrame(.ping)) }

    /// Says goodbye; nothing is sent after that.
    mutating func close(_ code: UInt16 = 1000) {
        send(WebSocketFrame(.close, payload: [UInt8(code >> 8), UInt8(code & 0xFF)]))
        hasClosed = true
    }

    private mutating func send(_ frame: WebSocketFrame) {
        guard isOpen else { return }
        output += frame.encoded(key: random())
    }

    /// Forgets what was sent of ``output``.
    mutating func sent(_ count: Int) { output.removeFirst(min(count, output.count)) }

    // MARK: Receiving

    /// What some bytes of the server mean; nothing any more when it has ``ended``.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> [Event] {
        guard ended == nil else { return [] }
        var events: [Event] = []
        do throws(WebSocketError) { try receive(bytes, &events) } catch {
            if let code = error.closeCode { close(code) }
            ended = error
        }
        return events
    }

    private mutating func receive(_ bytes: some Sequence<UInt8>, _ events: inout [Event]) throws(WebSocketError) {
        if handshake != nil {
            guard let rest = try handshake?.take(bytes) else { return }
            handshake = nil
            events.append(.opened)
            reader.append(rest)
        } else {
            reader.append(bytes)
        }
        while let frame = try reader.next() {
            if let event = try take(frame) { events.append(event) }
        }
    }

    private mutating func take(_ frame: WebSocketFrame) throws(WebSocketError) -> Event? {
        switch frame.opcode {
        case .ping:
            send(WebSocketFrame(.pong, payload: frame.payload))
            return nil
        case .pong: return .pong
        case .close: throw try end(frame.payload)
        case .text, .binary:
            guard message == nil else { throw .protocolViolation("a message begins within another one") }
            guard frame.isFinal else {
                message = (frame.opcode, frame.payload)
                return nil
            }
            return try event(frame.opcode, frame.payload)
        case .continuation:
            guard let begun = message else { throw .protocolViolation("a fragment belongs to no message") }
            guard begun.payload.count + frame.payload.count <= limit else { throw .tooLarge(limit: limit) }
            let payload = begun.payload + frame.payload
            message = frame.isFinal ? nil : (begun.opcode, payload)
            return frame.isFinal ? try event(begun.opcode, payload) : nil
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

    /// Answers the server's goodbye with its own code (section 5.5.1).
    private mutating func end(_ payload: [UInt8]) throws(WebSocketError) -> WebSocketError {
        guard !payload.isEmpty else {
            send(WebSocketFrame(.close))
            hasClosed = true
            return .closed(code: nil)
        }
        guard payload.count >= 2 else { throw .protocolViolation("a close frame has half a code") }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard Self.isCloseCode(code) else { throw .protocolViolation("\(code) is no code to close with") }
        guard Self.isUTF8(Array(payload[2...])) else { throw .notUTF8 }
        close(code)
        return .closed(code: code)
    }

    /// Section 7.4: what may stand in a frame. 1005, 1006 and 1015 are for saying that there was none.
    private static func isCloseCode(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }
}
