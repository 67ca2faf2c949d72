/// The handshake that turns a connection into a WebSocket: the client's request and the check of the server's response
/// (RFC 6455 section 4).
struct WebSocketHandshake: Sendable {
    /// 16 unpredictable bytes in Base64.
    private let key: String
    private var head: [UInt8] = []
    /// Maximum size of the response header in bytes.
    static let headLimit = 16 << 10

    /// - Parameter nonce: 16 unpredictable bytes.
    init(nonce: [UInt8]) { key = Digest.base64(nonce) }

    // MARK: Sending the request

    /// Returns the bytes of the request.
    ///
    /// - Parameter address: An `http` URL for `ws`, an `https` URL for `wss`.
    func request(_ address: WebURL) -> [UInt8] {
        let name = address.host.contains(":") ? "[\(address.host)]" : address.host
        let isDefaultPort = address.port == (address.scheme == "https" ? 443 : 80)
        let query = address.query.isEmpty ? "" : "?" + address.query.joined(separator: "&")
        let lines = [
            "GET \(address.path)\(query) HTTP/1.1", "Host: \(name)\(isDefaultPort ? "" : ":\(address.port)")",
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
            "User-Agent: transitd",
        ]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    // MARK: Reading the response

    /// Appends bytes of the response. Returns the bytes after the response header, or `nil` until the header is
    /// complete and valid.
    ///
    /// - Throws: ``WebSocketError/refused(status:retryAfter:)`` or ``WebSocketError/handshake(_:)``.
    mutating func receive(_ bytes: some Sequence<UInt8>) throws(WebSocketError) -> [UInt8]? {
        let searched = max(0, head.count - 3)
        head.append(contentsOf: bytes)
        guard let headEnd = Self.headEnd(head.prefix(Self.headLimit).dropFirst(searched)) else {
            guard head.count < Self.headLimit else { throw .handshake("the response header is too long") }
            return nil
        }
        try check(String(decoding: head[..<headEnd], as: UTF8.self))
        return Array(head[(headEnd + 4)...])
    }

    /// Returns the index of the empty line that ends the header.
    private static func headEnd(_ head: ArraySlice<UInt8>) -> Int? {
        guard head.count >= 4 else { return nil }
        return (head.startIndex...(head.endIndex - 4)).first {
            head[$0..<($0 + 4)].elementsEqual([0x0D, 0x0A, 0x0D, 0x0A])
        }
    }

    private func check(_ head: String) throws(WebSocketError) {
        var response = ResponseHead()
        for line in head.split(separator: "\r\n", omittingEmptySubsequences: false) { response.parse(String(line)) }
        guard response.status > 0 else { throw .handshake("the response is not HTTP") }
        guard response.status == 101 else {
            throw .refused(status: response.status, retryAfter: response["retry-after"])
        }
        guard response["upgrade"]?.lowercased() == "websocket" else {
            throw .handshake("the server switches to another protocol")
        }
        let options = (response["connection"] ?? "").lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        guard options.contains("upgrade") else { throw .handshake("the response has no `Connection: Upgrade`") }
        guard response["sec-websocket-accept"] == Self.accept(key) else {
            throw .handshake("Sec-WebSocket-Accept does not match the request")
        }
        // The request offered neither an extension nor a subprotocol (section 4.1).
        guard response["sec-websocket-extensions"] ?? "" == "", response["sec-websocket-protocol"] ?? "" == "" else {
            throw .handshake("the server uses an extension or subprotocol that was not offered")
        }
    }

    /// Returns the value that proves that the server has read the request (section 4.2.2). The value is not secret, so
    /// SHA-1 is sufficient.
    static func accept(_ key: String) -> String {
        Digest.base64(Digest.sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }
}
