internal import TransitControl
internal import TransitModel

extension View where Result == BudgetResult {
    /// The use of the sources' request limits.
    static let budget = View(page: page, rows: rows)

    /// Rows for scripts, one per limit: key, requests, seconds, used, remaining, forecast, time of the next request.
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
        if result.keys.isEmpty { page.line("No source has a request limit.") }
        for key in result.keys {
            page.blank()
            // The daemon labels a key with its feeds; they are not repeated.
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
    /// Returns a line such as "23 of 60 requests used in 1 hour, 37 left, 58 expected at the end".
    fileprivate func line(from now: Timestamp) -> Line {
        let window = kind == .calendarDay ? "today" : "in \(DurationText.of(seconds: seconds))"
        var line = Line("\(spent) of \(requests) requests used \(window), ")
        line.append("\(left) left", left == 0 ? .bad : left * 5 < requests ? .caution : .good)
        line.append(", \(forecast) expected at the end", forecast > requests ? .caution : .normal)
        if let nextFree { line.append(", next available at \(nextFree.words(from: now))", .caution) }
        return line
    }
}

extension BudgetSpending {
    /// The dataset with its requests, such as "caltrain trip updates: 20 in the background".
    fileprivate var words: String {
        let reason: String
        switch priority {
        case .user: reason = " for waiting clients"
        case .commute: reason = " for commutes and subscriptions"
        case .background: reason = " in the background"
        case .other: reason = ""
        }
        return "\(feed) \(dataset.words): \(spent)\(reason)"
    }
}
