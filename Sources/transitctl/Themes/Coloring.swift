/// The number of colors that a terminal supports.
enum ColorDepth: String {
    /// The 16 colors with standard names, which the user of the terminal chooses.
    case sixteen = "16"
    case indexed = "256"
    case trueColor = "truecolor"

    /// Determines the number of colors from the environment.
    ///
    /// Terminals with true color set COLORTERM. A remote shell has only TERM, so some terminals with a TERM of their own
    /// are recognized too.
    init(environment: (String) -> String?) {
        let colorTerm = environment("COLORTERM") ?? ""
        let term = environment("TERM") ?? ""
        if colorTerm == "truecolor" || colorTerm == "24bit" || term.hasSuffix("-direct")
            || Self.trueColorTerminals.contains(where: { term == $0 || term.hasPrefix($0 + "-") })
        {
            self = .trueColor
        } else {
            self = term.hasSuffix("256color") ? .indexed : .sixteen
        }
    }

    private static let trueColorTerminals = [
        "alacritty", "contour", "foot", "ghostty", "wezterm", "xterm-ghostty", "xterm-kitty",
    ]

    /// The description for `theme list`.
    var words: String {
        switch self {
        case .sixteen: "16 colors"
        case .indexed: "256 colors"
        case .trueColor: "true color"
        }
    }

    /// Returns the color that the terminal shows for `color`.
    func shown(_ color: RGB) -> RGB {
        self == .indexed ? IndexedColor.color(IndexedColor.nearest(to: color)) : color
    }

    /// Returns the SGR parameters for the color of text (ISO 8613-6).
    func foreground(_ color: RGB) -> String { parameters(38, color) }
    /// Returns the SGR parameters for the color behind text.
    func background(_ color: RGB) -> String { parameters(48, color) }

    private func parameters(_ selector: Int, _ color: RGB) -> String {
        self == .indexed
            ? "\(selector);5;\(IndexedColor.nearest(to: color))"
            : "\(selector);2;\(color.red);\(color.green);\(color.blue)"
    }
}

/// Converts styles to SGR parameters (ECMA-48, section 8.3.117).
enum Coloring: Equatable {
    /// Only standard attributes and colors, so that the terminal's own palette is used.
    case terminal
    /// Like ``terminal``, but routes have their own colors, which are legible on every background. The depth must be more
    /// than 16 colors.
    case terminalWithRoutes(ColorDepth)
    /// The colors of a theme. The depth must be more than 16 colors.
    case theme(ThemePalette, ColorDepth)

    /// Returns the SGR parameters of a style; `nil` for ordinary text.
    func code(_ style: Style) -> String? {
        switch self {
        case .terminal: Self.standardCode(style)
        case .terminalWithRoutes(let depth): Self.routeCode(style, depth) ?? Self.standardCode(style)
        case .theme(let palette, let depth): Self.code(style, palette, depth)
        }
    }

    private static func standardCode(_ style: Style) -> String? {
        switch style {
        case .normal, .early: nil
        case .strong, .heading, .accent, .route: "1"
        case .faint, .scheduled, .info: "2"
        case .good, .live: "32"
        case .caution, .aging, .late: "33"
        case .bad, .canceled: "31"
        case .struck: "9;2"
        case .swatch(let color, let depth): depth.foreground(color)
        }
    }

    /// Returns the SGR parameters of a route with colors of its own.
    private static func routeCode(_ style: Style, _ depth: ColorDepth) -> String? {
        guard case .route(let colors?) = style else { return nil }
        let (background, text) = colors.legible(depth)
        return "1;\(depth.background(background));\(depth.foreground(text))"
    }

    private static func code(_ style: Style, _ palette: ThemePalette, _ depth: ColorDepth) -> String? {
        switch style {
        case .normal: return nil
        case .strong: return "1"
        case .heading: return "1;" + depth.foreground(palette.heading)
        case .accent: return "1;" + depth.foreground(palette.accent)
        case .route: return routeCode(style, depth) ?? "1;" + depth.foreground(palette.accent)
        case .faint: return depth.foreground(palette.dim)
        case .scheduled: return depth.foreground(palette.scheduled)
        case .info: return depth.foreground(palette.info)
        case .good, .live: return depth.foreground(palette.live)
        case .caution: return depth.foreground(palette.warning)
        case .aging: return depth.foreground(palette.aging)
        case .late: return depth.foreground(palette.late)
        case .early: return depth.foreground(palette.early)
        case .bad: return depth.foreground(palette.severe)
        case .canceled: return depth.foreground(palette.canceled)
        case .struck: return "9;" + depth.foreground(palette.dim)
        case .swatch(let color, let depth): return depth.foreground(color)
        }
    }

    /// The SGR parameters of ordinary text on the theme's own background; `nil` for the terminal's own colors.
    var backgroundCode: String? {
        guard case .theme(let palette, let depth) = self else { return nil }
        return depth.background(palette.background) + ";" + depth.foreground(palette.text)
    }
}
