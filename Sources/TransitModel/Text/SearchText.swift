/// Normalizes names for search: removes case and accents, and replaces white space and punctuation with single spaces.
public enum SearchText {
    /// "Łódź Fabryczna/Dw." becomes "lodz fabryczna dw". Letters of other scripts are only lowercased.
    ///
    /// Latin base letters are derived from the Unicode names of characters ("LATIN SMALL LETTER L WITH STROKE"), which
    /// also covers letters without a canonical decomposition. Combining marks (U+0300...U+036F) are dropped.
    public static func fold(_ text: String) -> String {
        if let folded = foldIfASCII(text) { return folded }
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
        return String(decoding: folded, as: UTF8.self)
    }

    /// Returns `nil` for a dropped scalar and a space for a word boundary.
    private static func piece(for scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0..<0x80: foldASCII(scalar)
        case latinRange: latinPieces[Int(scalar.value - latinRange.lowerBound)]
        default: foldOther(scalar)
        }
    }

    /// Folded forms of the letters of European languages, computed once because looking up character names is slow.
    private static let latinPieces = latinRange.map { value in Unicode.Scalar(value).flatMap(foldOther) }
    private static let latinRange: ClosedRange<UInt32> = 0xC0...0x24F

    /// A fast path for ASCII, which works on bytes. Most names are ASCII, and a search folds every name. Returns `nil`
    /// for other texts.
    private static func foldIfASCII(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            return String(unsafeUninitializedCapacity: bytes.count) { folded in
                var count = 0
                var pendingBlank = false
                for byte in bytes where byte != 0x27 {
                    guard let letter = foldASCII(byte) else {
                        pendingBlank = count > 0
                        continue
                    }
                    if pendingBlank {
                        folded[count] = 0x20
                        count += 1
                        pendingBlank = false
                    }
                    folded[count] = letter
                    count += 1
                }
                return count
            }
        }
    }

    /// Returns `nil` for a word boundary.
    private static func foldASCII(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte + 0x20
        case 0x61...0x7A, 0x30...0x39: byte
        default: nil
        }
    }

    /// Returns `nil` for a dropped scalar and a space for a word boundary.
    private static func foldASCII(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x41...0x5A: String(Unicode.Scalar(scalar.value + 0x20)!)
        case 0x61...0x7A, 0x30...0x39: String(scalar)
        case 0x27: nil  // O'Brien is found as "obrien"
        default: " "
        }
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
