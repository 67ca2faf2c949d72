/// The names of the themes.
enum ThemeName: String, CaseIterable {
    case vintage, modern, dark, ocean, sunset
    /// The terminal's own 16 colors, whatever the terminal supports.
    case terminal

    static let standard = ThemeName.vintage

    /// A description for `theme list`.
    var summary: String {
        switch self {
        case .vintage: "muted red-brown with cream accents"
        case .modern: "bright blue with green accents"
        case .dark: "light gray with purple accents"
        case .ocean: "deep ocean blue with teal accents"
        case .sunset: "coral orange with golden yellow accents"
        case .terminal: "the terminal's own 16 colors"
        }
    }

    /// Returns the colors for a background; `nil` for the terminal's own colors.
    func palette(on background: Background) -> ThemePalette? {
        switch (self, background) {
        case (.vintage, .dark): .vintageDark
        case (.vintage, .light): .vintageLight
        case (.modern, .dark): .modernDark
        case (.modern, .light): .modernLight
        case (.dark, .dark): .darkDark
        case (.dark, .light): .darkLight
        case (.ocean, .dark): .oceanDark
        case (.ocean, .light): .oceanLight
        case (.sunset, .dark): .sunsetDark
        case (.sunset, .light): .sunsetLight
        case (.terminal, _): nil
        }
    }
}

/// The kind of background that a terminal has.
enum Background: String, CaseIterable {
    case dark, light

    /// Returns the kind of a color. The limit is the luminance on which black and white text have the same contrast.
    init(of color: RGB) {
        self = color.contrast(with: .white) >= color.contrast(with: .black) ? .dark : .light
    }
}

/// The colors of a theme for one kind of background, by role.
///
/// Each color and the nearest of the 256 colors have a contrast of at least 7:1 (WCAG 2.2, 1.4.6) with the stated
/// background, and therefore also with darker backgrounds in a dark palette and lighter ones in a light palette.
struct ThemePalette: Equatable {
    /// The background for which the colors were chosen. It is painted only by `theme preview`.
    var background: RGB
    /// Ordinary text. It is painted only by `theme preview`; otherwise, the terminal's own color is used.
    var text: RGB
    /// Less important text.
    var dim: RGB
    /// Titles.
    var heading: RGB
    /// What to look at first, and routes without a color of their own.
    var accent: RGB
    /// Current predictions, and success.
    var live: RGB
    /// Predictions that are old or uncertain.
    var aging: RGB
    /// Times of the timetable.
    var scheduled: RGB
    var late: RGB
    var early: RGB
    /// Departures that are canceled or do not stop.
    var canceled: RGB
    /// Severe alerts, and errors.
    var severe: RGB
    /// Alerts of severity `warning`, and whatever needs attention.
    var warning: RGB
    /// Alerts of severity `info`.
    var info: RGB

    /// The colors of text with the names of their roles, for `theme list --json` and for the test of the contrast.
    var roles: [(name: String, color: RGB)] {
        [
            ("text", text), ("dim", dim), ("heading", heading), ("accent", accent), ("live", live), ("aging", aging),
            ("scheduled", scheduled), ("late", late), ("early", early), ("canceled", canceled), ("severe", severe),
            ("warning", warning), ("info", info),
        ]
    }

    /// Returns the lowest contrast of the roles with a background.
    func lowestContrast(on background: RGB) -> Double {
        roles.map { $0.color.contrast(with: background) }.min() ?? 1
    }
}

extension ThemePalette {
    static let vintageDark = ThemePalette(
        background: 0x1E1714, text: 0xF3E6CF, dim: 0xBBA892, heading: 0xE3A18A, accent: 0xF2D9A0,
        live: 0xA9C48A, aging: 0xDDBB6A, scheduled: 0xC4B29C, late: 0xEFA35C, early: 0x9FC0CC, canceled: 0xEE9A86,
        severe: 0xF18F79, warning: 0xE6B450, info: 0xA6C3D0)
    static let vintageLight = ThemePalette(
        background: 0xFFFAF0, text: 0x2B1D16, dim: 0x57473B, heading: 0x7C2A1C, accent: 0x5E2E0A,
        live: 0x1E5518, aging: 0x5E2E00, scheduled: 0x54483A, late: 0x7F2F00, early: 0x1A4A5C, canceled: 0xA80E10,
        severe: 0xA00C0C, warning: 0x642F00, info: 0x1A4A5C)
    static let modernDark = ThemePalette(
        background: 0x10151F, text: 0xE8EEF7, dim: 0xA3B1C6, heading: 0x6CB6FF, accent: 0x5FE3A1,
        live: 0x4FDD8F, aging: 0xFFD24D, scheduled: 0xA9B7CC, late: 0xFFA94D, early: 0x7FD4FF, canceled: 0xFF8F8F,
        severe: 0xFF8585, warning: 0xFFC93D, info: 0x86C5FF)
    static let modernLight = ThemePalette(
        background: 0xFFFFFF, text: 0x101828, dim: 0x435063, heading: 0x002FA0, accent: 0x05603A,
        live: 0x0A5A1A, aging: 0x5E2F00, scheduled: 0x475160, late: 0x8A2F00, early: 0x004F70, canceled: 0xB0001A,
        severe: 0xA80020, warning: 0x6A2F00, info: 0x0B2FB4)
    static let darkDark = ThemePalette(
        background: 0x0E0E11, text: 0xD6D6DA, dim: 0xA1A1AB, heading: 0xE4E4EA, accent: 0xC7A6FF,
        live: 0x8FD19E, aging: 0xE2C770, scheduled: 0xA6A6B2, late: 0xF0A868, early: 0x9CC3F0, canceled: 0xFF8C8C,
        severe: 0xFF8080, warning: 0xF0C050, info: 0xB0B8FF)
    static let darkLight = ThemePalette(
        background: 0xFAFAFC, text: 0x1A1A1F, dim: 0x454550, heading: 0x2A2A33, accent: 0x5A2CA8,
        live: 0x14561E, aging: 0x5C2F00, scheduled: 0x454551, late: 0x7C2F00, early: 0x0A2F8A, canceled: 0xA00818,
        severe: 0x99101C, warning: 0x622F00, info: 0x2E2F8D)
    static let oceanDark = ThemePalette(
        background: 0x06202E, text: 0xDCEFF5, dim: 0x93B5C6, heading: 0x7FC8FF, accent: 0x4FE0CF,
        live: 0x6FE0A0, aging: 0xF0D070, scheduled: 0x9DBCCB, late: 0xFFB26B, early: 0x9AD6FF, canceled: 0xFF9C92,
        severe: 0xFF9488, warning: 0xF5CC55, info: 0x8FD3EA)
    static let oceanLight = ThemePalette(
        background: 0xF5FCFF, text: 0x072330, dim: 0x304F5C, heading: 0x0A2F78, accent: 0x00565A,
        live: 0x0C5620, aging: 0x5C2F00, scheduled: 0x344E59, late: 0x7C2F00, early: 0x0A2F86, canceled: 0xA01212,
        severe: 0x991212, warning: 0x622F00, info: 0x00505C)
    static let sunsetDark = ThemePalette(
        background: 0x24141F, text: 0xFBE7DC, dim: 0xC9A9B0, heading: 0xFF9E80, accent: 0xFFD166,
        live: 0xB5D67A, aging: 0xFFC857, scheduled: 0xCDAFB5, late: 0xFFB070, early: 0xC3B5FF, canceled: 0xFF8FA0,
        severe: 0xFF8A92, warning: 0xFFCB52, info: 0xD6B8F0)
    static let sunsetLight = ThemePalette(
        background: 0xFFF8F2, text: 0x2E1420, dim: 0x583D45, heading: 0x962A12, accent: 0x5E2F00,
        live: 0x20531A, aging: 0x602F00, scheduled: 0x563E46, late: 0x852F00, early: 0x462F8A, canceled: 0x981048,
        severe: 0x9C0C26, warning: 0x682F00, info: 0x5A2F84)
}
