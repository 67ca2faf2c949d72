internal import TransitControl
internal import TransitModel

extension View where Result == FeedListResult {
    /// The status of the feeds.
    static let feedList = View(
        page: { result in
            var page = Page()
            page.table(FeedTable.of(result.feeds, at: result.at))
            for feed in result.feeds { page.addFailure(of: feed, from: result.at) }
            for feed in result.feeds { page.addTerms(of: feed) }
            if result.feeds.isEmpty { page.line("No feeds: the configuration has no [[feed]].") }
            return page
        }, rows: { $0.feeds.map(\.row) })
}

/// The table of feeds.
enum FeedTable {
    static func of(_ feeds: [FeedStatus], at now: Timestamp, indent: Int = 0) -> Table {
        var table = Table(
            [
                .init(title: "feed"), .init(title: "state"), .init(title: "version", alignment: .trailing),
                .init(title: "service until"), .init(title: "confirmed", shrinks: true),
                .init(title: "next update", shrinks: true),
                .init(title: "size", alignment: .trailing),
            ], indent: indent)
        for feed in feeds {
            table.add([
                Line(feed.id.rawValue, .strong), feed.stateLine, Line(feed.version.map(String.init) ?? ""),
                feed.lastDateLine, Line(feed.age.map { AgeText.of($0) } ?? ""),
                Line(feed.nextAttempt?.words(from: now) ?? ""), Line(feed.bytes.map(CountText.bytes) ?? ""),
            ])
        }
        return table
    }
}

extension Page {
    /// Appends the attribution and disclaimer that the provider's terms require.
    mutating func addTerms(of feed: FeedStatus) {
        for sentence in [feed.attribution, feed.disclaimer].compactMap({ $0 }) {
            line(Line("\(feed.id): ", .strong) + Line(sentence, .faint))
        }
    }

    /// Appends the reason why the last update failed, if it did.
    mutating func addFailure(of feed: FeedStatus, from now: Timestamp) {
        guard let attempt = feed.lastAttempt, [.refused, .failed].contains(attempt.outcome) else { return }
        line(
            Line("\(feed.id): ", .strong) + Line("update \(attempt.outcome.rawValue)", .bad)
                + Line(" \(attempt.at.words(from: now)): \(attempt.message)"))
    }
}

extension FeedStatus {
    fileprivate var stateLine: Line {
        if let progress { return Line(ProgressText.brief(progress), .caution) }
        switch state {
        case .ready: return Line("ready", .good)
        case .empty: return Line("no timetable yet", .caution)
        case .importing: return Line("importing", .caution)
        case .expired: return Line("expired", .bad)
        case .other: return Line("unknown", .faint)
        }
    }

    /// The last service date, such as "2026-04-30 (33 days)".
    fileprivate var lastDateLine: Line {
        guard let serviceDates else { return Line(version == nil ? "" : "no times", .faint) }
        guard let daysLeft else { return Line("\(serviceDates.last)") }
        if daysLeft < 0 { return Line("\(serviceDates.last) (\(CountText.of(-daysLeft, "day")) ago)", .bad) }
        return Line("\(serviceDates.last) (\(CountText.of(daysLeft, "day")))", daysLeft < 7 ? .caution : .normal)
    }

    /// The row for scripts: feed, state, version, first and last service date, age in seconds, last outcome, next update,
    /// bytes.
    var row: [String] {
        [
            id.rawValue, state.rawValue, version.map(String.init) ?? "", serviceDates.map { "\($0.first)" } ?? "",
            serviceDates.map { "\($0.last)" } ?? "", age.map(String.init) ?? "",
            lastAttempt?.outcome.rawValue ?? "", nextAttempt.rfc3339, bytes.map(String.init) ?? "",
        ]
    }
}

/// Formats ages.
enum AgeText {
    /// Returns "just now" or "3 hours ago".
    static func of(_ seconds: Int) -> String {
        guard seconds >= 60 else { return "just now" }
        // The minutes are omitted from ages of an hour or more.
        return DurationText.of(seconds: seconds < 3600 ? seconds : seconds / 3600 * 3600) + " ago"
    }
}
