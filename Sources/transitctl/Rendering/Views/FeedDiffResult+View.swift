internal import TransitControl
internal import TransitModel

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

    private static func page(_ result: FeedDiffResult) -> Page {
        var page = Page()
        page.line(
            Line("\(result.feed)", .strong) + Line(": version \(result.from.number) to \(result.to.number)"))
        page.table(counts(result))
        for commute in result.commutes {
            page.blank()
            page.line(Line(commute.commute, .strong) + Line(commute.changes.isEmpty ? ": nothing changed" : ""))
            page.table(changes(commute))
            if commute.isTruncated { page.line("There are more. Use -n to show them.", .faint, indent: 2) }
        }
        return page
    }

    private static func counts(_ result: FeedDiffResult) -> Table {
        var table = Table(
            [
                .init(title: ""), .init(title: "added", alignment: .trailing),
                .init(title: "removed", alignment: .trailing), .init(title: "changed", alignment: .trailing),
            ], indent: 2)
        for (name, counts) in [("stops", result.stops), ("routes", result.routes), ("trips", result.trips)] {
            table.add(
                [Line(name)] + [counts.added, counts.removed, counts.changed].map { Line(CountText.grouped($0)) })
        }
        return table
    }

    private static func changes(_ commute: CommuteChanges) -> Table {
        var table = Table(
            [.init(title: ""), .init(title: ""), .init(title: "", shrinks: true), .init(title: "")], indent: 2,
            showsTitles: false)
        for change in commute.changes {
            table.add([
                Line(change.change.rawValue, change.change.style), Line(change.subject.rawValue),
                Line(change.name ?? change.id), Line(change.message),
            ])
        }
        return table
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
