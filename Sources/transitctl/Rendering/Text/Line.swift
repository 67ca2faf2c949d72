/// The style of a piece of text. Styles never carry information that is missing from the text.
enum Style: Equatable {
    case normal
    /// The main subject.
    case strong
    /// Less important than its surroundings.
    case faint
    case good
    case caution
    case bad
    /// No longer valid.
    case struck
    /// The title of a page.
    case heading
    /// What to look at first, such as the time to leave.
    case accent
    /// The name of a route, which has the colors of the route if they are known.
    case route(RouteColors?)
    /// The source or age of a time: a current prediction, an old or uncertain one, the timetable.
    case live, aging, scheduled
    case late, early
    /// A departure that is canceled or does not stop.
    case canceled
    /// An alert of severity `info`; others are ``bad`` and ``caution``.
    case info
    /// A sample of a color.
    case swatch(RGB, ColorDepth)

    /// Whether a short text of this style is read as one word, such as "Bus 24" or "+2 min late".
    var keepsPhrase: Bool {
        switch self {
        case .route, .late, .early, .accent: true
        default: false
        }
    }
}

/// A line of styled text without escape sequences.
struct Line: Equatable {
    struct Span: Equatable {
        let text: String
        let style: Style
    }

    private(set) var spans: [Span] = []

    init() {}
    /// Creates a line from text, which ``SafeText`` sanitizes.
    init(_ text: String, _ style: Style = .normal) { append(text, style) }

    /// Joins lines with commas: "one, two, three".
    init(joining pieces: [Line]) {
        for (position, piece) in pieces.enumerated() {
            if position > 0 { append(", ") }
            append(piece)
        }
    }

    var isEmpty: Bool { spans.isEmpty }
    var width: Int { spans.reduce(0) { $0 + DisplayWidth.of($1.text) } }
    /// The text without styles.
    var text: String { spans.map(\.text).joined() }

    mutating func append(_ text: String, _ style: Style = .normal) {
        guard !text.isEmpty else { return }
        append(Span(text: SafeText.clean(text), style: style))
    }

    mutating func append(_ line: Line) { for span in line.spans { append(span) } }

    /// Appends a span, or extends the last one if it has the same style.
    private mutating func append(_ span: Span) {
        if let last = spans.last, last.style == span.style {
            spans[spans.count - 1] = Span(text: last.text + span.text, style: span.style)
        } else {
            spans.append(span)
        }
    }

    static func + (left: Line, right: Line) -> Line {
        var sum = left
        sum.append(right)
        return sum
    }

    /// Returns the line, truncated to `width` columns.
    func cut(to width: Int) -> Line {
        guard self.width > width else { return self }
        var line = Line()
        var left = max(1, width)
        for span in spans where left > 0 {
            let text = DisplayWidth.cut(span.text, to: left)
            line.spans.append(Span(text: text, style: span.style))
            left = text == span.text ? left - DisplayWidth.of(text) : 0
        }
        return line
    }
}

extension Line {
    /// Wraps the line into parts of at most `width` columns; parts after the first are two columns narrower. Longer words
    /// are not split, and neither are short phrases such as "+2 min late" (``Style/keepsPhrase``).
    func broken(to width: Int) -> [Line] {
        guard self.width > width else { return [self] }
        var parts = [Line()]
        for word in words {
            let limit = parts.count == 1 ? width : width - 2
            let isFirst = parts[parts.count - 1].isEmpty
            if !isFirst, parts[parts.count - 1].width + word.blanks.width + word.text.width > limit {
                parts.append(word.text)
            } else {
                parts[parts.count - 1].append(isFirst && parts.count > 1 ? word.text : word.blanks + word.text)
            }
        }
        return parts
    }

    /// The maximum width in columns of a phrase that is not split.
    private static let maximumPhrase = 16

    /// A word, which may have several styles, and the spaces before it.
    private struct Word {
        var blanks = Line()
        var text = Line()
    }

    private var words: [Word] {
        var words = [Word()]
        for span in spans {
            let isPhrase = span.style.keepsPhrase && DisplayWidth.of(span.text) <= Self.maximumPhrase
            for (isBlank, text) in isPhrase ? [(false, span.text)] : Self.runs(span.text) {
                if isBlank, !words[words.count - 1].text.isEmpty { words.append(Word()) }
                if isBlank {
                    words[words.count - 1].blanks.append(text, span.style)
                } else {
                    words[words.count - 1].text.append(text, span.style)
                }
            }
        }
        return words
    }

    /// Splits text into runs of spaces and runs of other characters.
    private static func runs(_ text: String) -> [(isBlank: Bool, text: String)] {
        var runs: [(isBlank: Bool, text: String)] = []
        for character in text {
            let isBlank = character == " "
            if runs.last?.isBlank != isBlank { runs.append((isBlank, "")) }
            runs[runs.count - 1].text.append(character)
        }
        return runs
    }
}
