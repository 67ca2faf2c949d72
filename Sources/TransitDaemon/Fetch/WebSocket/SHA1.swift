/// SHA-1 (FIPS 180-4 section 6.1). Used only for the WebSocket handshake, where it does not protect a secret.
enum SHA1 {
    static func digest(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        let bits = UInt64(message.count) * 8
        padded += (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
        for start in stride(from: 0, to: padded.count, by: 64) { mix(padded[start..<(start + 64)], into: &state) }
        return state.flatMap { word in (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
    }

    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
            block[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for place in 16..<80 {
            words.append(rotated(words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16], 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (round, word) in words.enumerated() {
            let (choice, constant): (UInt32, UInt32) =
                switch round {
                case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotated(a, 5) &+ choice &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
        }
        for (place, word) in [a, b, c, d, e].enumerated() { state[place] &+= word }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}

/// Base64 (RFC 4648 section 4).
enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encoded(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
            for place in 0..<4 {
                text.append(place <= part.count ? letters[Int(bits >> UInt32(18 - 6 * place) & 63)] : 0x3D)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
