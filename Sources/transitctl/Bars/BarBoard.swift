internal import TransitControl
internal import TransitModel

/// What a status bar shows of a result: departures in order, and texts.
struct BarBoard: Equatable, Sendable {
    /// The daemon's time of the result.
    var at: Timestamp
    /// What was asked for, such as "home-to-work" or the name of a stop.
    var title: String
    /// In order of departure time.
    var departures: [Departure]
    /// The text if there are no departures.
    var emptyText: String
    /// Conditions that affect the result.
    var notices: [String]
}

/// A result that a status bar can show.
protocol BarResult: Watchable {
    var board: BarBoard { get }
}

extension NextResult: BarResult {
    var board: BarBoard {
        let isNamed = commute.origin != .request
        let ends = "\(commute.from.words) to \(commute.to.words)"
        return BarBoard(
            at: at, title: isNamed ? commute.name : ends, departures: departures,
            emptyText: EmptyBoardText.of("from \(ends)", notices), notices: notices.barTexts)
    }
}

extension DeparturesResult: BarResult {
    var board: BarBoard {
        BarBoard(
            at: at, title: stop.words, departures: departures,
            emptyText: EmptyBoardText.of("from this stop", notices), notices: notices.barTexts)
    }
}

extension FavoriteShowResult: BarResult {
    var board: BarBoard {
        let departures = boards.flatMap(\.departures).enumerated().sorted { left, right in
            guard let first = left.element.time, let second = right.element.time, first.instant != second.instant
            else { return left.offset < right.offset }
            return first.instant < second.instant
        }
        return BarBoard(
            at: at, title: boards.count == 1 ? boards[0].favorite.name : "favorites",
            departures: departures.map(\.element),
            emptyText: boards.first?.emptyReason ?? EmptyBoardText.of("from your favorites", notices),
            notices: notices.barTexts)
    }
}

extension [Notice] {
    /// The page itself shows that there is no service.
    fileprivate var barTexts: [String] { filter { $0.kind != .noService }.map(\.message) }
}
