internal import TransitControl
internal import TransitModel

extension View where Result == ExplainResult {
    /// The departure and the facts that explain its time.
    static let explain = View(
        page: { result in
            var page = Page()
            page.line(result.departure.line(from: result.at))
            let width = result.facts.map { Line($0.words).width }.max() ?? 0
            for fact in result.facts {
                // Facts are lines rather than rows of a table, so that long facts wrap.
                let gap = String(repeating: " ", count: width - Line(fact.words).width + 2)
                page.line(
                    Line(fact.words + gap, .faint) + Line(fact.value)
                        + Line(fact.source.map { "  (\($0))" } ?? "", .faint), indent: 2)
            }
            return page
        }, rows: { $0.facts.map { [$0.fact, $0.value, $0.source ?? ""] } })
}

extension ExplainedFact {
    fileprivate var words: String { fact.replacing("_", with: " ").replacing(".", with: " ") }
}
