internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// The status bars that the program writes lines for.
enum BarKind: String, CaseIterable {
    case waybar
    case i3blocks
    case polybar
    case tmux
}

/// The argument of `--format`: a bar, a template, or both.
struct BarFormat: Equatable {
    /// `nil` for a bar that reads plain lines.
    let bar: BarKind?
    /// `nil` for the text of ``BarContent``.
    let template: BarTemplate?
    /// Whether the lines for bars without a style sheet have colors.
    var hasColor = true

    /// Parses `waybar`, `{route} {leave_in:minutes}` or `tmux:{route}`.
    ///
    /// - Throws: A ``ClientError/usage(_:)``.
    init(_ text: String) throws(ClientError) {
        if let bar = BarKind(rawValue: text) {
            (self.bar, template) = (bar, nil)
            return
        }
        if let colon = text.firstIndex(of: ":"), let bar = BarKind(rawValue: String(text[..<colon])) {
            (self.bar, template) = (bar, try BarTemplate(String(text[text.index(after: colon)...])))
            return
        }
        guard text.contains("{") else {
            let near = Spelling.closest(to: text, among: BarKind.allCases.map(\.rawValue))
            let names = BarKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage(
                "--format: \"\(text)\" is neither a bar nor a template"
                    + (near.map { "; did you mean \($0)?" } ?? "")
                    + "\nthe bars are \(names); a template has fields, such as '{route} {leave_in:minutes}'")
        }
        (bar, template) = (nil, try BarTemplate(text))
    }

    /// The maximum length of a line in bytes. A pipe accepts it whole (pipe(7), PIPE_BUF).
    static let maximumLength = 4096

    /// Returns the line to print without its line feed, and the time in milliseconds since 1970 at which it changes;
    /// `nil` for never.
    func line(_ state: BarState, _ now: BarTime) -> (line: [UInt8], nextChange: Int64?) {
        var clock = BarClock(now: state.daemonTime(now))
        let content = BarContent(state, now, &clock)
        let text = text(content, state, now, &clock)
        var line = Array(written(text, content).utf8)
        if line.count >= Self.maximumLength {
            var short = content
            short.tooltip = []
            line = Array(written(text, short).utf8)
        }
        if line.count >= Self.maximumLength {
            line = Array(written(escaped(content.short), content, isBrief: true).utf8)
        }
        return (line, clock.nextChange)
    }

    /// The text with the markup of the bar.
    private func text(_ content: BarContent, _ state: BarState, _ now: BarTime, _ clock: inout BarClock) -> String {
        guard let template, let departure = content.departure else { return escaped(content.line) }
        let values = BarValues(departure: departure, content: content, state: state, now: now)
        let text = template.pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .field(let field, let modifier): escaped(values.text(field, modifier, &clock))
            }
        }.joined()
        return template.hasNote || content.note.isEmpty ? text : text + " (\(escaped(content.note)))"
    }

    private func escaped(_ text: String) -> String { BarMarkup.escaped(SafeText.clean(text), for: bar) }

    /// Returns the line of the bar.
    ///
    /// - Parameters:
    ///   - text: The text with markup.
    ///   - isBrief: Whether only the text is written.
    private func written(_ text: String, _ content: BarContent, isBrief: Bool = false) -> String {
        let color = hasColor ? BarMarkup.color(of: content.classes) : nil
        switch bar {
        case nil: return text
        case .tmux: return color.map { "#[fg=\($0.name)]\(text)#[default]" } ?? text
        case .polybar: return color.map { "%{F\($0.hexadecimal)}\(text)%{F-}" } ?? text
        case .waybar:
            let tooltip = isBrief ? "" : content.tooltip.map(escaped).joined(separator: "\n")
            return Self.json([
                ("text", .string(text)), ("tooltip", .string(tooltip)),
                ("class", .array(content.classes.map { .string($0.rawValue) })),
            ])
        case .i3blocks:
            var members: [(String, JSONValue)] = [("full_text", .string(text))]
            if template == nil { members.append(("short_text", .string(escaped(content.short)))) }
            if let color { members.append(("color", .string(color.hexadecimal))) }
            return Self.json(members + [("markup", "pango")])
        }
    }

    private static func json(_ members: [(String, JSONValue)]) -> String {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        return String(decoding: JSONValue.object(object).encoded, as: UTF8.self)
    }
}

/// The markup of the bars.
enum BarMarkup {
    /// A color as bars name it.
    struct Color: Equatable {
        var name: String
        var hexadecimal: String
    }

    /// The color of a text; `nil` for the bar's own color.
    static func color(of classes: [BarClass]) -> Color? {
        if classes.contains(.canceled) || classes.contains(.missed) {
            return Color(name: "red", hexadecimal: "#E05561")
        }
        if classes.contains(.offline) || classes.contains(.stale) {
            return Color(name: "brightblack", hexadecimal: "#8A8F98")
        }
        if classes.contains(.late) || classes.contains(.tight) { return Color(name: "yellow", hexadecimal: "#D19A2E") }
        return nil
    }

    /// Returns text that a bar shows as it is. Names come from feeds, whose publishers must not change the bar.
    ///
    /// - Parameter bar: The bar; `nil` for one without markup.
    static func escaped(_ text: String, for bar: BarKind?) -> String {
        switch bar {
        case nil: text
        // Pango markup is XML.
        case .waybar, .i3blocks: replaced(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
        // tmux(1), FORMATS and STYLES. tmux replaces no time formats, such as %H, in the output of a program.
        case .tmux: replaced(text, ["#": "##"])
        // polybar has no escape for the beginning of a tag.
        case .polybar: separated(text)
        }
    }

    private static func replaced(_ text: String, _ replacements: [Character: String]) -> String {
        text.reduce(into: "") { result, character in
            if let replacement = replacements[character] { result += replacement } else { result.append(character) }
        }
    }

    private static func separated(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if character == "{", result.last == "%" { result.append(" ") }
            result.append(character)
        }
    }
}
