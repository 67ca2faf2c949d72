internal import TransitEngine
internal import TransitModel

/// The rules of a board with live data once more, without anything that makes them fast: every run of every trip on every
/// date is written down with what is told of it, then sorted and looked through.
struct ReferenceRealtimeBoard {
    /// What a random message tells of a run.
    struct ReportedTrip {
        var relationship: TripScheduleRelationship
        /// Delay in seconds by the position of the call; `nil`: `NO_DATA`.
        var delays: [Int: Int?] = [:]
        var skipped: Set<Int> = []
    }

    struct TripInstanceName: Hashable {
        var trip: TripIndex
        var date: ServiceDate
    }

    var plain: ReferenceBoard
    var reportedTrips: [TripInstanceName: ReportedTrip]
    /// Whether the source has been silent for so long that only its last word is known.
    var isSilent = false

    /// A line for each departure: the call, when it is expected, and whether it is cancelled or skipped.
    func departures(stops: [StopIndex], from: Instant, before: Instant) -> [String] {
        var found: [(key: [Int], line: String)] = []
        for run in plain.runs {
            let telling = reportedTrips[TripInstanceName(trip: run.trip, date: run.calls[0].date)]
            let expected = Self.expected(run.calls, telling)
            for call in run.calls.dropLast() {
                let place = call.pattern.calls[call.position]
                guard stops.contains(place.stop), place.pickup != .none else { continue }
                if telling?.relationship == .deleted { continue }
                let isCancelled = telling?.relationship == .canceled
                let isSkipped = !isCancelled && telling?.skipped.contains(call.position) == true
                var live = isCancelled || isSkipped ? nil : expected[call.position]
                if isSilent, let time = live, time < call.departure { live = nil }
                let time = live ?? call.departure
                guard time >= from, time < before else { continue }
                let word = isCancelled ? "canceled" : isSkipped ? "skipped" : "runs"
                found.append(
                    (
                        [
                            Int(time.secondsSince1970), call.pattern.index.position, run.trip.position,
                            Int(call.date.daysSince1970), call.position,
                        ], "\(call.line) \(live?.rfc3339() ?? "-") \(word)"
                    ))
            }
        }
        return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.line)
    }

    /// When each call's departure is expected: as stated, else as late as the call before, and not after the next stated call.
    private static func expected(_ calls: [ReferenceBoard.Call], _ telling: ReportedTrip?) -> [Instant?] {
        guard let telling else { return calls.map { _ in nil } }
        var delay: Int?
        return calls.enumerated().map { number, call in
            if telling.skipped.contains(call.position) { return nil }
            let told = telling.delays[call.position]
            if let told { delay = told }
            guard let delay else { return nil }
            let departure = call.departure.advanced(by: delay)
            if told != nil { return departure }
            for later in calls[(number + 1)...] {
                if let stated = telling.delays[later.position], let stated {
                    return min(departure, later.arrival.advanced(by: stated))
                }
            }
            return departure
        }
    }
}
