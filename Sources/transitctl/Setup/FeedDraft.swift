internal import TransitControl

/// A `[[feed]]` that is put together by asking.
struct FeedDraft: Equatable {
    var id: String
    var provider: String
    /// Keys and values in the order of writing.
    var settings: [Setting] = []

    struct Setting: Equatable {
        var key: String
        var value: String

        /// A line of TOML.
        var toml: String { "\(key) = \(FeedDraft.quoted(value))\n" }
    }

    /// As TOML, with a line end behind each line.
    var toml: String {
        let lines = [Setting(key: "id", value: id), Setting(key: "provider", value: provider)] + settings
        return "[[feed]]\n" + lines.map(\.toml).joined()
    }

    /// A basic string (TOML 1.0, section "String").
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

    /// Letters, digits, `-` and `_`, as a feed may be called; empty when nothing of the text can be used.
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
