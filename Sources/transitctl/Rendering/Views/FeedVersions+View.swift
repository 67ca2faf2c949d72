internal import TransitControl
internal import TransitModel

extension View where Result == FeedVersionsResult {
    /// The stored versions, newest first.
    static let feedVersions = View(page: page, rows: { $0.versions.map(\.row) })

    private static func page(_ result: FeedVersionsResult) -> Page {
        var page = Page()
        var table = Table([
            .init(title: "version", alignment: .trailing), .init(title: ""), .init(title: "imported"),
            .init(title: "service"), .init(title: "published as", shrinks: true),
            .init(title: "trips", alignment: .trailing), .init(title: "findings"),
        ])
        for version in result.versions {
            table.add([
                Line(String(version.number), .strong), Line(version.isCurrent ? "current" : "", .good),
                Line(version.imported.words(from: result.at)), Line(version.serviceDates?.words ?? "none"),
                Line(version.feedVersion ?? ""), Line(CountText.grouped(version.counts.trips)),
                version.findings.line,
            ])
        }
        page.table(table)
        if result.versions.isEmpty { page.line("\(result.feed) has no timetable yet.") }
        return page
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
        page: { result in
            var page = Page()
            page.line(Line("\(result.feed): ", .strong) + Line(result.message))
            if let findings = result.version?.findings.line, !findings.isEmpty {
                page.line(findings + Line("; for details: transitctl feed validate \(result.feed)", .faint), indent: 2)
            }
            return page
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
