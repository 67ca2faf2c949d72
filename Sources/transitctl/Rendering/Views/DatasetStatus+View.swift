internal import TransitControl
internal import TransitModel

extension Page {
    /// Appends a table of the datasets of all feeds, and their failures and notes.
    mutating func addDatasets(of feeds: [FeedStatus], at now: Timestamp) {
        var table = Table([
            .init(title: "dataset"), .init(title: "state"), .init(title: "age"), .init(title: "last success"),
            .init(title: "next due"), .init(title: "outcome"), .init(title: "size", alignment: .trailing),
            .init(title: "took", alignment: .trailing),
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
            // A rejected response arrived, but was unreadable or unusable.
            let word = outcome == .refused ? "malformed" : "failed"
            line(name + Line("\(word)\(time)\(count)\(again): ", .bad) + Line(message))
        } else if dataset.freshness == .empty {
            let due = dataset.nextDue.map { " Next attempt: \($0.words(from: now))." } ?? ""
            line(name + Line("missing: no data yet.\(due)", .caution))
        }
        if dataset.dueReason == "budget" {
            line(name + Line("The request limit of the key is used up or reserved. See: transitctl budget"))
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
        "budget": "request limit", "spacing": "requested just now", "busy": "queued", "catch_up": "catching up",
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
        var pieces = [Line("\(CountText.of(tripsMatched, "trip")) live")]
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
