internal import TransitControl
internal import TransitModel
internal import TransitQueries

// The words for the reason why a board is empty.

extension Notice {
    /// - Parameters:
    ///   - place: The name of the stop.
    ///   - route: The display name of the requested route; `nil` for all routes.
    init(_ reason: EmptyBoardReason, from place: String, of route: String?, feed: FeedID) {
        let filter = route.map { " of route \($0)" } ?? ""
        switch reason {
        case .noTrips: self.init(kind: .noService, feed: feed, message: "No trip\(filter) stops at \(place).")
        case .tripsEnd:
            self.init(kind: .noService, feed: feed, message: "Every trip\(filter) that stops at \(place) ends there.")
        default:
            self.init(
                reason, "leaves\(filter) from \(place)", departures: "departures\(filter) from \(place)", feed: feed)
        }
    }

    /// - Parameter feed: `nil` if no feed has direct trips.
    init(_ reason: EmptyBoardReason, of commute: CommuteConfiguration, feed: FeedID?) {
        let way = "from \(commute.from) to \(commute.to)"
        if reason == .noTrips {
            self.init(kind: .noService, message: "No direct trip runs \(way).")
        } else {
            self.init(reason, "runs \(way)", departures: "departures \(way)", feed: feed)
        }
    }

    /// - Parameters:
    ///   - action: The verb phrase that follows "Nothing", such as "leaves from Harbor".
    ///   - departures: The noun phrase for the unknown departures, such as "departures from Harbor".
    private init(_ reason: EmptyBoardReason, _ action: String, departures: String, feed: FeedID?) {
        switch reason {
        case .noTrips, .tripsEnd: self.init(kind: .noService, feed: feed, message: "Nothing \(action).")
        case .noTimes: self.init(kind: .missing, feed: feed, message: "No \(departures) are known now.")
        case .notCovered(let date, let timetable, let dates):
            self.init(
                kind: .missing, feed: feed,
                message: "No \(departures) are known on \(date): \(Self.coverage(of: timetable, dates)).")
        case .nothingDeparts(let date, let isLast):
            self.init(
                kind: .noService, feed: feed,
                message: "Nothing \(action) through \(date)\(isLast ? ", the last day of the timetable" : "").")
        case .outsideWindow(let window, let next):
            self.init(kind: .noService, feed: feed, message: window.emptyText(next: next))
        }
    }

    private static func coverage(of feed: FeedID, _ dates: ClosedRange<ServiceDate>) -> String {
        "the timetable of \(feed) covers \(dates.lowerBound) to \(dates.upperBound)"
    }

    /// Returns the notices for a query about a date that the timetable does not cover.
    static func coverage(of timetable: Timetable, on date: ServiceDate) -> [Notice] {
        guard let dates = timetable.coverage(excluding: date...date) else { return [] }
        return [
            Notice(
                kind: .missing, feed: timetable.feed,
                message: "The service on \(date) is not known: \(coverage(of: timetable.feed, dates)).")
        ]
    }
}

extension DepartureWindow {
    /// The reason why a board with this window is empty, such as "No departures in the next 30 minutes; the next one is
    /// at 08:12."
    ///
    /// - Parameter next: The first departure after the window; `nil` if the next departures are canceled.
    fileprivate func emptyText(next: Instant?) -> String {
        let period =
            switch basis {
            case .now: "in the next \(length)"
            case .start: "in the \(length) after \(zone.timeOfDay(at: start))"
            case .day: "on \(zone.civil(at: start).date)"
            }
        guard let next else { return "No departures \(period)." }
        let date = zone.civil(at: next).date
        let day = date == zone.civil(at: start).date ? "" : " on \(date)"
        return "No departures \(period); the next one is at \(zone.timeOfDay(at: next))\(day)."
    }

    /// The length in the largest unit that divides it, such as "30 minutes", or "hour" for one hour.
    private var length: String {
        let units = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
        guard let (unit, name) = units.first(where: { seconds % $0.0 == 0 }) else { return "" }
        return seconds == unit ? name : "\(seconds / unit) \(name)s"
    }
}
