/// A number of things, in words.
enum CountText {
    /// "1 minute", "2 minutes". `plural` for words that do not end in "s" then.
    static func of(_ count: Int, _ thing: String, plural: String? = nil) -> String {
        "\(grouped(count)) " + (count == 1 ? thing : plural ?? thing + "s")
    }

    /// "1,460,211".
    static func grouped(_ count: Int) -> String {
        let digits = Array(String(count.magnitude))
        var text = count < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// "4.2 MB": decimal multiples, one digit after the point under 100.
    static func bytes(_ count: Int) -> String {
        var (value, unit) = (Double(count), 0)
        let units = ["B", "kB", "MB", "GB", "TB"]
        while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        guard unit > 0, value < 100 else { return "\(Int(value)) \(units[unit])" }
        let tenths = Int(value * 10)
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
