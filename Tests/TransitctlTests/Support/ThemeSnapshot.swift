import Testing

@testable import transitctl

/// Compares the renderings of a view in two themes with a snapshot in `Snapshots/Themes/`: at 40 and 120 columns, with
/// readable names for escape sequences, and the rows for scripts.
func expectThemes<Result>(
    _ view: View<Result>, _ result: Result, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let themes: [(String, Coloring)] = [
        ("vintage on dark, true color", .theme(.vintageDark, .trueColor)),
        ("ocean on light, 256 colors", .theme(.oceanLight, .indexed)),
    ]
    var text = ""
    for (title, coloring) in themes {
        for width in [40, 120] {
            let painter = Painter(canvas: Canvas(width: width, coloring: coloring))
            var notices = Page()
            for notice in view.notices(result) { notices.line(notice) }
            let painted = painter.paint(view.page(result)) + painter.paint(notices)
            text += "=== \(title), \(width) columns\n\(ReadableEscapes.text(painted))"
            // Colors add nothing to the text, and remove nothing.
            let colorless = Painter(canvas: Canvas(width: width))
            #expect(
                ReadableEscapes.removed(painted) == colorless.paint(view.page(result)) + colorless.paint(notices),
                sourceLocation: sourceLocation)
        }
    }
    text += "=== plain\n" + PlainRows.text(view.rows(result))
    try expectSnapshot(text, "Themes/\(name)", sourceLocation: sourceLocation)
}

/// Replaces escape sequences for colors by names, such as `{bold #F2D9A0}` and `{/}`.
enum ReadableEscapes {
    static func text(_ text: String) -> String {
        var readable = ""
        for (number, part) in text.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated() {
            guard number > 0, let end = part.firstIndex(of: "m") else {
                readable += part
                continue
            }
            let parameters = part[..<end].split(separator: ";").compactMap { Int($0) }
            readable += "{" + names(parameters).joined(separator: " ") + "}" + part[part.index(after: end)...]
        }
        return readable
    }

    /// Removes escape sequences for colors.
    static func removed(_ text: String) -> String {
        text.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated().map { number, part in
            guard number > 0, let end = part.firstIndex(of: "m") else { return part }
            return part[part.index(after: end)...]
        }.joined()
    }

    private static func names(_ parameters: [Int]) -> [String] {
        var names: [String] = []
        var rest = parameters[...]
        while let parameter = rest.popFirst() {
            switch parameter {
            case 0: names.append("/")
            case 1: names.append("bold")
            case 2: names.append("faint")
            case 9: names.append("struck")
            case 31: names.append("red")
            case 32: names.append("green")
            case 33: names.append("yellow")
            case 38, 48:
                let color =
                    rest.popFirst() == 5
                    ? "color \(rest.removeFirst())"
                    : RGB(rest.prefix(3).reduce(0) { $0 << 8 | UInt32($1) }).hex
                if color.hasPrefix("#") { rest = rest.dropFirst(3) }
                names.append(parameter == 38 ? color : "on \(color)")
            default: names.append("?\(parameter)")
            }
        }
        return names
    }
}
