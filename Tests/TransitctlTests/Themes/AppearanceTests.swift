import Testing

@testable import transitctl

@Suite struct AppearanceTests {
    private func appearance(
        _ environment: [String: String] = [:], option: String? = nil, _ content: ThemeFile.Content = .init()
    ) -> Appearance {
        Appearance(
            option: option.flatMap { ThemeChoice($0) }, environment: { environment[$0] }, remembered: .success(content))
    }

    @Test(arguments: [
        ([:], ColorDepth.sixteen), (["TERM": "xterm"], .sixteen), (["TERM": "xterm-256color"], .indexed),
        (["TERM": "tmux-256color"], .indexed), (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
        (["TERM": "screen", "COLORTERM": "24bit"], .trueColor), (["TERM": "xterm-direct"], .trueColor),
        (["TERM": "xterm-kitty"], .trueColor), (["TERM": "foot-extra"], .trueColor), (["TERM": "football"], .sixteen),
        (["TERM": "linux", "COLORTERM": "yes"], .sixteen),
    ])
    func colorDepth(_ environment: [String: String], _ depth: ColorDepth) {
        #expect(ColorDepth { environment[$0] } == depth)
    }

    @Test(arguments: [
        ("15;0", Background.dark), ("0;15", .light), ("15;default;0", .dark), ("0;default;15", .light), ("0;7", .light),
        ("7;8", .dark), ("default;default", nil), ("", nil), (";", nil), ("0;16", nil), ("0;-1", nil),
    ])
    func colorFGBG(_ value: String, _ background: Background?) {
        #expect(Appearance.background(colorFGBG: value) == background)
    }

    @Test(arguments: [
        ("ocean", ThemeName.ocean, nil), ("ocean:light", .ocean, Background.light), ("dark:dark", .dark, .dark),
        ("terminal", .terminal, nil),
    ])
    func themeIsParsed(_ text: String, _ theme: ThemeName, _ background: Background?) throws {
        let choice = try #require(ThemeChoice(text))
        #expect(choice.theme == theme)
        #expect(choice.background == background)
    }

    @Test(arguments: ["", "Ocean", "ocean:", "ocean:auto", ":dark", "ocean:dark:light", "no such"])
    func invalidThemeIsRejected(_ text: String) { #expect(ThemeChoice(text) == nil) }

    @Test func vintageIsDefault() {
        let standard = appearance()
        #expect(standard.theme == .vintage)
        #expect(standard.themeOrigin == .standard)
        #expect(standard.background == nil)
    }

    @Test func optionPrecedesVariableAndFile() {
        var content = ThemeFile.Content()
        content.theme = .sunset
        #expect(appearance([:], content).theme == .sunset)
        #expect(appearance([:], content).themeOrigin == .remembered)
        let variable = ["TRANSITCTL_THEME": "ocean"]
        #expect(appearance(variable, content).theme == .ocean)
        #expect(appearance(variable, content).themeOrigin == .environment)
        #expect(appearance(variable, option: "modern", content).theme == .modern)
        #expect(appearance(variable, option: "modern", content).themeOrigin == .option)
        #expect(appearance(["TRANSITCTL_THEME": ""], content).themeOrigin == .remembered)
    }

    @Test func backgroundComesFromMostExplicitSource() {
        var content = ThemeFile.Content()
        let environment = ["TERM": "xterm-256color", "COLORFGBG": "15;0"]
        content.add(.light, of: "xterm-256color")
        #expect(appearance(["TERM": "xterm-256color"], content).background == .light)
        #expect(appearance(["TERM": "xterm-256color"], content).backgroundOrigin == .terminal)
        // The report of another terminal is not used.
        #expect(appearance(["TERM": "xterm-256color", "TERM_PROGRAM": "other"], content).background == nil)
        #expect(appearance(environment, content).backgroundOrigin == .colorFGBG)
        content.background = .light
        #expect(appearance(environment, content).backgroundOrigin == .remembered)
        #expect(appearance(environment, option: "ocean:dark", content).background == .dark)
        #expect(appearance(environment, option: "ocean:dark", content).backgroundOrigin == .choice)
    }

    /// The colors of a theme would be illegible on the wrong background.
    @Test func terminalColorsAreUsedOnUnknownBackground() {
        #expect(appearance(["TERM": "xterm-256color"]).coloring == .terminalWithRoutes(.indexed))
        #expect(appearance(["COLORFGBG": "15;0"]).coloring == .terminal)
        let known = ["TERM": "xterm-256color", "COLORFGBG": "15;0"]
        #expect(appearance(known).coloring == .theme(.vintageDark, .indexed))
        #expect(appearance(known, option: "ocean:light").coloring == .theme(.oceanLight, .indexed))
        #expect(appearance(known, option: "terminal").coloring == .terminal)
    }

    @Test func problemsAreReportedAndDefaultIsUsed() {
        let failed = Appearance(
            option: nil, environment: { _ in nil }, remembered: .failure(ThemeFile.Failure(message: "It is damaged.")))
        #expect(failed.theme == .vintage)
        #expect(failed.problem?.hasPrefix("It is damaged. ") == true)
        let variable = appearance(["TRANSITCTL_THEME": "nosuch\u{1B}[2J"])
        #expect(variable.theme == .vintage)
        #expect(variable.problem?.contains("vintage, modern, dark, ocean, sunset, terminal") == true)
    }
}
