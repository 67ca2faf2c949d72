/// The encoding of Western European Windows programs. From 0xA0 on, it is identical to Latin-1 (ISO 8859-1).
enum Windows1252 {
    /// The characters of the bytes 0x80 to 0x9F according to the WHATWG Encoding Standard.
    private static let upper: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{0192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{02C6}",
        "\u{2030}", "\u{0160}", "\u{2039}", "\u{0152}", "\u{8D}", "\u{017D}", "\u{8F}", "\u{90}", "\u{2018}",
        "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{02DC}", "\u{2122}", "\u{0161}",
        "\u{203A}", "\u{0153}", "\u{9D}", "\u{017E}", "\u{0178}",
    ]

    static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
}
