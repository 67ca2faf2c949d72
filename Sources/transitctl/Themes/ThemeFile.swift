internal import Glibc
internal import TransitClient

/// The file that remembers the user's theme: `$XDG_STATE_HOME/transitctl/theme`.
///
/// Each line is a word and its value:
///
///     theme ocean
///     background light
///     reported xterm-256color/ghostty dark
///
/// The file is small and is read at each start on a terminal, so reading never blocks and has limits.
struct ThemeFile {
    /// The path; `nil` if neither XDG_STATE_HOME nor HOME is an absolute path.
    let path: String?

    /// What the file remembers.
    struct Content: Equatable {
        var theme: ThemeName?
        /// The kind of background that the user chose; `nil` for `--background auto`.
        var background: Background?
        /// The kinds of background that terminals reported, the most recent one first.
        private(set) var reports: [Report] = []

        struct Report: Equatable {
            /// The terminal, as returned by ``ThemeFile/terminal(_:)``.
            var terminal: String
            var background: Background
        }

        static let maximumReports = 8

        func reported(by terminal: String) -> Background? { reports.first { $0.terminal == terminal }?.background }

        /// Remembers what a terminal reported. The oldest report is dropped if there are too many.
        mutating func add(_ background: Background, of terminal: String) {
            reports.removeAll { $0.terminal == terminal }
            reports.insert(Report(terminal: terminal, background: background), at: 0)
            reports = Array(reports.prefix(Self.maximumReports))
        }

        /// Adds a report from the file, which lists the most recent one first.
        fileprivate mutating func append(_ report: Report) { reports.append(report) }
    }

    /// A failure to read or write the file. The message is a sentence.
    struct Failure: Error, Equatable {
        var message: String
        /// Whether ``ThemeFile/write(_:)`` can replace the file.
        var isReplaceable = true
    }

    /// The maximum size of the file in bytes.
    static let maximumSize = 4096

    init(path: String?) { self.path = path }

    /// Determines the path according to the XDG Base Directory Specification, which ignores relative paths.
    init(environment: (String) -> String?) {
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
            path = state + "/transitctl/theme"
        } else {
            path = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state/transitctl/theme" : nil }
        }
    }

    /// Returns a name for the kind of terminal: TERM, with TERM_PROGRAM if it is set. Returns `nil` if the name is not
    /// suitable for the file.
    static func terminal(_ environment: (String) -> String?) -> String? {
        guard let term = environment("TERM"), !term.isEmpty else { return nil }
        let program = environment("TERM_PROGRAM") ?? ""
        let name = program.isEmpty ? term : "\(term)/\(program)"
        let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isPlain && name.utf8.count <= 100 ? name : nil
    }
}

// MARK: - Reading

extension ThemeFile {
    /// Reads the file. A missing file is empty.
    func read() throws(Failure) -> Content {
        guard let path else { return Content() }
        var kind = S_IFREG
        let bytes = SmallFile.read(path, limit: Self.maximumSize) { status in
            kind = status.st_mode & S_IFMT
            return kind == S_IFREG
        }
        if let bytes { return try content(bytes, path) }
        switch (errno, kind) {
        case (_, S_IFDIR): throw Failure(message: "The theme file \(path) is a directory.", isReplaceable: false)
        case (_, let kind) where kind != S_IFREG:
            throw Failure(message: "The theme file \(path) is not a regular file.")
        case (ENOENT, _): return Content()
        case (EFBIG, _): throw Failure(message: "The theme file \(path) is larger than \(Self.maximumSize) bytes.")
        case (let number, _): throw Failure(message: "Cannot read the theme file \(path): \(ErrnoText.text(number)).")
        }
    }

    private func content(_ bytes: [UInt8], _ path: String) throws(Failure) -> Content {
        var content = Content()
        for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard Self.apply(words, to: &content) else {
                throw Failure(message: "Line \(number + 1) of the theme file \(path) is not valid.")
            }
        }
        return content
    }

    /// Applies a line. Returns `false` if it is invalid.
    private static func apply(_ words: [String], to content: inout Content) -> Bool {
        switch (words[0], words.count) {
        case ("theme", 2):
            content.theme = ThemeName(rawValue: words[1])
            return content.theme != nil
        case ("background", 2):
            content.background = Background(rawValue: words[1])
            return content.background != nil || words[1] == "auto"
        case ("reported", 3):
            guard let background = Background(rawValue: words[2]), content.reports.count < Content.maximumReports
            else { return false }
            content.append(Content.Report(terminal: words[1], background: background))
            return true
        default: return false
        }
    }
}

// MARK: - Writing

extension ThemeFile {
    /// Replaces the file atomically, and creates its directory. A symbolic link is preserved.
    func write(_ content: Content) throws(Failure) {
        guard let path else {
            throw Failure(message: "There is no directory for the theme file: neither XDG_STATE_HOME nor HOME is set.")
        }
        let number = SmallFile.replace(path, with: Array(Self.text(content).utf8))
        guard number == 0 else {
            throw Failure(message: "Cannot write the theme file \(path): \(ErrnoText.text(number)).")
        }
    }

    private static func text(_ content: Content) -> String {
        var text = "# Written by transitctl theme use.\n"
        if let theme = content.theme { text += "theme \(theme.rawValue)\n" }
        if let background = content.background { text += "background \(background.rawValue)\n" }
        for report in content.reports { text += "reported \(report.terminal) \(report.background.rawValue)\n" }
        return text
    }
}
