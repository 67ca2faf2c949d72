internal import TransitControl

/// How far something is, in words.
enum ProgressWords {
    /// "stop_times.txt 12.4 MB of 35.0 MB, 35 %".
    static func of(_ progress: Progress) -> String {
        let isBytes = progress.unit == "bytes"
        func amount(_ count: Int) -> String { isBytes ? CountWords.bytes(count) : CountWords.grouped(count) }
        var words = "\(progress.phase) \(amount(progress.done))"
        if let total = progress.total, total > 0 {
            words += " of \(amount(total))\(isBytes ? "" : " \(progress.unit)"), \(percentage(progress.done, total)) %"
        } else if !isBytes {
            words += " \(progress.unit)"
        }
        return words
    }

    private static func percentage(_ done: Int, _ total: Int) -> Int {
        min(100, max(0, Int(Double(done) / Double(total) * 100)))
    }
}
