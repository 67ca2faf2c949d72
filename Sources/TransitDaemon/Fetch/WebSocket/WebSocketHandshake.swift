/// How a connection becomes a WebSocket: the client's request and what the server must answer (RFC 6455 section 4).
struct WebSocketHandshake: Sendable {
    /// 16 unpredictable bytes in Base64.
    private let key: String
    private var head: [UInt8] = []
    /// The most bytes of the answer's head.
    static let headLimit = 16 << 10

    /// - Parameter nonce: 16 unpredictable bytes.
    init(nonce: [UInt8]) { key = Base64.encoded(nonce) }

    // MARK: Asking

    /// The request, to be sent as it is.
    ///
    /// - Parameter address: `http` for `ws`, `https` for `wss`.
    func request(_ address: WebURL) -> [UInt8] {
        let name = address.host.contains(":") ? "[\(address.host)]" : address.host
        let isOwnPort = address.port == (address.scheme == "https" ? 443 : 80)
        let query = address.query.isEmpty ? "" : "?" + address.query.joined(separator: "&")
        let lines = [
            "GET \(address.path)\(query) HTTP/1.1", "Host: \(name)\(isOwnPort ? "" : ":\(address.port)")",
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
            "User-Agent: transitd",
        ]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    // MARK: Reading the answer

    /// Takes bytes of the answer; when its head is complete and right, what came behind it, else `nil`.
    ///
    /// - Throws: ``WebSocketError/refused(status:retryAfter:)`` and ``WebSocketError/handshake(_:)``.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(WebSocketError) -> [UInt8]? {
        let looked = max(0, head.count - 3)
        head.append(contentsOf: bytes)
        guard let end = Self.end(head.prefix(Self.headLimit).dropFirst(looked)) else {
            guard head.count < Self.headLimit else { throw .handshake("the head of its answer has no end") }
            return nil
        }
        try check(String(decoding: head[..<end], as: UTF8.self))
        return Array(head[(end + 4)...])
    }

    /// Where the empty line begins.
    private static func end(_ head: ArraySlice<UInt8>) -> Int? {
        guard head.count >= 4 else { return nil }
        return (head.startIndex...(head.endIndex - 4)).first {
            head[$0..<($0 + 4)].elementsEqual([0x0D, 0x0A, 0x0D, 0x0A])
        }
    }

    private func check(_ head: String) throws(WebSocketError) {
        var answer = ResponseHead()
        for line in head.split(separator: "\r\n", omittingEmptySubsequences: false) { answer.take(String(line)) }
        guard answer.status > 0 else { throw .handshake("its answer is not HTTP") }
        guard answer.status == 101 else { throw .refused(status: answer.status, retryAfter: answer["retry-after"]) }
        guard answer["upgrade"]?.lowercased() == "websocket" else {
            throw .handshake("it changes to another protocol")
        }
        let options = (answer["connection"] ?? "").lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        guard options.contains("upgrade") else { throw .handshake("it does not say that it changes the protocol") }
        guard answer["sec-websocket-accept"] == Self.accept(key) else {
            throw .handshake("it does not prove that it has read the request")
        }
        // Neither was asked for (section 4.1).
        guard answer["sec-websocket-extensions"] ?? "" == "", answer["sec-websocket-protocol"] ?? "" == "" else {
            throw .handshake("it wants an extension that was not asked for")
        }
    }

    /// What proves that the server has read the request (section 4.2.2): not a secret, so that SHA-1 is good enough.
    static func accept(_ key: String) -> String {
        Base64.encoded(SHA1.digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }
}
