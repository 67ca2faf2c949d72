import Synchronization
import Testing

@testable import TransitDaemon

@Suite("WebSocket: the client's side")
struct WebSocketSessionTests {
    /// The mask is zero, so that what is sent can be read.
    private func session(_ url: String = "http://127.0.0.1:9000/v1/ws?a=b", limit: Int = 1000) throws
        -> WebSocketSession
    {
        WebSocketSession(try #require(WebURL(url)), limit: limit) { 0 }
    }

    private static let key = "AAAAAAAAAAAAAAAAAAAAAA=="
    private static var answer: String {
        """
        HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n\
        Sec-WebSocket-Accept: \(WebSocketHandshake.accept(key))\r\n\r\n
        """
    }

    /// A session behind its handshake.
    private func open(limit: Int = 1000) throws -> WebSocketSession {
        var session = try session(limit: limit)
        session.sent(session.output.count)
        #expect(session.receive(Self.answer.utf8) == [.opened])
        return session
    }

    private func frame(_ first: UInt8, _ payload: String) -> [UInt8] {
        [first, UInt8(payload.utf8.count)] + Array(payload.utf8)
    }

    // MARK: The handshake

    /// RFC 6455 section 1.3.
    @Test func accept() {
        #expect(WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func request() throws {
        let text = String(decoding: try session().output, as: UTF8.self)
        #expect(
            text == """
                GET /v1/ws?a=b HTTP/1.1\r\nHost: 127.0.0.1:9000\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                Sec-WebSocket-Key: \(Self.key)\r\nSec-WebSocket-Version: 13\r\nUser-Agent: transitd\r\n\r\n
                """)
        let other = String(decoding: try session("https://[::1]/").output, as: UTF8.self)
        #expect(other.contains("Host: [::1]\r\n"))
    }

    @Test("the answer may come byte by byte, with the first frames behind it") func dripping() throws {
        var session = try session()
        var events: [WebSocketSession.Event] = []
        for byte in Array(Self.answer.utf8) + frame(0x81, "hi") { events += session.receive([byte]) }
        #expect(events == [.opened, .text(Array("hi".utf8))])
        #expect(session.isOpen)
    }

    @Test(
        "an answer that opens nothing ends it",
        arguments: [
            "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 503 Busy\r\nRetry-After: 30\r\n\r\n", "SSH-2.0\r\n\r\n",
            "HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
            "HTTP/1.1 101 X\r\nUpgrade: websocket\r\n\r\n",
            "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n",
            answer.replacing("\r\n\r\n", with: "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"),
            String(repeating: "x", count: WebSocketHandshake.headLimit),
        ])
    func refused(answer: String) throws {
        var session = try session()
        session.sent(.max)
        #expect(session.receive(answer.utf8) == [])
        #expect(session.ended != nil)
        #expect(session.output.isEmpty)
        #expect(!session.isOpen || session.ended != nil)
    }

    @Test func retryAfter() throws {
        var session = try session()
        _ = session.receive("HTTP/1.1 503 Busy\r\nRetry-After: 30\r\n\r\n".utf8)
        #expect(session.ended == .refused(status: 503, retryAfter: "30"))
    }

    // MARK: Messages

    @Test("fragments make one message, with a ping between them that is answered") func fragments() throws {
        var session = try open()
        let bytes = frame(0x01, "ab") + frame(0x89, "?") + frame(0x00, "c") + frame(0x80, "d") + frame(0x82, "bytes")
        #expect(session.receive(bytes) == [.text(Array("abcd".utf8))])
        #expect(session.output == [0x8A, 0x81, 0, 0, 0, 0, 0x3F])
        #expect(session.binaryMessages == 1)
    }

    @Test("a letter may be torn between two fragments, and a whole message must be UTF-8") func utf8() throws {
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

    @Test("the limit is that of the whole message") func limit() throws {
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
    func mixed(bytes: [UInt8]) throws {
        var session = try open()
        #expect(session.receive(bytes) == [])
        #expect(session.ended?.closeCode == 1002)
        #expect(session.output.suffix(2) == [0x03, 0xEA])
    }

    // MARK: The end

    @Test(
        "a goodbye is answered with its own code",
        arguments: [
            ([0x88, 0], nil, [0x88, 0x80]), ([0x88, 2, 0x03, 0xE9], 1001, [0x88, 0x82]),
            ([0x88, 5, 0x0F, 0xA0, 0x62, 0x79, 0x65], 4000, [0x88, 0x82]),
        ] as [([UInt8], UInt16?, [UInt8])])
    func goodbye(bytes: [UInt8], code: UInt16?, answer: [UInt8]) throws {
        var session = try open()
        #expect(session.receive(bytes) == [])
        #expect(session.ended == .closed(code: code))
        #expect(Array(session.output.prefix(2)) == answer)
        if let code { #expect(session.output.suffix(2) == [UInt8(code >> 8), UInt8(code & 0xFF)]) }
        let said = session.output
        session.send("more")
        #expect(session.output == said)
    }

    @Test(
        "a goodbye that is none is a fault",
        arguments: [
            [0x88, 1, 0x03], [0x88, 2, 0x03, 0xED], [0x88, 2, 0x00, 0x00], [0x88, 3, 0x03, 0xE8, 0xFF],
        ] as [[UInt8]])
    func badGoodbye(bytes: [UInt8]) throws {
        var session = try open()
        _ = session.receive(bytes)
        #expect(session.ended?.closeCode == 1002 || session.ended?.closeCode == 1007)
    }

    @Test("what is sent is masked with a new key each time") func masks() throws {
        let address = try #require(WebURL("http://127.0.0.1/"))
        let keys = Keys()
        var session = WebSocketSession(address, limit: 10) { keys.next() }
        session.sent(.max)
        // The key of the handshake is made of the numbers 1 to 4.
        let key = Base64.encoded([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0])
        _ = session.receive(
            Self.answer.replacing(WebSocketHandshake.accept(Self.key), with: WebSocketHandshake.accept(key)).utf8)
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
