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

    private static func page(_ result: RefreshResult) -> Page {
        var page = Page()
        guard !result.datasets.isEmpty else {
            page.line("Nothing to refresh.")
            return page
        }
        var table = Table(
            [
                .init(title: "dataset"), .init(title: "outcome"),
                .init(title: "size", alignment: .trailing), .init(title: "took", alignment: .trailing),
                // The reason for a failure must not be truncated.
                .init(title: ""),
            ])
        for dataset in result.datasets {
            table.add([
                Line("\(dataset.feed) ", .strong) + Line(dataset.dataset.words), dataset.outcome.line,
                Line(dataset.bytes.map(CountText.bytes) ?? ""), Line(dataset.latency.map { "\($0) ms" } ?? ""),
                Line(dataset.remark(from: result.at)),
            ])
        }
        page.table(table)
        return page
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
        case .refused: Line("rejected", .bad)
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
