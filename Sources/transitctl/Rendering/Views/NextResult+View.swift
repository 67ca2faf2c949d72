internal import TransitControl

extension View where Result == NextResult {
    /// The next departures of a commute: a line each, and below it what the traveller needs on the way.
    static let next = View(page: page, rows: { $0.departures.map(\.row) })

    private static func page(_ result: NextResult) -> Page {
        var page = Page()
        for departure in result.departures {
            page.line(departure.line(from: result.at))
            page.pieces(departure.journeyDetails(of: result.commute, from: result.at), indent: 2)
        }
        if result.departures.isEmpty {
            page.line(
                EmptyBoardText.of("from \(result.commute.from.words) to \(result.commute.to.words)", result.notices))
        }
        return page
    }
}

extension CommuteEndpoint {
    /// The stop's name, or the place as it is written.
    var words: String { name ?? reference }
}

/// The words for an empty answer. That nothing runs and that nothing is known are different answers.
enum EmptyBoardText {
    static func of(_ what: String, _ notices: [Notice]) -> String {
        if let notice = notices.first(where: { $0.kind == .noService }) { return notice.message }
        let isUnsure = notices.contains {
            [.missing, .failed, .expired, .importing, .fetching, .suspended, .noTimetable].contains($0.kind)
        }
        return isUnsure ? "Not known what runs \(what)." : "Nothing more runs \(what) in this timetable."
    }
}
