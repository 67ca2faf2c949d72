internal import TransitControl
internal import TransitModel

extension View where Result == FeedListResult {
    /// The status of the feeds.
    static let feedList = View(
        page: { page, result in
            page.table(FeedTable.of(result.feeds, at: result.at))
            for feed in result.feeds { page.addFailure(of: feed, from: result.at) }
            for feed in result.feeds { page.addKeptPart(of: feed) }
            for feed in result.feeds { page.addTerms(of: feed) }
            if result.feeds.isEmpty { page.line("No feeds: the configuration has no [[feed]].") }
        }, rows: { $0.feeds.map(\.row) })
}

/// The table of feeds.
enum FeedTable {
    static func of(_ feeds: [FeedStatus], at now: Timestamp, indent: Int = 0) -> Table {
        return Table(
            [
                "feed", "state", .trailing("version"), "service until", .shrinking("confirmed"),
                .shrinking("next update"), .trailing("size"),
            ], indent: indent, of: feeds
        ) { feed in
            [
                Line(feed.id.rawValue, .strong), feed.stateLine, Line(feed.version.map(String.init) ?? ""),
                feed.lastDateLine, Line(feed.age.map { AgeText.of($0) } ?? ""),
                Line(feed.nextAttempt?.words(from: now) ?? ""), Line(feed.bytes.map(CountText.bytes) ?? ""),
            ]
        }
    }
}

extension Page {
    /// Appends the attribution and disclaimer that the provider's terms require.
    mutating func addTerms(of feed: FeedStatus) {
        for sentence in [feed.attribution, feed.disclaimer].compactMap({ $0 }) {
            line(Line("\(feed.id): ", .strong) + Line(sentence, .faint))
        }
    }

    /// Appends how much of the feed is kept, if it is a part.
    mutating func addKeptPart(of feed: FeedStatus) {
        guard let kept = feed.kept else { return }
        let stops = "\(CountText.grouped(kept.stops)) of \(CountText.of(kept.stopsInSource, "stop"))"
        let trips = "\(CountText.grouped(kept.trips)) of \(CountText.of(kept.tripsInSource, "trip"))"
        line(
            Line("\(feed.id): ", .strong) + Line("keeps \(stops) and \(trips)")
                + Line(" (\(kept.rule))", .faint))
    }

    /// Appends how good the learned delays are, if there are any.
    mutating func addDelays(of feed: FeedStatus) {
        guard let delays = feed.delays else { return }
        line(Line("\(feed.id) usual delays: ", .strong) + Line(joining: LearnedDelayText.pieces(delays)))
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

extension View where Result == FeedVersionsResult {
    /// The stored versions, newest first.
    static let feedVersions = View(page: page, rows: { $0.versions.map(\.row) })

    private static func page(_ page: inout Page, _ result: FeedVersionsResult) {
        page.table(
            [
                .trailing("version"), "", "imported", "service", .shrinking("published as"), .trailing("trips"),
                "findings",
            ], of: result.versions
        ) { version in
            [
                Line(String(version.number), .strong), Line(version.isCurrent ? "current" : "", .good),
                Line(version.imported.words(from: result.at)), Line(version.serviceDates?.words ?? "none"),
                Line(version.feedVersion ?? ""), Line(CountText.grouped(version.counts.trips)),
                version.findings.line,
            ]
        }
        if result.versions.isEmpty { page.line("\(result.feed) has no timetable yet.") }
    }
}

extension View where Result == FeedRollbackResult {
    static let feedRollback = View.sentence { result in
        "\(result.feed): version \(result.version.number) is current again; version \(result.previous) remains stored."
    }
}

extension View where Result == FeedUpdateResult {
    /// The outcome of the update.
    static let feedUpdate = View(
        page: { page, result in
            page.line(Line("\(result.feed): ", .strong) + Line(result.message))
            if let findings = result.version?.findings.line, !findings.isEmpty {
                page.line(findings + Line("; for details: transitctl feed validate \(result.feed)", .faint), indent: 2)
            }
        },
        rows: { [[$0.feed.rawValue, $0.outcome.rawValue, $0.version.map { String($0.number) } ?? "", $0.message]] })
}

extension FeedVersion {
    /// The row for scripts: number, whether it is current, time of import, first and last service date, feed version, digest,
    /// bytes, stops, routes, trips, stop times.
    fileprivate var row: [String] {
        [
            String(number), isCurrent ? "current" : "", imported.rfc3339, serviceDates.map { "\($0.first)" } ?? "",
            serviceDates.map { "\($0.last)" } ?? "", feedVersion ?? "", digest, String(bytes), String(counts.stops),
            String(counts.routes), String(counts.trips), String(counts.stopTimes),
        ]
    }
}

extension DateSpan {
    /// The range as text, such as "2026-03-01 to 2026-06-30".
    var words: String { "\(first) to \(last)" }
}

extension FindingCounts {
    /// The counts, such as "2 errors, 5 warnings". Findings of severity `info` are omitted.
    var line: Line {
        let counts = [(fatal, "fatal", Style.bad), (error, "error", .bad), (warning, "warning", .caution)]
        return Line(
            joining: counts.filter { $0.0 > 0 }.map { count, word, style in
                Line(CountText.of(count, word, plural: word == "fatal" ? word : nil), style)
            })
    }
}

extension View where Result == FeedDiffResult {
    /// The differences between two versions: counts for the whole feed, and details for the user's commutes.
    static let feedDiff = View(page: page, rows: rows)

    /// Rows for scripts: commute, subject, change, id, name, message.
    private static func rows(_ result: FeedDiffResult) -> [[String]] {
        result.commutes.flatMap { commute in
            commute.changes.map {
                [commute.commute, $0.subject.rawValue, $0.change.rawValue, $0.id, $0.name ?? "", $0.message]
            }
        }
    }

    private static func page(_ page: inout Page, _ result: FeedDiffResult) {
        page.line(
            Line("\(result.feed)", .strong) + Line(": version \(result.from.number) to \(result.to.number)"))
        page.table(counts(result))
        for commute in result.commutes {
            page.blank()
            page.line(Line(commute.commute, .strong) + Line(commute.changes.isEmpty ? ": nothing changed" : ""))
            page.table(changes(commute))
            if commute.isTruncated { page.line("There are more. Use -n to show them.", .faint, indent: 2) }
        }
    }

    private static func counts(_ result: FeedDiffResult) -> Table {
        return Table(
            ["", .trailing("added"), .trailing("removed"), .trailing("changed")], indent: 2,
            of: [("stops", result.stops), ("routes", result.routes), ("trips", result.trips)]
        ) { (name, counts) in
            [Line(name)] + [counts.added, counts.removed, counts.changed].map { Line(CountText.grouped($0)) }
        }
    }

    private static func changes(_ commute: CommuteChanges) -> Table {
        return Table(["", "", .shrinking(""), ""], indent: 2, showsTitles: false, of: commute.changes) { change in
            [
                Line(change.change.rawValue, change.change.style), Line(change.subject.rawValue),
                Line(change.name ?? change.id), Line(change.message),
            ]
        }
    }
}

extension View where Result == FeedHistoryResult {
    /// What has been learned about the delays of each feed.
    static let feedHistory = View(page: page, rows: { $0.feeds.map(\.row) })

    private static func page(_ page: inout Page, _ result: FeedHistoryResult) {
        var table = Table(["feed", .trailing("departures"), .trailing("size")])
        for feed in result.feeds {
            guard let delays = feed.delays else { continue }
            table.add([
                Line(feed.feed.rawValue, .strong), Line(CountText.grouped(delays.departures)),
                Line(CountText.bytes(delays.bytes)),
            ])
            table.notes.append([LearnedDelayText.pieces(delays)])
        }
        page.table(table)
        let others = result.feeds.filter { $0.delays == nil }.map(\.feed.rawValue)
        if !others.isEmpty { page.line("Nothing learned yet about \(others.joined(separator: ", ")).", .faint) }
        if result.feeds.isEmpty { page.line("No feeds: the configuration has no [[feed]].") }
    }
}

extension FeedHistory {
    /// The row for scripts: feed, departures, bytes, share in range in percent, judged departures, errors of the source and of
    /// corrected predictions in seconds, and whether predictions are corrected or the source repeats the timetable. Only the
    /// feed if nothing has been learned.
    fileprivate var row: [String] {
        guard let delays else { return [feed.rawValue] + Array(repeating: "", count: 7) }
        return [
            feed.rawValue, String(delays.departures), String(delays.bytes), delays.coverage.map(String.init) ?? "",
            String(delays.judged), delays.sourceError.map(String.init) ?? "",
            delays.correctedError.map(String.init) ?? "",
            delays.repeatsTimetable ? "repeats_timetable" : delays.correcting ? "correcting" : "",
        ]
    }
}

extension View where Result == FeedHistoryClearResult {
    static let feedHistoryClear = View.sentence { result in
        guard !result.feeds.isEmpty else { return "Nothing had been learned about delays." }
        return "Removed what was learned about the delays of \(result.feeds.map(\.rawValue).joined(separator: ", "))."
    }
}

extension ChangeKind {
    fileprivate var style: Style {
        switch self {
        case .added: .good
        case .removed: .bad
        case .changed: .caution
        case .other: .normal
        }
    }
}

extension View where Result == FeedValidateResult {
    /// The validation report: the rules, the number of findings, and examples.
    static let feedValidate = View(page: page, rows: rows)
    /// The validation report of realtime data.
    static let realtimeReport = View(
        page: { page, result in
            page.line("Realtime data, checked according to the rules of the GTFS-Realtime validator.", .faint)
            Self.page(&page, result)
        }, rows: rows)

    /// Rows for scripts, one per example: severity, rule, count of the rule, file, line, column, field, message.
    private static func rows(_ result: FeedValidateResult) -> [[String]] {
        result.findings.flatMap { finding in
            finding.examples.map { example in
                [
                    finding.severity.rawValue, finding.rule, String(finding.count), example.file,
                    example.line.map(String.init) ?? "", example.column.map(String.init) ?? "", example.field ?? "",
                    example.message,
                ]
            }
        }
    }

    private static func page(_ page: inout Page, _ result: FeedValidateResult) {
        page.line(title(result))
        for finding in result.findings {
            page.blank()
            page.line(
                Line(finding.severity.rawValue, finding.severity.style)
                    + Line(" \(finding.rule)", .strong) + Line(", \(CountText.of(finding.count, "time"))"))
            for example in finding.examples {
                page.line(Line(example.place, .faint) + Line(": \(example.message)"), indent: 2)
            }
            let more = finding.count - finding.examples.count
            if more > 0 { page.line("and \(CountText.grouped(more)) more", .faint, indent: 2) }
        }
    }

    private static func title(_ result: FeedValidateResult) -> Line {
        var line = Line("\(result.feed)", .strong)
        if let version = result.version { line.append(" version \(version)") }
        if result.isRefused { line.append(" refused", .bad) }
        let counts = result.counts.line
        line.append(": ")
        line.append(counts.isEmpty ? Line("no errors and no warnings", .good) : counts)
        if result.counts.info > 0 { line.append(", \(CountText.of(result.counts.info, "remark"))") }
        return line
    }
}

extension FindingExample {
    /// The location, such as "stops.txt line 5, column 3 (stop_lat)".
    fileprivate var place: String {
        var words = file
        if let line { words += " line \(line)" }
        if let column { words += ", column \(column)" }
        if let field { words += " (\(field))" }
        return words
    }
}

extension FindingSeverity {
    fileprivate var style: Style {
        switch self {
        case .fatal, .error: .bad
        case .warning: .caution
        case .info, .other: .faint
        }
    }
}
