internal import TransitControl

/// Shows progress on standard error: a line that is rewritten, or one line per stage where rewriting is not possible.
struct ProgressMeter {
    let subject: String
    let canvas: Canvas
    let rewrites: Bool
    private var shown: String?

    init(subject: String, canvas: Canvas, rewrites: Bool) {
        self.subject = subject
        self.canvas = canvas
        self.rewrites = rewrites
    }

    /// Returns the text to write, or `nil` if the displayed progress does not change.
    mutating func text(for progress: RequestProgress) -> String? {
        if !rewrites {
            let stage = ProgressText.stage(progress.phase)
            guard stage != shown else { return nil }
            shown = stage
            return SafeText.clean("\(subject): \(stage)") + "\n"
        }
        // The last column stays empty because some terminals wrap a full line, which could then not be rewritten.
        let words = SafeText.clean("\(subject): \(ProgressText.of(progress))")
        let line = DisplayWidth.cut(words, to: max(1, (canvas.width ?? 80) - 1))
        guard line != shown else { return nil }
        shown = line
        return "\r\u{1B}[K" + line
    }

    /// Returns the sequence that clears the line.
    func ending() -> String { shown == nil || !rewrites ? "" : "\r\u{1B}[K" }
}
