/// Formats numbers and quantities.
enum CountText {
    /// Returns "1 minute" or "2 minutes". `plural` is for words with an irregular plural.
    static func of(_ count: Int, _ thing: String, plural: String? = nil) -> String {
        "\(grouped(count)) " + (count == 1 ? thing : plural ?? thing + "s")
    }

    /// Returns a number with thousands separators, such as "1,460,211".
    static func grouped(_ count: Int) -> String {
        let digits = Array(String(count.magnitude))
        var text = count < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// Returns a size such as "4.2 MB": decimal multiples, with one decimal place below 100.
    static func bytes(_ count: Int) -> String {
        var (value, unit) = (Double(count), 0)
        let units = ["B", "kB", "MB", "GB", "TB"]
        while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        guard unit > 0, value < 100 else { return "\(Int(value)) \(units[unit])" }
        let tenths = Int(value * 10)
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
