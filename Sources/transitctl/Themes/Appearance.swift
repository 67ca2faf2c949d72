/// A theme as given with `--theme` or TRANSITCTL_THEME: "ocean", or "ocean:light" for a background.
struct ThemeChoice: Equatable {
    var theme: ThemeName
    var background: Background?

    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, let theme = ThemeName(rawValue: name) else { return nil }
        self.theme = theme
        guard parts.count == 2 else { return }
        guard let background = Background(rawValue: parts[1]) else { return nil }
        self.background = background
    }

    /// The themes, for messages: "vintage, modern, …".
    static var names: String { ThemeName.allCases.map(\.rawValue).joined(separator: ", ") }
}

/// The theme of this run, with the reasons for it.
struct Appearance: Equatable {
    /// Where the theme comes from.
    enum ThemeOrigin: String {
        case option, environment, remembered
        case standard = "default"
    }

    /// Where the kind of background comes from.
    enum BackgroundOrigin: String {
        /// Given with the theme, such as "ocean:light".
        case choice
        /// Chosen with `theme use --background`.
        case remembered
        case colorFGBG = "COLORFGBG"
        /// Reported by the terminal to `theme use` or `theme preview`.
        case terminal
        case unknown
    }

    var theme = ThemeName.standard
    var themeOrigin = ThemeOrigin.standard
    /// The kind of background; `nil` if unknown.
    var background: Background?
    var backgroundOrigin = BackgroundOrigin.unknown
    var depth = ColorDepth.sixteen
    /// What is wrong with the theme file or TRANSITCTL_THEME, as a sentence.
    var problem: String?

    /// Determines the theme: `--theme`, then TRANSITCTL_THEME, then the theme file, then the default.
    ///
    /// - Parameter remembered: The content of the theme file, or the failure to read it.
    init(
        option: ThemeChoice?, environment: (String) -> String?, remembered: Result<ThemeFile.Content, ThemeFile.Failure>
    ) {
        depth = ColorDepth(environment: environment)
        var content = ThemeFile.Content()
        switch remembered {
        case .success(let value): content = value
        case .failure(let failure):
            problem =
                "\(failure.message) The default theme is used. "
                + (failure.isReplaceable ? "To replace the file: transitctl theme use NAME" : "Remove it.")
        }
        if let theme = content.theme { (self.theme, themeOrigin) = (theme, .remembered) }
        var choice = option
        if let text = environment("TRANSITCTL_THEME"), !text.isEmpty, option == nil {
            choice = ThemeChoice(text)
            if choice == nil { problem = "TRANSITCTL_THEME is not a theme; the themes are \(ThemeChoice.names)." }
        }
        if let choice {
            (theme, themeOrigin) = (choice.theme, option == nil ? .environment : .option)
        }
        let terminal = ThemeFile.terminal(environment)
        let candidates: [(Background?, BackgroundOrigin)] = [
            (choice?.background, .choice), (content.background, .remembered),
            (Self.background(colorFGBG: environment("COLORFGBG")), .colorFGBG),
            (terminal.flatMap { content.reported(by: $0) }, .terminal),
        ]
        if let known = candidates.first(where: { $0.0 != nil }) { (background, backgroundOrigin) = known }
    }

    /// Parses COLORFGBG, which rxvt, Konsole and others set to "15;0" or "15;default;0": the background is the last of
    /// the 16 colors, of which 0 to 6 and 8 are dark.
    static func background(colorFGBG: String?) -> Background? {
        guard let last = colorFGBG?.split(separator: ";").last, let color = Int(last), 0...15 ~= color else {
            return nil
        }
        return color <= 6 || color == 8 ? .dark : .light
    }

    /// How to color text on a terminal. On an unknown background, the colors of a theme might be illegible, so the
    /// terminal's own palette is used, except for routes.
    var coloring: Coloring {
        guard depth != .sixteen, theme != .terminal else { return .terminal }
        return background.flatMap { theme.palette(on: $0) }.map { .theme($0, depth) } ?? .terminalWithRoutes(depth)
    }
}
