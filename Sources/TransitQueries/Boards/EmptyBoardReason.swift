internal import TransitEngine
package import TransitModel
internal import TransitStore

/// The reason why a board is empty. "No departures" and "departures not known" are different reasons.
package enum EmptyBoardReason: Hashable, Sendable {
    /// No trip calls at the stop, or none runs directly between the ends of a commute.
    case noTrips
    /// Every trip that calls at the stop ends there.
    case tripsEnd
    /// The timetable has no times, and the realtime data has no departures.
    case noTimes
    /// The timetable does not cover the date of the query.
    case notCovered(ServiceDate, FeedID, covered: ClosedRange<ServiceDate>)
    /// Nothing departs through a date. `isLast` marks the last day of the timetable.
    case nothingDeparts(through: ServiceDate, isLast: Bool)
    /// Nothing departs in the time window of the request. `next` is the first departure after it; `nil` if the next
    /// departures are canceled.
    case outsideWindow(DepartureWindow, next: Instant?)
    /// No departure of the request can be caught any more.
    case uncatchable(UncatchableDepartures)

    /// Whether there are departures that the request leaves out.
    package var hasLaterDepartures: Bool {
        switch self {
        case .outsideWindow, .uncatchable: true
        default: false
        }
    }
}

extension EmptyBoardReason {
    /// Creates the reason for an empty board.
    ///
    /// - Parameter visits: The visits of the requested patterns to the stop.
    init(_ timetable: Timetable, _ visits: [PatternCallPosition], at moment: Instant) {
        if visits.isEmpty {
            self = .noTrips
        } else if visits.allSatisfy({ $0.position + 1 == $0.pattern.callCount }) {
            self = .tripsEnd
        } else {
            self.init(timetable, at: moment)
        }
    }

    /// Creates the reason why nothing departs although trips call.
    fileprivate init(_ timetable: Timetable, at moment: Instant) {
        guard let dates = timetable.file.summary.serviceDates else {
            self = .noTimes
            return
        }
        let date = timetable.zone.civil(at: moment).date
        let last = date.advanced(by: DepartureBoard.defaultHorizonDays)
        if timetable.coverage(excluding: date...last) != nil {
            self = .notCovered(date, timetable.feed, covered: dates)
        } else {
            self = .nothingDeparts(through: min(last, dates.upperBound), isLast: last > dates.upperBound)
        }
    }
}

extension DirectTrips {
    /// Returns the reason for the lack of direct trips between the two ends. `feed` is `nil` if no feed has any.
    func emptyReason(at moment: Instant) -> (feed: FeedID?, reason: EmptyBoardReason) {
        guard originDestinations.contains(where: { !$0.patterns.isEmpty }), let first = timetables.first else {
            return (nil, .noTrips)
        }
        let withTimes = timetables.filter(\.hasTimes)
        let timetable =
            withTimes.first { timetable in
                let date = timetable.zone.civil(at: moment).date
                return timetable.coverage(excluding: date...date.advanced(by: DepartureBoard.defaultHorizonDays)) == nil
            } ?? withTimes.first ?? first
        return (timetable.feed, EmptyBoardReason(timetable, at: moment))
    }
}

extension Timetable {
    /// Returns the dates that the timetable covers, for a query about dates outside that range; `nil` for a query within
    /// it and for a network without times.
    package func coverage(excluding range: ClosedRange<ServiceDate>) -> ClosedRange<ServiceDate>? {
        guard let dates = file.summary.serviceDates, !dates.overlaps(range) else { return nil }
        return dates
    }
}
