internal import TransitControl
internal import TransitModel

extension View where Result == RefreshResult {
    /// The outcome of a refresh, one line per dataset.
    static let refresh = View(page: page, rows: rows)

    /// Rows for scripts: feed, dataset, outcome, time of the next possible request, bytes, milliseconds, message.
    private static func rows(_ result: RefreshResult) -> [[String]] {
        result.datasets.map {
            [
                $0.feed.rawValue, $0.dataset.rawValue, $0.outcome.rawValue, $0.until.rfc3339,
                $0.bytes.map(String.init) ?? "", $0.latency.map(String.init) ?? "", $0.message,
            ]
        }
    }

    private static func page(_ page: inout Page, _ result: RefreshResult) {
        guard !result.datasets.isEmpty else {
            page.line("Nothing to refresh.")
            return
        }
        // The reason for a failure, in the last column, must not be truncated.
        page.table(["dataset", "outcome", .trailing("size"), .trailing("took"), ""], of: result.datasets) { dataset in
            [
                Line("\(dataset.feed) ", .strong) + Line(dataset.dataset.words), dataset.outcome.line,
                Line(dataset.bytes.map(CountText.bytes) ?? ""), Line(dataset.latency.map { "\($0) ms" } ?? ""),
                Line(dataset.remark(from: result.at)),
            ]
        }
    }
}

extension DatasetRefresh {
    fileprivate func remark(from now: Timestamp) -> String {
        message + (until.map { " Until \($0.words(from: now))." } ?? "")
    }
}

extension RefreshOutcome {
    fileprivate var line: Line {
        switch self {
        case .updated: Line("updated", .good)
        case .unchanged: Line("nothing new", .good)
        case .refused: Line("refused", .bad)
        case .failed: Line("failed", .bad)
        case .canceled: Line("canceled", .caution)
        case .fresh: Line("still fresh")
        case .cooldown: Line("requested just now")
        case .backoff: Line("backing off", .caution)
        case .budget: Line("limit reached", .caution)
        case .offline: Line("offline", .caution)
        case .other: Line("unknown", .faint)
        }
    }
}

extension DatasetName {
    /// The name as words, such as "trip updates".
    var words: String { rawValue.split(separator: "_").joined(separator: " ") }
}

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

    private static func page(_ page: inout Page, _ result: BudgetResult) {
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

extension Page {
    /// Appends a table of the datasets of all feeds, and their failures and notes.
    mutating func addDatasets(of feeds: [FeedStatus], at now: Timestamp) {
        var table = Table([
            "dataset", "state", "age", "last success", "next due", "outcome", .trailing("size"), .trailing("took"),
        ])
        for feed in feeds {
            for dataset in feed.datasets { table.add(dataset.cells(of: feed.id, at: now)) }
        }
        guard !table.rows.isEmpty else { return }
        blank()
        self.table(table)
        for feed in feeds {
            for dataset in feed.datasets { add(dataset, of: feed, at: now) }
            if let live = feed.realtime { line(Line("\(feed.id): ", .strong) + live.line) }
        }
    }

    private mutating func add(_ dataset: DatasetStatus, of feed: FeedStatus, at now: Timestamp) {
        let name = Line("\(feed.id) \(dataset.dataset.words): ", .strong)
        if let message = dataset.message, let outcome = dataset.outcome, [.failed, .refused].contains(outcome) {
            let count = dataset.failures > 1 ? " (\(dataset.failures) times)" : ""
            let time = dataset.lastAttempt.map { " \($0.words(from: now))" } ?? ""
            let again = dataset.nextDue.map { ", next attempt \($0.words(from: now))" } ?? ""
            // A refused response arrived, but was unreadable or unusable.
            let word = outcome == .refused ? "refused" : "failed"
            line(name + Line("\(word)\(time)\(count)\(again): ", .bad) + Line(message))
        } else if dataset.freshness == .empty {
            let due = dataset.nextDue.map { " Next attempt: \($0.words(from: now))." } ?? ""
            line(name + Line("missing: no data yet.\(due)", .caution))
        }
        for note in dataset.notes { line(name + Line(note, .caution)) }
        if !dataset.updates.isEmpty { line(name + Line("most recent updates", .faint)) }
        for update in dataset.updates { line(update.words(from: now), .faint, indent: 4) }
    }
}

extension DatasetStatus {
    fileprivate func cells(of feed: FeedID, at now: Timestamp) -> [Line] {
        [
            Line("\(feed) ", .strong) + Line(dataset.words), freshness.line, Line(age.map { AgeText.of($0) } ?? ""),
            Line(lastSuccess?.words(from: now) ?? "never"), Line(due(from: now)), Line(outcome?.rawValue ?? ""),
            Line(bytes.map(CountText.bytes) ?? ""), Line(latency.map { "\($0) ms" } ?? ""),
        ]
    }

    /// Returns the time and reason of the next fetch, such as "08:06 (retrying)".
    private func due(from now: Timestamp) -> String {
        let reason = dueReason.map { Self.words[$0] ?? $0.split(separator: "_").joined(separator: " ") }
        let isPlain = dueReason == nil || dueReason == "fresh" || dueReason == "due"
        guard let nextDue else { return reason ?? "" }
        return nextDue.words(from: now) + (isPlain ? "" : " (\(reason ?? ""))")
    }

    /// Phrases for reasons that need an explanation.
    private static let words = [
        "in_flight": "in progress", "circuit_open": "host failing", "retry_after": "rate limited by the source",
        "budget": "request budget", "spacing": "requested just now", "busy": "queued", "catch_up": "catching up",
        "ledger": "state not saved",
    ]
}

extension DatasetFreshness {
    fileprivate var line: Line {
        switch self {
        case .fresh: Line("fresh", .good)
        case .due: Line("due")
        case .aging: Line("aging", .caution)
        case .expired: Line("too old", .bad)
        case .empty: Line("no data yet", .caution)
        case .unmatched: Line("unmatched", .bad)
        case .other: Line("unknown", .faint)
        }
    }
}

extension DatasetUpdate {
    /// Returns a line such as "08:05 updated, 4.2 kB in 130 ms, HTTP 200".
    fileprivate func words(from now: Timestamp) -> String {
        var words = "\(at.words(from: now)) \(outcome.rawValue)"
        if let bytes { words += ", \(CountText.bytes(bytes))" }
        if let latency { words += bytes == nil ? ", \(latency) ms" : " in \(latency) ms" }
        if let status { words += ", HTTP \(status)" }
        return words
    }
}

extension RealtimeCounts {
    /// The counts, such as "212 trips live, 3 not in the timetable, 1 canceled, 60 vehicles, 2 alerts".
    fileprivate var line: Line {
        let lastKnown = tripsLastKnown ?? 0
        var pieces: [Line] = []
        if tripsMatched > 0 || lastKnown == 0 { pieces.append(Line("\(CountText.of(tripsMatched, "trip")) live")) }
        if lastKnown > 0 { pieces.append(Line("\(CountText.of(lastKnown, "trip")) last known", .caution)) }
        if let tripsOutside, tripsOutside > 0 {
            pieces.append(Line("\(tripsOutside) outside of the kept part", .faint))
        }
        if tripsUnmatched > 0 { pieces.append(Line("\(tripsUnmatched) not in the timetable", .caution)) }
        if tripsExtra > 0 { pieces.append(Line("\(tripsExtra) extra")) }
        if tripsCanceled > 0 { pieces.append(Line("\(tripsCanceled) canceled")) }
        if stopsUnmatched > 0 { pieces.append(Line("\(CountText.of(stopsUnmatched, "unknown stop"))", .caution)) }
        pieces.append(Line(CountText.of(vehicles, "vehicle")))
        if vehiclesUnmatched > 0 { pieces.append(Line("\(vehiclesUnmatched) of them on unknown trips", .caution)) }
        pieces.append(Line(CountText.of(alerts, "alert")))
        return Line(joining: pieces)
    }
}

/// Shows progress on standard error: a line that is rewritten, or one line per stage where rewriting is not possible.
struct ProgressMeter {
    let subject: String
    let canvas: Canvas
    let rewrites: Bool
    private var shown: String?

    init(subject: String, canvas: Canvas, rewrites: Bool) {
        self.subject = subject
        self.canvas = canvas
        self.rewrites = rewrites
    }

    /// Returns the text to write, or `nil` if the displayed progress does not change.
    mutating func text(for progress: RequestProgress) -> String? {
        if !rewrites {
            let stage = ProgressText.stage(progress.phase)
            guard stage != shown else { return nil }
            shown = stage
            return SafeText.clean("\(subject): \(stage)") + "\n"
        }
        // The last column stays empty because some terminals wrap a full line, which could then not be rewritten.
        let words = SafeText.clean("\(subject): \(ProgressText.of(progress))")
        let line = DisplayWidth.cut(words, to: max(1, (canvas.width ?? 80) - 1))
        guard line != shown else { return nil }
        shown = line
        return "\r\u{1B}[K" + line
    }

    /// Returns the sequence that clears the line.
    func ending() -> String { shown == nil || !rewrites ? "" : "\r\u{1B}[K" }
}
