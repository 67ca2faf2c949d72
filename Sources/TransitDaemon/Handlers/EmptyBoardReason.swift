internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

// The reason why a board is empty. "No departures" and "departures not known" are different reasons.

extension Timetable {
    /// Returns the reason for an empty board.
    ///
    /// - Parameters:
    ///   - visits: The visits of the requested patterns to the stop.
    ///   - route: The display name of the requested route; `nil` for all routes.
    func emptyBoardReason(
        from place: String, _ visits: [PatternCallPosition], of route: String?, at moment: Instant
    ) -> Notice {
        let filter = route.map { " of route \($0)" } ?? ""
        if visits.isEmpty { return noService("No trip\(filter) calls at \(place).") }
        if visits.allSatisfy(\.isLastCall) {
            return noService("Every trip\(filter) that calls at \(place) ends there.")
        }
        return noDepartures(
            "leaves\(filter) from \(place)", departures: "departures\(filter) from \(place)", at: moment)
    }

    /// - Parameters:
    ///   - action: The verb phrase that follows "Nothing", such as "leaves from Harbor".
    ///   - departures: The noun phrase for the unknown departures, such as "departures from Harbor".
    fileprivate func noDepartures(_ action: String, departures: String, at moment: Instant) -> Notice {
        guard let dates = file.summary.serviceDates else {
            return Notice(kind: .missing, feed: feed, message: "No \(departures) are known now.")
        }
        let date = zone.civil(at: moment).date
        if let coverage = coverage(excluding: moment) {
            return Notice(kind: .missing, feed: feed, message: "No \(departures) are known on \(date): \(coverage).")
        }
        let last = date.advanced(by: DepartureBoard.defaultHorizonDays)
        return noService(
            last > dates.upperBound
                ? "Nothing \(action) through \(dates.upperBound), the last day of the timetable."
                : "Nothing \(action) through \(last).")
    }

    private func noService(_ message: String) -> Notice { Notice(kind: .noService, feed: feed, message: message) }

    /// Returns a clause with the dates that the timetable covers, for a query about dates outside that range; `nil` for
    /// a query within it and for a network without times.
    fileprivate func coverage(excluding moment: Instant) -> String? {
        let first = zone.civil(at: moment).date
        return coverage(excluding: first...first.advanced(by: DepartureBoard.defaultHorizonDays))
    }

    private func coverage(excluding range: ClosedRange<ServiceDate>) -> String? {
        guard let dates = file.summary.serviceDates, !dates.overlaps(range) else { return nil }
        return "the timetable of \(feed) covers \(dates.lowerBound) to \(dates.upperBound)"
    }

    /// Returns the notices for a query about a date that the timetable does not cover.
    func notices(about date: ServiceDate) -> [Notice] {
        guard let coverage = coverage(excluding: date...date) else { return [] }
        return [Notice(kind: .missing, feed: feed, message: "The service on \(date) is not known: \(coverage).")]
    }
}

extension PatternCallPosition {
    /// Whether the trips end at this call.
    fileprivate var isLastCall: Bool { position + 1 == pattern.callCount }
}

extension DirectTrips {
    /// Returns the reason for the lack of direct trips between the two ends.
    func noDirectTripReason(for commute: CommuteConfiguration, at moment: Instant) -> Notice {
        let way = "from \(commute.from) to \(commute.to)"
        guard originDestinations.contains(where: { !$0.patterns.isEmpty }), let first = timetables.first else {
            return Notice(kind: .noService, message: "No direct trip runs \(way).")
        }
        let withTimes = timetables.filter(\.hasTimes)
        let timetable = withTimes.first { $0.coverage(excluding: moment) == nil } ?? withTimes.first ?? first
        return timetable.noDepartures("runs \(way)", departures: "departures \(way)", at: moment)
    }
}
