internal import TransitControl
internal import TransitModel

extension View where Result == ExplainResult {
    /// The departure, and below it the chain from the source to its time.
    static let explain = View(
        page: { result in
            var page = Page()
            page.line(result.departure.line(from: result.at))
            var table = Table(
                [.init(title: "fact"), .init(title: "value"), .init(title: "source", shrinks: true)], indent: 2,
                showsTitles: false)
            for fact in result.facts {
                table.add([
                    Line(fact.words, .faint), Line(fact.value), Line(fact.source ?? "", .faint),
                ])
            }
            page.table(table)
            return page
        }, rows: { $0.facts.map { [$0.fact, $0.value, $0.source ?? ""] } })
}

extension ExplainedFact {
    fileprivate var words: String { fact.replacing("_", with: " ").replacing(".", with: " ") }
}
