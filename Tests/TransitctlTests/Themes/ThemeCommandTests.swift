import Foundation
import Testing
import TransitTestTraits
import TransitWire

@testable import transitctl

@Suite(.ownThreads) struct ThemeCommandTests {
    private func appearance(_ environment: [String: String], option: String? = nil) -> Appearance {
        Appearance(
            option: option.flatMap { ThemeChoice($0) }, environment: { environment[$0] },
            remembered: .success(ThemeFile.Content()))
    }

    private static let terminal = ["TERM": "xterm-256color", "COLORFGBG": "15;0"]

    @Test func listExplainsTheme() throws {
        try expectThemes(.themes, ThemeListing(appearance(Self.terminal)), "theme-list")
        let unknown = ThemeListing(appearance(["TERM": "xterm-256color"]))
        #expect(paint(.themes, unknown, width: nil).contains("background is unknown"))
        #expect(!paint(.themes, unknown, width: nil).contains("●"))
        let sixteen = ThemeListing(appearance(["TERM": "xterm"], option: "ocean"))
        let text = paint(.themes, sixteen, width: nil)
        #expect(text.contains("ocean is in use because of --theme."))
        #expect(text.contains("16 colors, so its own palette is used"))
    }

    @Test func listIsJSON() throws {
        let json = ThemeListing(appearance(Self.terminal)).json
        #expect(json["theme"]?.text == "vintage")
        #expect(json["chosen_by"]?.text == "default")
        #expect(json["background_from"]?.text == "COLORFGBG")
        #expect(json["colors"]?.text == "256")
        guard case .array(let themes)? = json["themes"] else {
            Issue.record("no themes")
            return
        }
        #expect(themes.count == 6)
        #expect(themes[0]["dark"]?["accent"]?.text == "#F2D9A0")
        #expect(themes[5]["dark"] == .null)
    }

    @Test func previewPaintsWholeLines() throws {
        let appearance = appearance(["COLORTERM": "truecolor", "COLORFGBG": "15;0"])
        var text = ""
        for width in [40, 120] {
            text +=
                "=== \(width) columns\n" + ReadableEscapes.text(ThemePreview.text(.vintage, appearance, width: width))
        }
        try expectSnapshot(text, "Themes/theme-preview")
        for width in [24, 40, 80, 99, 100, 140] {
            let lines = ThemePreview.text(.ocean, appearance, width: width).split(separator: "\n").dropFirst()
            let widths = lines.filter { $0.contains("48;2;") }.map {
                DisplayWidth.of(ReadableEscapes.removed(String($0)))
            }
            #expect(Set(widths).count == 1 && widths.allSatisfy { $0 <= width }, "\(width): \(widths)")
        }
        let sixteen = ThemePreview.text(.ocean, self.appearance(["TERM": "xterm"]), width: 80)
        #expect(!sixteen.contains("38;") && !sixteen.contains("48;"))
    }

    @Test func useWarnsOfMediumBackground() {
        let appearance = appearance(Self.terminal)
        let painter = Painter(canvas: Canvas())
        let unknown = self.appearance(["TERM": "xterm-256color"])
        let text = painter.paint(ThemeUseText.page(.vintage, unknown, nil))
        #expect(text.contains("theme use vintage --background dark (or light)"))
        #expect(!painter.paint(ThemeUseText.page(.vintage, appearance, .black)).contains("contrast"))
        #expect(
            painter.paint(ThemeUseText.page(.vintage, appearance, 0x404850)).contains("contrast of some colors is only")
        )
    }

    /// The commands work without a daemon, and keep what they should in the user's file.
    @Test func themeIsRememberedByProgram() async throws {
        try #require(Program.url != nil)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("theme-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let environment = ["XDG_STATE_HOME": folder, "TERM": "xterm-256color"]
        let used = try await Program.run(["theme", "use", "ocean", "--background", "light"], environment: environment)
        #expect(used.status == 0)
        #expect(used.output == "Using ocean.\nThis terminal has 256 colors and a light background, as you chose.\n")
        let list = try await Program.run(["theme", "--json"], environment: environment)
        let json = try JSONValue(parsing: Array(list.output.utf8))
        #expect(json["theme"]?.text == "ocean")
        #expect(json["background"]?.text == "light")
        let again = try await Program.run(["theme", "use", "sunset"], environment: environment)
        #expect(again.output.contains("a light background"))
        let plain = try await Program.run(
            ["theme", "list", "--plain"], environment: environment.merging(["TRANSITCTL_THEME": "dark"]) { $1 })
        #expect(plain.output.contains("dark\tin use\t"))
        let preview = try await Program.run(["theme", "preview", "all"], environment: environment)
        #expect(preview.status == 0)
        #expect(preview.output.hasPrefix("Mill Lane  city:mill\nBus 24 in 10 minutes (live) at 08:15, +3 min late\n"))
        #expect(preview.error == "note: Without color, all themes look like this.\n")
    }

    @Test(arguments: [
        ["theme", "use", "nosuch"], ["theme", "use"], ["theme", "use", "ocean", "--background", "gray"],
        ["theme", "preview", "nosuch"], ["next", "--theme", "nosuch"], ["theme", "list", "-n", "3"],
    ])
    func invalidThemeIsUsageError(_ arguments: [String]) async throws {
        try #require(Program.url != nil)
        let outcome = try await Program.run(arguments, environment: ["XDG_STATE_HOME": "/nonexistent"])
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
    }

    @Test func unwritableFileIsError() async throws {
        try #require(Program.url != nil)
        let outcome = try await Program.run(["theme", "use", "ocean"], environment: ["XDG_STATE_HOME": "/proc/nosuch"])
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("transitctl: Cannot write the theme file /proc/nosuch/transitctl/theme: "))
    }
}
