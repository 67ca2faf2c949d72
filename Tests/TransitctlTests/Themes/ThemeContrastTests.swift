import Foundation
import Testing

@testable import transitctl

/// Contrast is computed here according to WCAG 2.2, independently of the program.
@Suite struct ThemeContrastTests {
    private static func contrast(_ one: RGB, _ two: RGB) -> Double {
        func luminance(_ color: RGB) -> Double {
            let channels = [color.red, color.green, color.blue].map { channel -> Double in
                let value = Double(channel) / 255
                return value <= 0.04045 ? value / 12.92 : Foundation.pow((value + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
        }
        let luminances = [luminance(one), luminance(two)].sorted()
        return (luminances[1] + 0.05) / (luminances[0] + 0.05)
    }

    private static let palettes = ThemeName.allCases.flatMap { name in
        Background.allCases.compactMap { background in
            name.palette(on: background).map { (name, background, $0) }
        }
    }

    @Test func allThemesHaveTwoPalettes() {
        #expect(Self.palettes.count == 10)
        #expect(ThemeName.terminal.palette(on: .dark) == nil)
        for (name, background, palette) in Self.palettes {
            #expect(Background(of: palette.background) == background, "\(name)")
            // Words distinguish them, but so do the colors, also with 256 colors.
            for depth in [ColorDepth.trueColor, .indexed] {
                let colors = [palette.live, palette.late, palette.canceled, palette.dim].map(depth.shown)
                #expect(Set(colors).count == 4, "\(name) on \(background)")
            }
        }
    }

    /// Each role has 7:1 in true color and with 256 colors, on the stated background, on the one that `theme preview`
    /// paints with 256 colors, and on black or white.
    @Test(arguments: Self.palettes.indices)
    func rolesHaveContrastOf7(_ position: Int) {
        let (name, background, palette) = Self.palettes[position]
        let backgrounds = [
            palette.background, ColorDepth.indexed.shown(palette.background), background == .dark ? RGB.black : .white,
        ]
        for (role, color) in palette.roles {
            for depth in [ColorDepth.trueColor, .indexed] {
                for behind in backgrounds {
                    let contrast = Self.contrast(depth.shown(color), behind)
                    #expect(
                        contrast >= 7, "\(name) on \(background): \(role) \(color.hex), \(depth) on \(behind.hex)")
                }
            }
        }
    }

    /// All colors that a style can have are roles of the palette.
    @Test(arguments: Self.palettes.indices)
    func stylesUseRoles(_ position: Int) {
        let palette = Self.palettes[position].2
        let styles: [Style] = [
            .strong, .faint, .good, .caution, .bad, .struck, .heading, .accent, .route(nil), .live, .aging, .scheduled,
            .late, .early, .canceled, .info,
        ]
        for depth in [ColorDepth.trueColor, .indexed] {
            let codes = palette.roles.map { depth.foreground($0.color) }
            for style in styles {
                let code = Coloring.theme(palette, depth).code(style) ?? ""
                #expect(code == "1" || codes.contains { code == $0 || code.hasSuffix(";" + $0) }, "\(style)")
            }
        }
    }

    /// 2,744 colors with several text colors, most of which are illegible.
    @Test(arguments: [ColorDepth.trueColor, .indexed])
    func routeColorsAreLegible(_ depth: ColorDepth) {
        let texts: [RGB?] = [nil, .white, .black, 0x808080]
        for number in 0..<(14 * 14 * 14) {
            let channels = [number % 14, number / 14 % 14, number / 196].map { UInt32($0 * 255 / 13) }
            let background = RGB(channels[0] << 16 | channels[1] << 8 | channels[2])
            for text in texts {
                let shown = RouteColors(background: background, text: text).legible(depth)
                #expect(Self.contrast(shown.background, shown.text) >= 7, "\(background.hex) \(text?.hex ?? "none")")
            }
        }
    }

    @Test func legibleRouteColorsAreKept() {
        let kept = RouteColors(background: 0x003DA5, text: 0xFFFFFF).legible(.trueColor)
        #expect(kept == (0x003DA5, 0xFFFFFF))
        // White on a light green becomes black; the green remains.
        let green = RouteColors(background: 0x7FC31C, text: 0xFFFFFF).legible(.trueColor)
        #expect(green == (0x7FC31C, .black))
        // Neither is legible on a medium red, which is darkened a little.
        let red = RouteColors(background: 0xE31837, text: 0xFFFFFF).legible(.trueColor)
        #expect(red.text == .white)
        #expect(red.background.red > 0x90 && red.background.red < 0xE3)
    }

    @Test(arguments: [nil, "", "E3183", "E318377", "G31837", "+31837", "#E3183", "Ｅ31837"])
    func invalidRouteColorsAreIgnored(_ color: String?) {
        #expect(RouteColors(color: color, textColor: "FFFFFF") == nil)
        #expect(RouteColors(color: "003DA5", textColor: color) == RouteColors(background: 0x003DA5, text: nil))
    }

    @Test func contrastAgreesWithPublishedValues() {
        #expect(abs(RGB.black.contrast(with: .white) - 21) < 0.0001)
        #expect(abs(RGB(0x777777).contrast(with: .white) - 4.478) < 0.001)
        #expect(abs(RGB(0x767676).contrast(with: .white) - 4.542) < 0.001)
    }

    /// xterm's colors: 16 is black, 231 white, 196 red, 232 to 255 grays.
    @Test(arguments: [
        (0x000000, 16), (0xFFFFFF, 231), (0xFF0000, 196), (0x080808, 232), (0xEEEEEE, 255), (0x5F87AF, 67),
        (0x1C1C1D, 234), (0xFEFEFE, 231), (0x303030, 236),
    ])
    func nearestOf256Colors(_ color: UInt32, _ index: Int) {
        #expect(IndexedColor.nearest(to: RGB(color)) == index)
    }

    /// No other of the 240 colors is nearer.
    @Test func nearestColorIsNearest() {
        func distance(_ one: RGB, _ two: RGB) -> Int {
            [(one.red, two.red), (one.green, two.green), (one.blue, two.blue)].reduce(0) {
                $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1))
            }
        }
        for number in stride(from: UInt32(0), to: 0xFFFFFF, by: 104_729) {
            let color = RGB(number)
            let best = (16...255).map { distance(IndexedColor.color($0), color) }.min()
            #expect(distance(IndexedColor.color(IndexedColor.nearest(to: color)), color) == best, "\(color.hex)")
        }
    }

    /// With 16 colors, only standard attributes and the eight standard colors are used.
    @Test func terminalPaletteIsRespected() {
        let styles: [Style] = [
            .normal, .strong, .faint, .good, .caution, .bad, .struck, .heading, .accent, .route(nil),
            .route(RouteColors(background: 0xE31837, text: nil)), .live, .aging, .scheduled, .late, .early, .canceled,
            .info,
        ]
        let standard: Set<Substring> = ["1", "2", "9", "31", "32", "33"]
        for style in styles {
            let parameters = Coloring.terminal.code(style)?.split(separator: ";") ?? []
            #expect(parameters.allSatisfy(standard.contains), "\(style)")
            // On an unknown background, only routes with a color have more colors.
            let isRoute = if case .route(.some) = style { true } else { false }
            let other = Coloring.terminalWithRoutes(.trueColor).code(style)
            #expect(isRoute ? other?.contains("48;2;") == true : other == Coloring.terminal.code(style), "\(style)")
        }
    }
}
