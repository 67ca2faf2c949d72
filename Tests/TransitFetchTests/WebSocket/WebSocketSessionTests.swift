import Synchronization
import Testing

@testable import TransitFetch

@Suite("WebSocket: client session")
struct WebSocketSessionTests {
    /// The mask is zero, so the payload in the output is readable.
    private func session(_ url: String = "http://127.0.0.1:9000/v1/ws?a=b", limit: Int = 1000) throws
        -> WebSocketSession
    {
        WebSocketSession(try #require(WebURL(url)), limit: limit) { 0 }
    }

    private static let key = "AAAAAAAAAAAAAAAAAAAAAA=="
    private static var response: String {
        """
        HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n\
        Sec-WebSocket-Accept: \(WebSocketHandshake.accept(key))\r\n\r\n
        """
    }

    /// Returns a session after its handshake.
    private func open(limit: Int = 1000) throws -> WebSocketSession {
        var session = try session(limit: limit)
        session.sent(session.output.count)
        #expect(session.receive(Self.response.utf8) == [.opened])
        return session
    }

    private func frame(_ first: UInt8, _ payload: String) -> [UInt8] {
        [first, UInt8(payload.utf8.count)] + Array(payload.utf8)
    }

    // MARK: The handshake

    /// RFC 6455 section 1.3.
    @Test func acceptValueMatchesRFC6455() {
        #expect(WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func handshakeRequestHasRequiredHeaders() throws {
        let text = String(decoding: try session().output, as: UTF8.self)
        #expect(
            text == """
                GET /v1/ws?a=b HTTP/1.1\r\nHost: 127.0.0.1:9000\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                Sec-WebSocket-Key: \(Self.key)\r\nSec-WebSocket-Version: 13\r\nUser-Agent: transitd\r\n\r\n
                """)
        let other = String(decoding: try session("https://[::1]/").output, as: UTF8.self)
        #expect(other.contains("Host: [::1]\r\n"))
    }

    @Test("the response may arrive byte by byte, followed by the first frames") func responseMayArriveByteByByte()
        throws
    {
        var session = try session()
        var events: [WebSocketSession.Event] = []
        for byte in Array(Self.response.utf8) + frame(0x81, "hi") { events += session.receive([byte]) }
        #expect(events == [.opened, .text(Array("hi".utf8))])
        #expect(session.isOpen)
    }

    @Test(
        "an invalid handshake response ends the session",
        arguments: [
            "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 503 Busy\r\nRetry-After: 30\r\n\r\n", "SSH-2.0\r\n\r\n",
            "HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
            "HTTP/1.1 101 X\r\nUpgrade: websocket\r\n\r\n",
            "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n",
            response.replacing("\r\n\r\n", with: "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"),
            String(repeating: "x", count: WebSocketHandshake.headLimit),
        ])
    func invalidResponseEndsSession(response: String) throws {
        var session = try session()
        session.sent(.max)
        #expect(session.receive(response.utf8) == [])
        #expect(session.ended != nil)
        #expect(session.output.isEmpty)
        #expect(!session.isOpen || session.ended != nil)
    }

    @Test func rejectionReportsRetryAfter() throws {
        var session = try session()
        _ = session.receive("HTTP/1.1 503 Busy\r\nRetry-After: 30\r\n\r\n".utf8)
        #expect(session.ended == .refused(status: 503, retryAfter: "30"))
    }

    // MARK: Messages

    @Test("fragments form one message, and a ping between them gets a pong") func fragmentsFormOneMessage() throws {
        var session = try open()
        let bytes = frame(0x01, "ab") + frame(0x89, "?") + frame(0x00, "c") + frame(0x80, "d") + frame(0x82, "bytes")
        #expect(session.receive(bytes) == [.text(Array("abcd".utf8))])
        #expect(session.output == [0x8A, 0x81, 0, 0, 0, 0, 0x3F])
        #expect(session.binaryMessages == 1)
    }

    @Test("a character may span two fragments, and a whole message must be UTF-8") func messageMustBeUTF8() throws {
        var session = try open()
        #expect(session.receive([0x01, 1, 0xC5, 0x80, 1, 0xBB]) == [.text([0xC5, 0xBB])])
        #expect(
            session.receive(frame(0x81, "last") + [0x81, 2, 0xC5, 0x41] + frame(0x81, "never")) == [
                .text(Array("last".utf8))
            ])
        #expect(session.ended == .notUTF8)
        #expect(session.output == [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xEF])
        #expect(session.receive(frame(0x81, "never")) == [])
    }

    @Test("the limit applies to the whole message") func limitAppliesToWholeMessage() throws {
        var session = try open(limit: 5)
        #expect(session.receive(frame(0x81, "12345")) == [.text(Array("12345".utf8))])
        #expect(session.receive(frame(0x01, "123") + frame(0x80, "456")) == [])
        #expect(session.ended == .tooLarge(limit: 5))
        #expect(session.output.suffix(2) == [0x03, 0xF1])
    }

    @Test(
        "messages and fragments must not be mixed",
        arguments: [
            [0x80, 1, 0x61], [0x01, 1, 0x61, 0x81, 1, 0x62], [0x01, 1, 0x61, 0x01, 1, 0x62],
        ] as [[UInt8]])
    func mixedFragmentsAreRejected(bytes: [UInt8]) throws {
        var session = try open()
        #expect(session.receive(bytes) == [])
        #expect(session.ended?.closeCode == 1002)
        #expect(session.output.suffix(2) == [0x03, 0xEA])
    }

    // MARK: Closing

    @Test(
        "a close frame gets a reply with the same code",
        arguments: [
            ([0x88, 0], nil, [0x88, 0x80]), ([0x88, 2, 0x03, 0xE9], 1001, [0x88, 0x82]),
            ([0x88, 5, 0x0F, 0xA0, 0x62, 0x79, 0x65], 4000, [0x88, 0x82]),
        ] as [([UInt8], UInt16?, [UInt8])])
    func closeFrameIsAnswered(bytes: [UInt8], code: UInt16?, response: [UInt8]) throws {
        var session = try open()
        #expect(session.receive(bytes) == [])
        #expect(session.ended == .closed(code: code))
        #expect(Array(session.output.prefix(2)) == response)
        if let code { #expect(session.output.suffix(2) == [UInt8(code >> 8), UInt8(code & 0xFF)]) }
        let output = session.output
        session.send("more")
        #expect(session.output == output)
    }

    @Test(
        "an invalid close frame is an error",
        arguments: [
            [0x88, 1, 0x03], [0x88, 2, 0x03, 0xED], [0x88, 2, 0x00, 0x00], [0x88, 3, 0x03, 0xE8, 0xFF],
        ] as [[UInt8]])
    func invalidCloseFrameIsAnError(bytes: [UInt8]) throws {
        var session = try open()
        _ = session.receive(bytes)
        #expect(session.ended?.closeCode == 1002 || session.ended?.closeCode == 1007)
    }

    @Test("each frame is masked with a new key") func eachFrameHasNewMask() throws {
        let address = try #require(WebURL("http://127.0.0.1/"))
        let keys = Keys()
        var session = WebSocketSession(address, limit: 10) { keys.next() }
        session.sent(.max)
        // The handshake uses the values 1 to 4.
        let key = Digest.base64([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0])
        _ = session.receive(
            Self.response.replacing(WebSocketHandshake.accept(Self.key), with: WebSocketHandshake.accept(key)).utf8)
        session.send("A")
        session.ping()
        #expect(session.output == [0x81, 0x81, 0, 0, 0, 5, 0x41, 0x89, 0x80, 0, 0, 0, 6])
    }
}

private final class Keys: Sendable {
    private let last = Mutex<UInt32>(0)
    func next() -> UInt32 {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

extension WebSocketSession {
    fileprivate mutating func receive(_ bytes: some Sequence<UInt8>) -> [Event] { receive(Array(bytes)[...]) }
}
