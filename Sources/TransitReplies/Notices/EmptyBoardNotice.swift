internal import TransitControl
internal import TransitEngine
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

    /// - Parameters:
    ///   - feed: `nil` if no feed has direct trips.
    ///   - options: What riders require.
    init(_ reason: EmptyBoardReason, of commute: CommuteSummary, feed: FeedID?, options: JourneyOptions) {
        let way = (options.isEmpty ? "" : options.words + " ") + "from \(commute.from.words) to \(commute.to.words)"
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
        case .uncatchable(let leftOut): self.init(kind: .noService, feed: feed, message: leftOut.text)
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
        guard let next else { return "No departures \(period)." }
        return "No departures \(period); the next one is at \(zone.words(of: next, since: start))."
    }

    /// The window as a phrase, such as "in the next 30 minutes".
    fileprivate var period: String {
        switch basis {
        case .now: "in the next \(length)"
        case .start: "in the \(length) after \(zone.timeOfDay(at: start))"
        case .day: "on \(zone.civil(at: start).date)"
        }
    }

    /// The length in the largest unit that divides it, such as "30 minutes", or "hour" for one hour.
    private var length: String {
        let units = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
        guard let (unit, name) = units.first(where: { seconds % $0.0 == 0 }) else { return "" }
        return seconds == unit ? name : "\(seconds / unit) \(name)s"
    }
}

extension UncatchableDepartures {
    /// The reason, such as "The 2 departures in the next 10 minutes leave before you can walk there from home (12 min); the
    /// next one that you can catch is at 08:31, leave by 08:19."
    fileprivate var text: String {
        let subject = count == 1 ? "The only departure" : "The \(count) departures"
        let period = window.map { " \($0.period)" } ?? ""
        let walk = "a walk of \((walk + 59) / 60) min" + (place.map { " from \($0)" } ?? "")
        let reason =
            switch canceled {
            case count: count == 1 ? "is canceled" : "are canceled"
            case 0: count == 1 ? "leaves too early for \(walk)" : "leave too early for \(walk)"
            default: "are canceled or leave too early for \(walk)"
            }
        guard let next else { return "\(subject)\(period) \(reason)." }
        let start = window?.start ?? next.leaveBy
        return "\(subject)\(period) \(reason); the next one that you can catch is at "
            + "\(zone.words(of: next.departure, since: start)), leave by \(zone.timeOfDay(at: next.leaveBy))."
    }
}

extension ServiceZone {
    /// Returns a time of day, with its date if that is not the date of `start`: "08:12" or "08:12 on 2026-03-28".
    fileprivate func words(of moment: Instant, since start: Instant) -> String {
        let date = civil(at: moment).date
        return timeOfDay(at: moment) + (date == civil(at: start).date ? "" : " on \(date)")
    }
}
