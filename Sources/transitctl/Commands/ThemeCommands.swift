internal import ArgumentParser
internal import TransitClient
internal import TransitWire

struct ThemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "theme", abstract: "List, preview or choose the colors of transitctl.",
        subcommands: [ThemeListCommand.self, ThemePreviewCommand.self, ThemeUseCommand.self],
        defaultSubcommand: ThemeListCommand.self)
}

struct ThemeListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the themes, and show which one is in use and why.")

    @Argument(help: .hidden)
    var words: [String] = []
    @OptionGroup var global: GlobalOptions

    /// "theme ocean" is read as "theme list ocean".
    func validate() throws {
        guard let word = words.first else { return }
        throw ValidationError(
            ThemeName(rawValue: word) == nil
                ? "There is no command \"theme \(word)\". The commands are list, preview and use."
                : "To choose a theme: transitctl theme use \(word)")
    }

    func run() throws {
        try global.run { (session) throws(ClientError) in try session.show(ThemeListing(session.themeAppearance)) }
    }
}

struct ThemePreviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview", abstract: "Show a sample board in a theme, on a dark and on a light background.")

    @Argument(help: "The theme, or \"all\". The default is the theme in use.")
    var name: ThemeSelection?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { (session) throws(ClientError) in try session.previewThemes(name) }
    }
}

struct ThemeUseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Choose a theme and remember it.",
        discussion: """
            A theme has colors for dark and for light backgrounds. With --background auto, which is the default, \
            transitctl reads COLORFGBG or asks the terminal once, and remembers the response. While the background is \
            unknown, the terminal's own 16 colors are used, except for routes.
            """)

    @Argument(help: "The theme.", completion: .names(.theme))
    var name: ThemeName
    @Option(help: "The background of your terminals: light, dark or auto.")
    var background: BackgroundSetting?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { (session) throws(ClientError) in try session.useTheme(name, background) }
    }
}

extension ThemeName: ExpressibleByArgument {}

/// The themes that `theme preview` shows.
enum ThemeSelection: ExpressibleByArgument, Equatable {
    case all
    case one(ThemeName)

    init?(argument: String) {
        if argument == "all" {
            self = .all
        } else if let name = ThemeName(rawValue: argument) {
            self = .one(name)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] { ["all"] + ThemeName.allCases.map(\.rawValue) }
}

/// The value of `--background`.
enum BackgroundSetting: String, CaseIterable, ExpressibleByArgument {
    case light, dark, auto

    /// The kind of background; `nil` for `auto`.
    var background: Background? { Background(rawValue: rawValue) }
}

extension Session {
    private var themeFile: ThemeFile { ThemeFile(environment: Environment.variable) }

    /// The theme, also without color.
    fileprivate var themeAppearance: Appearance {
        if let appearance = terminal.appearance { return appearance }
        let remembered = Result { () throws(ThemeFile.Failure) in try themeFile.read() }
        let appearance = Appearance(option: settings.theme, environment: Environment.variable, remembered: remembered)
        if let problem = appearance.problem { printNotice(Line("note: ", .caution) + Line(problem)) }
        return appearance
    }

    fileprivate func show(_ listing: ThemeListing) throws(ClientError) -> ExitStatus {
        if settings.json {
            try write(json: listing.json.encoded)
        } else {
            let view = View.themes
            try write(settings.plain ? PlainRows.text(view.rows(listing)) : paint(view.page(listing)))
        }
        return .success
    }

    fileprivate func previewThemes(_ selection: ThemeSelection?) throws(ClientError) -> ExitStatus {
        var appearance = themeAppearance
        if settings.json { return try show(ThemeListing(appearance)) }
        rememberBackground(for: &appearance)
        let names: [ThemeName] =
            switch selection {
            case .all: ThemeName.allCases
            case .one(let name): [name]
            case nil: [appearance.theme]
            }
        guard terminal.output.color, appearance.depth != .sixteen else {
            try write(paint(ThemeSample.page))
            let reason = terminal.output.color ? appearance.colorSentence : "Without color, all themes look like this."
            printNotice(Line("note: ", .caution) + Line(reason))
            return .success
        }
        for (number, name) in names.enumerated() {
            try write(
                (number > 0 ? "\n" : "") + ThemePreview.text(name, appearance, width: terminal.output.width ?? 80))
        }
        return .success
    }

    fileprivate func useTheme(_ theme: ThemeName, _ setting: BackgroundSetting?) throws(ClientError) -> ExitStatus {
        let file = themeFile
        // A damaged file is replaced. The problem was reported at the start.
        var content = (try? file.read()) ?? ThemeFile.Content()
        content.theme = theme
        if let setting { content.background = setting.background }
        func appearance() -> Appearance {
            Appearance(option: nil, environment: Environment.variable, remembered: .success(content))
        }
        var reported: RGB?
        if let terminal = askableTerminal(appearance()) {
            reported = BackgroundQuery.ask()
            if let reported { content.add(Background(of: reported), of: terminal) }
        }
        do { try file.write(content) } catch { throw .failed(error.message) }
        let result = appearance()
        if settings.json { return try show(ThemeListing(result)) }
        // Painted with the new theme.
        let coloring = terminal.output.color ? result.coloring : nil
        let page = ThemeUseText.page(theme, result, reported)
        try write(Painter(canvas: Canvas(width: terminal.output.width, coloring: coloring)).paint(page))
        return .success
    }

    /// Asks the terminal for its background if it is unknown, and remembers the response. A failure to write the file is
    /// reported.
    func rememberBackground(for appearance: inout Appearance) {
        guard let terminal = askableTerminal(appearance), let reported = BackgroundQuery.ask() else { return }
        let kind = Background(of: reported)
        (appearance.background, appearance.backgroundOrigin) = (kind, .terminal)
        // A damaged file is not replaced here.
        guard var content = try? themeFile.read() else { return }
        content.add(kind, of: terminal)
        do { try themeFile.write(content) } catch { printNotice(Line("note: ", .caution) + Line(error.message)) }
    }

    /// Returns the name under which to remember the background of this terminal; `nil` if the terminal need not or must
    /// not be asked.
    private func askableTerminal(_ appearance: Appearance) -> String? {
        let isKnown = [.choice, .remembered, .colorFGBG].contains(appearance.backgroundOrigin)
        guard !isKnown, terminal.output.color, appearance.depth != .sixteen else { return nil }
        return ThemeFile.terminal(Environment.variable)
    }
}
