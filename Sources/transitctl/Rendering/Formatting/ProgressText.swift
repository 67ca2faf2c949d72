internal import TransitControl

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
