internal import TransitControl

/// Shows progress on standard error: one line that is rewritten, or, where that cannot be, a line per stage.
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

    /// What to write now; `nil` when nothing that is shown has changed.
    mutating func text(for progress: RequestProgress) -> String? {
        if !rewrites {
            let stage = ProgressText.stage(progress.phase)
            guard stage != shown else { return nil }
            shown = stage
            return SafeText.clean("\(subject): \(stage)") + "\n"
        }
        // The last column stays free: a full line wraps on some terminals and could not be rewritten.
        let words = SafeText.clean("\(subject): \(ProgressText.of(progress))")
        let line = DisplayWidth.cut(words, to: max(1, (canvas.width ?? 80) - 1))
        guard line != shown else { return nil }
        shown = line
        return "\r\u{1B}[K" + line
    }

    /// Takes the line away, so that what follows stands in its place.
    func ending() -> String { shown == nil || !rewrites ? "" : "\r\u{1B}[K" }
}
