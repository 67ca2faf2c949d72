/// Normalizes names for search: removes case and accents, and replaces white space and punctuation with single spaces.
public enum SearchText {
    /// "Łódź Fabryczna/Dw." becomes "lodz fabryczna dw". Letters of other scripts are only lowercased.
    ///
    /// Latin base letters are derived from the Unicode names of characters ("LATIN SMALL LETTER L WITH STROKE"), which
    /// also covers letters without a canonical decomposition. Combining marks (U+0300...U+036F) are dropped.
    public static func fold(_ text: String) -> String {
        var text = text
        let folded = text.withUTF8 { bytes in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count * maximumGrowth) { folded in
                foldLatin(bytes, into: folded).map { String(decoding: folded[..<$0], as: UTF8.self) }
            }
        }
        return folded ?? String(decoding: foldScalars(of: text), as: UTF8.self)
    }

    /// Folds any text, scalar by scalar, to UTF-8.
    static func foldScalars(of text: String) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        var pendingBlank = false
        for scalar in text.unicodeScalars {
            guard let piece = piece(for: scalar) else { continue }
            if piece == " " {
                pendingBlank = !folded.isEmpty
            } else {
                if pendingBlank { folded.append(0x20) }
                pendingBlank = false
                folded.append(contentsOf: piece.utf8)
            }
        }
        return folded
    }

    /// Returns `nil` for a dropped scalar and a space for a word boundary.
    private static func piece(for scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0..<0x80: foldASCII(scalar)
        case latinRange: latinPieces[Int(scalar.value - latinRange.lowerBound)]
        default: foldOther(scalar)
        }
    }

    /// Folded forms of the signs and letters of European languages, computed once because looking up character names is
    /// slow.
    private static let latinPieces = latinRange.map { value in Unicode.Scalar(value).flatMap(foldOther) }
    private static let latinRange: ClosedRange<UInt32> = 0x80...0x24F

    /// The folded forms of ASCII and of ``latinPieces`` in UTF-8, by scalar value, with the first byte in the lowest bits;
    /// 0 for a dropped character.
    private static let packedPieces = (0...latinRange.upperBound).map { value in
        let bytes = Array((Unicode.Scalar(value).flatMap(piece) ?? "").utf8)
        precondition(bytes.count <= maximumGrowth)
        return bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }

    /// The maximum number of folded bytes for each byte that ``foldLatin(_:into:)`` folds.
    static let maximumGrowth = 4

    /// Folds a text in UTF-8 that consists of ASCII and Latin letters, as most names do. A search folds every name.
    ///
    /// - Parameter folded: A buffer with ``maximumGrowth`` bytes for each byte of the text.
    /// - Returns: The number of folded bytes, or `nil` if the text contains other characters or is not valid.
    static func foldLatin(
        _ text: UnsafeBufferPointer<UInt8>, into folded: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        let pieces = packedPieces
        var (position, count) = (0, 0)
        var pendingBlank = false
        while position < text.count {
            var scalar = Int(text[position])
            position += 1
            if scalar >= 0x80 {
                // The letters of `latinRange` have two bytes. A smaller first byte is not valid.
                guard scalar >= 0xC2, position < text.count, text[position] & 0xC0 == 0x80 else { return nil }
                scalar = (scalar & 0x3F) << 6 | Int(text[position] & 0x3F)
                position += 1
                guard scalar < pieces.count else { return nil }
            }
            var piece = pieces[scalar]
            if piece == 0 { continue }
            if piece == blank {
                pendingBlank = count > 0
                continue
            }
            if pendingBlank {
                folded[count] = UInt8(blank)
                count += 1
                pendingBlank = false
            }
            repeat {
                folded[count] = UInt8(truncatingIfNeeded: piece)
                count += 1
                piece >>= 8
            } while piece != 0
        }
        return count
    }

    private static let blank: UInt32 = 0x20

    /// Returns 0 for a dropped character and a space for a word boundary.
    private static func foldASCII(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x61...0x7A, 0x30...0x39: byte
        case 0x41...0x5A: byte + 0x20
        case 0x27: 0  // O'Brien is found as "obrien"
        default: 0x20
        }
    }

    /// Returns `nil` for a dropped scalar and a space for a word boundary.
    private static func foldASCII(_ scalar: Unicode.Scalar) -> String? {
        let folded = foldASCII(UInt8(scalar.value))
        return folded == 0 ? nil : String(Unicode.Scalar(folded))
    }

    private static func foldOther(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x300...0x36F: return nil
        // Ideographs have no case. Looking up their properties would take most of the time in a search in Chinese.
        case 0x3400...0x4DBF, 0x4E00...0x9FFF: return String(scalar)
        case 0x2019, 0x02BC: return nil
        case 0xFF01...0xFF5E:  // full-width forms
            return foldASCII(Unicode.Scalar(scalar.value - 0xFEE0)!)
        case 0xDF, 0x1E9E: return "ss"
        case 0xC6, 0xE6: return "ae"
        case 0x152, 0x153: return "oe"
        case 0xDE, 0xFE: return "th"
        case 0x130, 0x131: return "i"
        default: break
        }
        let lower = scalar.properties.lowercaseMapping
        guard let first = lower.unicodeScalars.first else { return nil }
        if let base = latinBase(first) ?? greekBase(first) ?? cyrillicBase(first) { return base }
        // Thai tone marks and similar marks belong to the letter before them.
        if first.properties.generalCategory == .nonspacingMark, !first.properties.isAlphabetic { return nil }
        return first.properties.isAlphabetic || first.properties.numericType != nil ? lower : " "
    }

    /// Returns "e" for "LATIN SMALL LETTER E WITH ACUTE".
    private static func latinBase(_ scalar: Unicode.Scalar) -> String? {
        guard (0xC0...0x24F).contains(scalar.value) || (0x1E00...0x1EFF).contains(scalar.value),
            let name = scalar.properties.name, name.hasPrefix("LATIN SMALL LETTER ")
        else { return nil }
        let letter = name.dropFirst("LATIN SMALL LETTER ".count).prefix { $0 != " " }
        switch letter {
        case "ETH": return "d"
        case _ where letter.count == 1: return letter.lowercased()
        default: return nil
        }
    }

    /// Returns the base letter. A mark that is a separate scalar is dropped, so the precomposed and the decomposed
    /// spelling fold to the same text.
    private static func cyrillicBase(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x439, 0x45D: "и"
        case 0x450, 0x451: "е"
        case 0x453: "г"
        case 0x457: "і"
        case 0x45C: "к"
        case 0x45E: "у"
        default: nil
        }
    }

    private static func greekBase(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x3AC: "α"
        case 0x3AD: "ε"
        case 0x3AE: "η"
        case 0x3AF, 0x3CA, 0x390: "ι"
        case 0x3CC: "ο"
        case 0x3CD, 0x3CB, 0x3B0: "υ"
        case 0x3CE: "ω"
        case 0x3C2: "σ"
        default: nil
        }
    }
}
