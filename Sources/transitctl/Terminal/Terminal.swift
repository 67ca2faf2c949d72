internal import Glibc
internal import TransitClient

/// The display capabilities of standard output and standard error.
struct Terminal {
    var output: Canvas
    var error: Canvas
    /// Whether a line on standard error can be rewritten in place.
    var rewritesErrorLine: Bool
    /// The theme; `nil` if neither stream has color. The theme file is read only for a stream with color.
    var appearance: Appearance?

    static func ofThisProcess(_ settings: Settings) -> Terminal {
        Terminal(settings: settings, environment: Environment.variable, output: .output, error: .error)
    }

    /// Determines the capabilities. Color is used only on a terminal that supports it, and only if `--plain`,
    /// `--no-color` and NO_COLOR (no-color.org) are not set. ``Appearance`` determines the colors.
    init(settings: Settings, environment: (String) -> String?, output: StandardStream, error: StandardStream) {
        let color = !settings.plain && !settings.noColor && (environment("NO_COLOR") ?? "").isEmpty
        let (outputIsTerminal, errorIsTerminal) = (output.isTerminal, error.isTerminal)
        let dumb = environment("TERM") == "dumb"
        let columns = environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        if color, !dumb, outputIsTerminal || errorIsTerminal {
            let remembered = Result { () throws(ThemeFile.Failure) in try ThemeFile(environment: environment).read() }
            appearance = Appearance(option: settings.theme, environment: environment, remembered: remembered)
        }
        self.output = Canvas(
            width: outputIsTerminal && !settings.plain ? output.width ?? columns : nil,
            coloring: outputIsTerminal ? appearance?.coloring : nil)
        self.error = Canvas(
            width: errorIsTerminal && !settings.plain ? error.width ?? columns : nil,
            coloring: errorIsTerminal ? appearance?.coloring : nil)
        rewritesErrorLine = errorIsTerminal && !dumb && !settings.plain
    }
}

/// Standard output or standard error.
struct StandardStream {
    let descriptor: CInt

    static let standardInput = StandardStream(descriptor: STDIN_FILENO)
    static let output = StandardStream(descriptor: STDOUT_FILENO)
    static let error = StandardStream(descriptor: STDERR_FILENO)

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The width of the terminal in columns; `nil` when the stream is not a terminal or the width is unknown.
    var width: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The height of the terminal in rows; `nil` when the stream is not a terminal or the height is unknown.
    var height: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }

    /// Writes all of `bytes`. Returns `false` on failure, with the reason in `errno`.
    ///
    /// A closed pipe ends the process by SIGPIPE, as it does for other filters. If the parent process ignores that
    /// signal, the write fails with EPIPE.
    func write(_ bytes: [UInt8]) -> Bool { Descriptors.write(bytes, to: descriptor) }
}

/// Control sequences for drawing text repeatedly over the whole terminal (ECMA-48, section 8.3).
enum Screen {
    /// Switches to the alternate screen, which preserves the primary one, and hides the cursor. The terminal no longer
    /// wraps lines: a word that is wider than the terminal, such as a URL, would take a second row and move the frame.
    static let open = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    static let close = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Returns the sequence that replaces the previous frame without flicker.
    ///
    /// - Parameter rows: The height of the terminal. The last row shows the number of lines that do not fit.
    static func frame(_ text: String, rows: Int) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        if lines.count > rows, rows > 1 {
            let hidden = lines.count - (rows - 1)
            lines = Array(lines.prefix(rows - 1)) + ["… \(CountText.of(hidden, "more line"))"]
        }
        // Each line is erased before it is written: after a character in the last column, the cursor is still on that cell,
        // and erasing would delete the character.
        let rest = lines.count < rows ? "\r\n\u{1B}[J" : ""
        return "\u{1B}[H" + lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n") + rest
    }
}

/// Raw mode of the terminal: no echo, and every key is delivered immediately.
enum RawKeyboard {
    /// Runs `body` in raw mode and restores the terminal.
    ///
    /// - Parameters:
    ///   - discardsInput: Whether to discard what was typed before `body` runs, and what it does not read.
    ///   - refusal: Creates the error to throw if the terminal mode cannot be set, from an `errno`.
    static func use<Value, Failure: Error>(
        discardsInput: Bool = true, orElse refusal: (Int32) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // Blocks signals, since a signal that ends the program would leave the terminal without echo.
        var blocked = sigset_t()
        sigfillset(&blocked)
        var before = sigset_t()
        sigprocmask(SIG_BLOCK, &blocked, &before)
        defer { sigprocmask(SIG_SETMASK, &before, nil) }
        var usual = termios()
        guard tcgetattr(STDIN_FILENO, &usual) == 0 else { throw refusal(errno) }
        var raw = usual
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        let change = discardsInput ? TCSAFLUSH : TCSADRAIN
        guard tcsetattr(STDIN_FILENO, change, &raw) == 0 else { throw refusal(errno) }
        defer { tcsetattr(STDIN_FILENO, change, &usual) }
        return try body()
    }
}
