internal import TransitModel

/// Removes accents from names whose case and punctuation stay, unlike in a folded name (`SearchText`).
enum PlainLetters {
    /// Returns "Lodz Fabryczna/Dw." for "Łódź Fabryczna/Dw.".
    static func of(_ name: String) -> String {
        name.unicodeScalars.reduce(into: "") { plain, scalar in
            let folded = scalar.isASCII ? "" : SearchText.fold(String(scalar))
            guard !folded.isEmpty else {
                // An accent can be a scalar of its own.
                if scalar.properties.generalCategory != .nonspacingMark { plain.unicodeScalars.append(scalar) }
                return
            }
            plain += scalar.properties.isUppercase ? folded.prefix(1).uppercased() + folded.dropFirst() : folded
        }
    }
}
