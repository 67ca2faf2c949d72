internal import TransitControl

extension View where Result == NextResult {
    /// The next departures for a commute, each with the details of the journey.
    static let next = View(page: page, rows: { $0.departures.map(\.row) })

    private static func page(_ result: NextResult) -> Page {
        var page = Page()
        for departure in result.departures {
            page.line(departure.line(from: result.at))
            page.pieces(departure.directTripDetails(of: result.commute, from: result.at), indent: 2)
        }
        if result.departures.isEmpty {
            page.line(
                EmptyBoardText.of("from \(result.commute.from.words) to \(result.commute.to.words)", result.notices))
        }
        return page
    }
}

extension CommuteEndpoint {
    /// The stop's name, or the place as entered.
    var words: String { name ?? reference }
}

/// The text for a board without departures. It distinguishes no service from missing data.
enum EmptyBoardText {
    static func of(_ what: String, _ notices: [Notice]) -> String {
        if let notice = notices.first(where: { $0.kind == .noService }) { return notice.message }
        let isUnsure = notices.contains {
            [.missing, .failed, .expired, .importing, .fetching, .suspended, .noTimetable].contains($0.kind)
        }
        return isUnsure ? "Departures \(what) are unknown." : "No further departures \(what) in this timetable."
    }
}
