internal import TransitControl
internal import TransitModel
internal import TransitWire

/// The themes and the one in use.
struct ThemeListing: Sendable {
    let appearance: Appearance

    init(_ appearance: Appearance) { self.appearance = appearance }

    /// The result of `theme list --json`.
    var json: JSONValue {
        var object: JSONObject = [
            "theme": .string(appearance.theme.rawValue), "chosen_by": .string(appearance.themeOrigin.rawValue),
            "background": appearance.background.map { .string($0.rawValue) } ?? .null,
            "background_from": .string(appearance.backgroundOrigin.rawValue),
            "colors": .string(appearance.depth.rawValue),
        ]
        object["problem"] = appearance.problem.map { .string($0) } ?? .null
        object["themes"] = .array(
            ThemeName.allCases.map { name in
                var theme: JSONObject = [
                    "name": .string(name.rawValue), "description": .string(name.summary),
                    "in_use": .bool(name == appearance.theme),
                ]
                for background in Background.allCases {
                    theme[background.rawValue] = name.palette(on: background).map(Self.json) ?? .null
                }
                return .object(theme)
            })
        return .object(object)
    }

    private static func json(_ palette: ThemePalette) -> JSONValue {
        var object: JSONObject = ["background": .string(palette.background.hex)]
        for role in palette.roles { object[role.name] = .string(role.color.hex) }
        return .object(object)
    }
}

extension View where Result == ThemeListing {
    /// The themes, with samples of their colors where the terminal can show them.
    static let themes = View(page: page, rows: rows)

    /// Rows for scripts: name, "in use" or empty, description.
    private static func rows(_ listing: ThemeListing) -> [[String]] {
        ThemeName.allCases.map { [$0.rawValue, $0 == listing.appearance.theme ? "in use" : "", $0.summary] }
    }

    private static func page(_ page: inout Page, _ listing: ThemeListing) {
        let appearance = listing.appearance
        var table = Table(Array(repeating: "", count: 4), showsTitles: false)
        for name in ThemeName.allCases {
            let isInUse = name == appearance.theme
            table.add([
                Line(name.rawValue, isInUse ? .accent : .normal), samples(of: name, appearance), Line(name.summary),
                isInUse ? Line("in use", .good) : Line(),
            ])
        }
        page.table(table)
        page.blank()
        page.line(appearance.themeSentence)
        page.line(appearance.colorSentence)
    }

    /// Returns circles in the main colors of a theme.
    private static func samples(of name: ThemeName, _ appearance: Appearance) -> Line {
        guard appearance.depth != .sixteen, let background = appearance.background,
            let palette = name.palette(on: background)
        else { return Line() }
        var line = Line()
        for color in [palette.heading, palette.accent, palette.live, palette.late, palette.canceled] {
            line.append("●", .swatch(color, appearance.depth))
        }
        return line
    }
}

extension Appearance {
    /// Why the theme is in use, such as "vintage is in use because it is the default."
    var themeSentence: String {
        switch themeOrigin {
        case .option: "\(theme.rawValue) is in use because of --theme."
        case .environment: "\(theme.rawValue) is in use because of TRANSITCTL_THEME."
        case .remembered: "\(theme.rawValue) is in use because you chose it with \"theme use\"."
        case .standard: "\(theme.rawValue) is in use because it is the default."
        }
    }

    /// Which of its colors are used, such as "This terminal has true color and a dark background, according to COLORFGBG."
    var colorSentence: String { colorSentence(hasAsked: false) }

    /// - Parameter hasAsked: Whether `theme use` has just asked the terminal for its background.
    func colorSentence(hasAsked: Bool) -> String {
        guard depth != .sixteen else {
            return "This terminal has 16 colors, so its own palette is used with all themes. "
                + "TERM=xterm-256color or COLORTERM=truecolor would enable more."
        }
        guard theme != .terminal else { return "The terminal's own palette is used." }
        guard let background else {
            return
                "This terminal has \(depth.words), but its background is unknown, so its own palette is used, except for "
                + "routes. To use the colors of the theme: transitctl theme use \(theme.rawValue)"
                + (hasAsked ? " --background dark (or light)" : "")
        }
        let origin =
            switch backgroundOrigin {
            case .choice: "as requested"
            case .remembered: "as you chose"
            case .colorFGBG: "according to COLORFGBG"
            case .terminal, .unknown: "as it reported"
            }
        return "This terminal has \(depth.words) and a \(background.rawValue) background, \(origin)."
    }
}

/// The outcome of `theme use`.
enum ThemeUseText {
    /// - Parameter reported: The color of the background that the terminal reported just now.
    static func page(_ theme: ThemeName, _ appearance: Appearance, _ reported: RGB?) -> Page {
        var page = Page()
        page.line(Line("Using ") + Line(theme.rawValue, .accent) + Line("."))
        page.line(appearance.colorSentence(hasAsked: true))
        if appearance.themeOrigin == .environment {
            page.line("TRANSITCTL_THEME is set and takes precedence: \(appearance.theme.rawValue) is in use.", .caution)
        }
        if let reported, case .theme(let palette, _) = appearance.coloring {
            let contrast = palette.lowestContrast(on: reported)
            if contrast < RouteColors.minimumContrast {
                let tenths = Int(contrast * 10)
                page.line(
                    "On its background \(reported.hex), the contrast of some colors is only \(tenths / 10).\(tenths % 10):1. "
                        + "It is at least 7:1 on \(palette.background.hex).", .caution)
            }
        }
        return page
    }
}

/// A board with fixed sample data, in which most roles of a theme occur.
enum ThemeSample {
    /// The sample. The page does not change with time.
    static var page: Page {
        let now = time(8, 5)
        let stop = StopSummary(
            feed: "city", id: "mill", name: "Mill Lane", kind: .station, wheelchair: .unknown)
        var page = Page()
        page.append(
            View.departures.page(DeparturesResult(at: now, stop: stop, departures: departures(of: stop))))
        page.blank()
        page.line(Line("leave by 08:09", .accent) + Line(", walk 4 min"))
        page.line(Line("severe: ", .bad) + Line("Mill Lane is closed", .strong))
        page.line(Line("warning: ", .caution) + Line("Delays on Tram 2", .strong))
        page.line(Line("info: ", .info) + Line("New timetable on Sunday", .strong))
        page.line(Line("note: ", .caution) + Line("The timetable was last confirmed 3 days ago."))
        return page
    }

    private static func time(_ hour: Int64, _ minute: Int64) -> Timestamp {
        Timestamp(Instant(secondsSince1970: 1_774_656_000 + hour * 3600 + minute * 60))
    }

    private static func departures(of stop: StopSummary) -> [Departure] {
        let bus = RouteSummary(id: "24", shortName: "24", type: 3, color: "E31837", textColor: "FFFFFF")
        let tram = RouteSummary(id: "2", shortName: "2", type: 0, color: "7FC31C", textColor: "FFFFFF")
        let train = RouteSummary(id: "L1", shortName: "L1", type: 2)
        var late = departure(bus, stop, time(8, 12), .live)
        (late.expected, late.delay) = (time(8, 15), 180)
        var aging = departure(tram, stop, time(8, 18), .live)
        (aging.realtimeState, aging.age) = (.aging, 150)
        var early = departure(bus, stop, time(8, 21), .live)
        (early.expected, early.delay) = (time(8, 20), -60)
        var canceled = departure(train, stop, time(8, 24), .live)
        canceled.status = .canceled
        return [late, aging, early, departure(train, stop, time(8, 22), .scheduled), canceled]
    }

    private static func departure(
        _ route: RouteSummary, _ stop: StopSummary, _ time: Timestamp, _ source: DepartureSource
    ) -> Departure {
        Departure(
            id: "", feed: stop.feed, trip: "", serviceDate: time.date, route: route,
            stop: CallStop(id: stop.id, name: stop.name), scheduled: time, status: .scheduled, source: source,
            confidence: .high, isApproximate: false, pickup: .regular, wheelchair: .unknown, bikes: .unknown)
    }
}

/// The output of `theme preview`.
enum ThemePreview {
    /// The minimum width of the terminal in columns for samples side by side.
    private static let wideTerminal = 100
    private static let gap = 2

    /// Returns the sample on a dark and a light background, side by side if there is room. ``ThemeName/terminal`` is
    /// shown once.
    static func text(_ name: ThemeName, _ appearance: Appearance, width: Int) -> String {
        let title = Line(name.rawValue, .strong) + Line(", \(name.summary)")
        var page = Page()
        page.line(title)
        guard appearance.depth != .sixteen, name != .terminal else {
            page.append(ThemeSample.page)
            return Painter(canvas: Canvas(width: width, color: true)).paint(page)
        }
        let isWide = width >= wideTerminal
        let columns = isWide ? (width - gap) / 2 : min(width, 80)
        let blocks = Background.allCases.compactMap { background in
            name.palette(on: background).map { block(background, $0, appearance, columns) }
        }
        let title16 = Painter(canvas: Canvas(width: width, color: true)).paint(page)
        guard isWide, blocks.count == 2 else { return title16 + blocks.flatMap(\.self).map { $0 + "\n" }.joined() }
        let separator = String(repeating: " ", count: gap)
        return title16 + zip(blocks[0], blocks[1]).map { $0 + separator + $1 + "\n" }.joined()
    }

    /// Returns the painted lines of a sample, all of the same width.
    private static func block(
        _ background: Background, _ palette: ThemePalette, _ appearance: Appearance, _ columns: Int
    ) -> [String] {
        let isYours = background == appearance.background
        var page = Page()
        page.line("on a \(background.rawValue) background" + (isYours ? ", like that of this terminal" : ""), .faint)
        page.blank()
        page.append(ThemeSample.page)
        let canvas = Canvas(width: columns, coloring: .theme(palette, appearance.depth), paintsBackground: true)
        return Painter(canvas: canvas).paint(page).split(separator: "\n").map(String.init)
    }
}
