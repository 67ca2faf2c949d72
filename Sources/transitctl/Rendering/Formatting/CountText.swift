internal import TransitControl

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

/// Formats the progress of an operation.
enum ProgressText {
    /// Returns the stage of a phase without the name of a table, such as "reading".
    static func stage(_ phase: String) -> String {
        switch phase {
        case "start": "starting"
        case "download": "downloading"
        case "write": "writing"
        case _ where phase.hasSuffix(".txt"): "reading"
        default: phase
        }
    }

    private static func name(_ phase: String) -> String {
        phase.hasSuffix(".txt") ? "reading \(phase)" : stage(phase)
    }

    /// Returns the full progress, such as "reading stop_times.txt, 12.4 MB of 35.0 MB, 35 %".
    static func of(_ progress: RequestProgress) -> String {
        let isBytes = progress.unit == "bytes"
        func amount(_ count: Int) -> String { isBytes ? CountText.bytes(count) : CountText.grouped(count) }
        guard progress.done > 0 || progress.total ?? 0 > 0 else { return name(progress.phase) }
        var words = "\(name(progress.phase)), \(amount(progress.done))"
        if let total = progress.total, total > 0 {
            words += " of \(amount(total))\(isBytes ? "" : " \(progress.unit)"), \(percentage(progress.done, total)) %"
        } else if !isBytes {
            words += " \(progress.unit)"
        }
        return words
    }

    /// Returns a short form of the progress, such as "reading 35 %".
    static func brief(_ progress: RequestProgress) -> String {
        guard let total = progress.total, total > 0 else { return stage(progress.phase) }
        return "\(stage(progress.phase)) \(percentage(progress.done, total)) %"
    }

    private static func percentage(_ done: Int, _ total: Int) -> Int {
        min(100, max(0, Int(Double(done) / Double(total) * 100)))
    }
}
