internal import TransitControl

/// A `[[feed]]` table that is built from the user's answers.
struct FeedDraft: Equatable {
    var id: String
    var provider: String
    /// The keys and values in the order in which they are written.
    var settings: [Setting] = []

    struct Setting: Equatable {
        var key: String
        var value: String

        /// The setting as a line of TOML.
        var toml: String { "\(key) = \(FeedDraft.quoted(value))\n" }
    }

    /// The table as TOML.
    var toml: String {
        let lines = [Setting(key: "id", value: id), Setting(key: "provider", value: provider)] + settings
        return "[[feed]]\n" + lines.map(\.toml).joined()
    }

    /// Returns text as a basic string (TOML 1.0, section "String").
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Returns a valid feed identifier of letters, digits and `-`, or an empty string if the text has no usable characters.
    static func identifier(from text: String) -> String {
        var name = ""
        for scalar in text.lowercased().unicodeScalars.prefix(64) {
            let isUsual = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isUsual { name.unicodeScalars.append(scalar) } else if !name.isEmpty, name.last != "-" { name += "-" }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return name
    }
}
