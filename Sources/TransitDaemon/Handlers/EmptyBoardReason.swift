internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

// Why a board is empty: that nothing leaves, and that nothing is known of it, are different answers.

extension Timetable {
    /// - Parameters:
    ///   - visits: what calls at the place, of what is wanted.
    ///   - route: the one that is wanted alone, as people call it; `nil`: all.
    func emptyBoardReason(
        from place: String, _ visits: [PatternVisit], of route: String?, at moment: Instant
    ) -> Notice {
        let wanted = route.map { " of route \($0)" } ?? ""
        if visits.isEmpty { return noService("No trip\(wanted) calls at \(place).") }
        if visits.allSatisfy(\.isLast) { return noService("Every trip\(wanted) that calls at \(place) ends there.") }
        return nothing("leaves\(wanted) from \(place)", departures: "departures\(wanted) from \(place)", at: moment)
    }

    /// - Parameters:
    ///   - deed: what nothing does: "leaves from Harbor".
    ///   - departures: what may not be known: "departures from Harbor".
    fileprivate func nothing(_ deed: String, departures: String, at moment: Instant) -> Notice {
        guard let dates = file.summary.serviceDates else {
            return Notice(kind: .missing, feed: feed, message: "Nothing is known of \(departures) now.")
        }
        let date = zone.civil(at: moment).date
        if let term = term(without: moment) {
            return Notice(kind: .missing, feed: feed, message: "Nothing is known of \(departures) on \(date): \(term).")
        }
        let last = date.advanced(by: DepartureBoard.defaultHorizonDays)
        return noService(
            last > dates.upperBound
                ? "Nothing \(deed) until the end of \(dates.upperBound), with which the timetable ends."
                : "Nothing \(deed) until the end of \(last).")
    }

    private func noService(_ message: String) -> Notice { Notice(kind: .noService, feed: feed, message: message) }

    /// Of which days the timetable tells, for somebody who asked about a time of which it does not; `nil` where it does, and
    /// in a network without times.
    fileprivate func term(without moment: Instant) -> String? {
        let first = zone.civil(at: moment).date
        return term(without: first...first.advanced(by: DepartureBoard.defaultHorizonDays))
    }

    private func term(without asked: ClosedRange<ServiceDate>) -> String? {
        guard let dates = file.summary.serviceDates, !dates.overlaps(asked) else { return nil }
        return "the timetable of \(feed) is of \(dates.lowerBound) to \(dates.upperBound)"
    }

    /// What is to be said to who asks about a date of which the timetable does not tell.
    func notices(about date: ServiceDate) -> [Notice] {
        guard let term = term(without: date...date) else { return [] }
        return [Notice(kind: .missing, feed: feed, message: "What runs on \(date) is not known: \(term).")]
    }
}

extension PatternVisit {
    /// Whether the trips end there.
    fileprivate var isLast: Bool { position + 1 == pattern.callCount }
}

extension DirectTrips {
    /// Why nothing goes from one end to the other.
    func noDirectTripReason(for commute: CommuteConfiguration, at moment: Instant) -> Notice {
        let way = "from \(commute.from) to \(commute.to)"
        guard originDestinations.contains(where: { !$0.patterns.isEmpty }), let first = timetables.first else {
            return Notice(kind: .noService, message: "No trip goes \(way) without a change.")
        }
        let withTimes = timetables.filter(\.hasTimes)
        let telling = withTimes.first { $0.term(without: moment) == nil } ?? withTimes.first ?? first
        return telling.nothing("runs \(way)", departures: "departures \(way)", at: moment)
    }
}
