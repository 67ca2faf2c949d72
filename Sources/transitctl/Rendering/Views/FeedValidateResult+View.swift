internal import TransitControl
internal import TransitModel

extension View where Result == FeedValidateResult {
    /// The validation report: the rules, the number of findings, and examples.
    static let feedValidate = View(page: page, rows: rows)
    /// The validation report of realtime data.
    static let realtimeReport = View(
        page: { result in
            var page = Page()
            page.line("Realtime data, checked according to the rules of the GTFS-Realtime validator.", .faint)
            page.append(Self.page(result))
            return page
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

    private static func page(_ result: FeedValidateResult) -> Page {
        var page = Page()
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
        return page
    }

    private static func title(_ result: FeedValidateResult) -> Line {
        var line = Line("\(result.feed)", .strong)
        if let version = result.version { line.append(" version \(version)") }
        if result.isRefused { line.append(" rejected", .bad) }
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
