import Testing
import TransitTestSupport

@testable import TransitFetch

@Suite("WebSocket: frames")
struct WebSocketFrameTests {
    /// The frames that contain "Hello" are examples in RFC 6455 section 5.7.
    @Test func clientFrameIsMasked() {
        #expect(
            WebSocketFrame(.text, payload: Array("Hello".utf8)).encoded(key: 0x37FA_213D)
                == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    }

    @Test(
        "lengths are written in their shortest form",
        arguments: [
            (0, [0x80]), (125, [0xFD]), (126, [0xFE, 0, 126]), (65535, [0xFE, 0xFF, 0xFF]),
            (65536, [0xFF, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func lengthIsWrittenInShortestForm(count: Int, head: [UInt8]) {
        let bytes = WebSocketFrame(.binary, payload: [UInt8](repeating: 7, count: count)).encoded(key: 0)
        #expect(Array(bytes[1..<(1 + head.count)]) == head)
        #expect(bytes.count == 1 + head.count + 4 + count)
    }

    private func read(_ bytes: [UInt8], limit: Int = 1000) throws(WebSocketError) -> [WebSocketFrame] {
        var reader = WebSocketFrameReader(limit: limit)
        reader.append(bytes)
        var frames: [WebSocketFrame] = []
        while let frame = try reader.next() { frames.append(frame) }
        return frames
    }

    @Test func serverFrameIsParsed() throws {
        #expect(
            try read([0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x89, 0x00])
                == [WebSocketFrame(.text, payload: Array("Hello".utf8)), WebSocketFrame(.ping)])
    }

    @Test("frames may arrive byte by byte") func frameMayArriveByteByByte() throws {
        let payload = [UInt8](repeating: 0x61, count: 300)
        let bytes: [UInt8] = [0x01, 126, 1, 44] + payload + [0x80, 1, 0x62]
        var reader = WebSocketFrameReader(limit: 1000)
        var frames: [WebSocketFrame] = []
        for byte in bytes {
            reader.append([byte])
            while let frame = try reader.next() { frames.append(frame) }
        }
        #expect(
            frames == [
                WebSocketFrame(.text, isFinal: false, payload: payload),
                WebSocketFrame(.continuation, payload: [0x62]),
            ])
    }

    @Test(
        "a frame that RFC 6455 forbids is rejected by its head alone",
        arguments: [
            [0xC1, 0], [0x83, 0], [0x8B, 0], [0x81, 0x80], [0x09, 0], [0x89, 126, 0, 200], [0x81, 126, 0, 125],
            [0x81, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], [0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 1],
        ] as [[UInt8]])
    func forbiddenFrameIsRejected(bytes: [UInt8]) {
        let fault = #expect(throws: WebSocketError.self) { try read(bytes) }
        guard case .protocolViolation? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
    }

    @Test("a frame over the limit is rejected before its payload arrives") func oversizedFrameIsRejected() {
        #expect(throws: WebSocketError.tooLarge(limit: 1000)) { try read([0x82, 126, 3, 0xE9]) }
        #expect(throws: WebSocketError.tooLarge(limit: 1000)) {
            try read([0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        }
    }

    @Test(
        "random bytes are parsed or rejected, and payloads are never longer than the input", arguments: testSeeds(41))
    func randomBytesNeverYieldExtraPayload(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let frames = (try? read(bytes, limit: 64)) ?? []
            #expect(frames.reduce(0) { $0 + $1.payload.count } <= bytes.count)
        }
    }
}

/// A SplitMix64 generator: a seed always gives the same numbers.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("WebSocket: SHA-1 and Base64")
struct WebSocketDigestTests {
    /// FIPS 180 and RFC 3174.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
    func sha1MatchesReference(text: String, digest: String) {
        let bytes = Digest.sha1(Array(text.utf8))
        let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hexadecimal == digest)
    }

    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func base64MatchesRFC4648(text: String, encoded: String) { #expect(Digest.base64(Array(text.utf8)) == encoded) }
}
