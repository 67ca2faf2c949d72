internal import TransitControl

extension View where Result == RecentListResult {
    /// The user's recent searches, newest first.
    static let recentList = View(
        page: { result in
            var page = Page()
            var table = Table([.init(title: "search", shrinks: true), .init(title: "kind"), .init(title: "when")])
            for search in result.searches {
                table.add([
                    Line(search.text, .strong), Line(search.kind == .other ? "" : search.kind.rawValue),
                    Line(search.at.words(from: result.at), .faint),
                ])
            }
            page.table(table)
            if result.searches.isEmpty { page.line("No recent searches.") }
            return page
        }, rows: { $0.searches.map { [$0.kind.rawValue, $0.text, $0.at.rfc3339] } })

    static let recentClear = View.sentence { _ in "Cleared your recent searches." }
}
