internal import TransitControl
internal import TransitModel

extension View where Result == BudgetResult {
    /// What is left of the sources' limits.
    static let budget = View(page: page, rows: rows)

    /// For scripts, a row per limit: key, requests, seconds, spent, left, forecast, when one more may be made.
    private static func rows(_ result: BudgetResult) -> [[String]] {
        result.keys.flatMap { key in
            key.windows.map {
                [
                    key.key, String($0.requests), String($0.seconds), String($0.spent), String($0.left),
                    String($0.forecast), $0.nextFree.rfc3339,
                ]
            }
        }
    }

    private static func page(_ result: BudgetResult) -> Page {
        var page = Page()
        if result.keys.isEmpty { page.line("No source has a limit.") }
        for key in result.keys {
            page.blank()
            // The daemon names a key by its feeds, which need not be said twice.
            let isNamedByFeeds = key.key == key.feeds.map(\.rawValue).joined(separator: "+")
            let feeds = isNamedByFeeds ? "" : key.feeds.map(\.rawValue).joined(separator: ", ")
            page.line(Line(key.key, .strong) + Line(feeds.isEmpty ? "" : "  \(feeds)", .faint))
            for window in key.windows { page.line(window.line(from: result.at), indent: 2) }
            for spending in key.spending { page.line(spending.words, .faint, indent: 4) }
        }
        return page
    }
}

extension WindowStatus {
    /// "23 of 60 in an hour spent, 37 left, 58 expected".
    fileprivate func line(from now: Timestamp) -> Line {
        let length = kind == .calendarDay ? "a day" : DurationText.of(seconds: seconds)
        var line = Line("\(spent) of \(requests) in \(length) spent, ")
        line.append("\(left) left", left == 0 ? .bad : left * 5 < requests ? .caution : .good)
        line.append(", \(forecast) expected at the end", forecast > requests ? .caution : .normal)
        if let nextFree { line.append(", the next at \(nextFree.words(from: now))", .caution) }
        return line
    }
}

extension BudgetSpending {
    /// "caltrain trip updates: 20, in the background".
    fileprivate var words: String {
        let whom: String
        switch priority {
        case .user: whom = ", for somebody who waited"
        case .commute: whom = ", for a commute or somebody who watched"
        case .background: whom = ", in the background"
        case .other: whom = ""
        }
        return "\(feed) \(dataset.words): \(spent)\(whom)"
    }
}
