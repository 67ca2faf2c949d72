internal import TransitControl
internal import TransitModel

/// A departure that a status bar can show, or a journey that begins with it.
struct BarEntry: Equatable, Sendable {
    /// The departure or, for a journey, that of its first ride with the arrival of its last ride.
    var departure: Departure
    /// `nil` for a departure without changes.
    private(set) var journey: Journey?
    /// The journey that beats a direct trip; `nil` if none does.
    var faster: Journey?

    init(_ departure: Departure, beatenBy faster: Journey? = nil) {
        (self.departure, self.faster) = (departure, faster)
    }

    init(_ journey: Journey) {
        departure = journey.legs[0].departure
        departure.arrival = journey.legs[journey.legs.count - 1].departure.arrival
        self.journey = journey
    }

    /// The departures of all rides.
    var rides: [Departure] { journey?.legs.map(\.departure) ?? [departure] }
}

/// What a status bar shows of a result: departures and journeys in order, and texts.
struct BarBoard: Equatable, Sendable {
    /// The daemon's time of the result.
    var at: Timestamp
    /// What was asked for, such as "home-to-work" or the name of a stop.
    var title: String
    /// In order of the time to leave.
    var entries: [BarEntry]
    /// The text if there are no departures and no journeys.
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
            at: at, title: isNamed ? commute.name : ends, entries: entries.map(\.barEntry),
            emptyText: EmptyBoardText.of("from \(ends)", notices), notices: notices.barTexts)
    }
}

extension NextEntry {
    fileprivate var barEntry: BarEntry {
        switch self {
        case .departure(let departure, let faster): BarEntry(departure, beatenBy: faster)
        case .journey(let journey): BarEntry(journey)
        }
    }
}

extension DeparturesResult: BarResult {
    var board: BarBoard {
        BarBoard(
            at: at, title: stop.words, entries: departures.map { BarEntry($0) },
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
            entries: departures.map { BarEntry($0.element) },
            emptyText: boards.first?.emptyReason ?? EmptyBoardText.of("from your favorites", notices),
            notices: notices.barTexts)
    }
}

extension [Notice] {
    /// The page itself shows that there is no service.
    fileprivate var barTexts: [String] { filter { $0.kind != .noService }.map(\.message) }
}
