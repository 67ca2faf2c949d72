internal import TransitControl

/// The presentation of a result: a page for people and rows of fields for scripts.
///
/// Both are pure functions of the result. Relative times are relative to the `at` of the result.
struct View<Result: Sendable>: Sendable {
    private let fill: @Sendable (inout Page, Result) -> Void
    let rows: @Sendable (Result) -> [[String]]
    /// The notices to print on standard error.
    private(set) var notices: @Sendable (Result) -> [Line] = { _ in [] }
    /// The page with numbered rows; `nil` if the rows have no numbers.
    private(set) var listed: (@Sendable (Result) -> ListedPage)?

    init(
        page: @escaping @Sendable (inout Page, Result) -> Void, rows: @escaping @Sendable (Result) -> [[String]]
    ) {
        self.fill = page
        self.rows = rows
    }

    init(page: @escaping @Sendable (inout Page, Result) -> Void, rows: @escaping @Sendable (Result) -> [[String]])
    where Result: HasNotices {
        self.fill = page
        self.rows = rows
        // The page itself shows that there is no service.
        notices = { result in
            result.notices.filter { $0.kind != .noService }.map { $0.line(from: result.at) }
        }
    }

    func page(_ result: Result) -> Page {
        var page = Page()
        fill(&page, result)
        return page
    }

    /// Returns the view with a page whose rows have numbers, for terminals.
    ///
    /// - Parameters:
    ///   - kind: What the rows stand for.
    ///   - count: Returns the number of rows.
    ///   - command: Returns the command that shows such a list.
    func numbered(
        _ kind: TerminalRows.Kind, count: @escaping @Sendable (Result) -> Int,
        command: @escaping @Sendable (Result) -> String
    ) -> View {
        var view = self
        view.listed = { [fill] result in
            var page = Page(numbers: RowNumbers(count: count(result)))
            fill(&page, result)
            return ListedPage(
                page: page, kind: kind, command: command(result), rows: page.numbers.rows,
                mentioned: page.numbers.mentioned)
        }
        return view
    }
}

extension View where Result: HasNotices {
    /// A view of a single sentence, which is also the only row, for commands that change something.
    static func sentence(_ words: @escaping @Sendable (Result) -> String) -> View {
        View(
            page: { page, result in
                page.line(words(result))
            },
            rows: { [[words($0)]] })
    }
}

/// Rows for scripts: fields separated by tabs, one row per line.
enum PlainRows {
    static func text(_ rows: [[String]]) -> String {
        // Sanitizing replaces tabs and line breaks within a field with spaces.
        rows.map { $0.map(SafeText.clean).joined(separator: "\t") + "\n" }.joined()
    }
}
