/// The display capabilities of standard output and standard error.
struct Terminal {
    var output: Canvas
    var error: Canvas
    /// Whether a line on standard error can be rewritten in place.
    var rewritesErrorLine: Bool

    static func ofThisProcess(_ settings: Settings) -> Terminal {
        Terminal(settings: settings, environment: Environment.variable, output: .output, error: .error)
    }

    /// Determines the capabilities. Color is used only on a terminal that supports it, and only if `--plain`,
    /// `--no-color` and NO_COLOR (no-color.org) are not set.
    init(settings: Settings, environment: (String) -> String?, output: StandardStream, error: StandardStream) {
        let color = !settings.plain && !settings.noColor && (environment("NO_COLOR") ?? "").isEmpty
        let (outputIsTerminal, errorIsTerminal) = (output.isTerminal, error.isTerminal)
        let dumb = environment("TERM") == "dumb"
        let columns = environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        self.output = Canvas(
            width: outputIsTerminal && !settings.plain ? output.width ?? columns : nil,
            color: color && outputIsTerminal && !dumb)
        self.error = Canvas(
            width: errorIsTerminal && !settings.plain ? error.width ?? columns : nil,
            color: color && errorIsTerminal && !dumb)
        rewritesErrorLine = errorIsTerminal && !dumb && !settings.plain
    }
}
