internal import TransitEngine
internal import TransitModel

/// A plain implementation of the rules of a board with realtime data. The implementation enumerates all trip instances
/// on all dates with their realtime data, then sorts and filters them.
struct ReferenceRealtimeBoard {
    /// The content of a random message about a trip.
    struct ReportedTrip {
        var relationship: TripScheduleRelationship
        /// Delay in seconds by the position of the call; `nil` for `NO_DATA`.
        var delays: [Int: Int?] = [:]
        var skipped: Set<Int> = []
    }

    struct TripInstanceName: Hashable {
        var trip: TripIndex
        var date: ServiceDate
    }

    var plain: ReferenceBoard
    var reportedTrips: [TripInstanceName: ReportedTrip]
    /// Whether the source has been silent for so long that only its last known data is left.
    var isSilent = false

    /// Returns a line for each departure: the call, its expected time, and whether it is canceled or skipped.
    func departures(stops: [StopIndex], from: Instant, before: Instant) -> [String] {
        var found: [(key: [Int], line: String)] = []
        for instance in plain.runs {
            let reported = reportedTrips[TripInstanceName(trip: instance.trip, date: instance.calls[0].date)]
            let expected = Self.expected(instance.calls, reported)
            for call in instance.calls.dropLast() {
                let projection = call.pattern.calls[call.position]
                guard stops.contains(projection.stop), projection.pickup != .none else { continue }
                if reported?.relationship == .deleted { continue }
                let isCancelled = reported?.relationship == .canceled
                let isSkipped = !isCancelled && reported?.skipped.contains(call.position) == true
                // The trip ends at a call after which it skips all others.
                let later = instance.calls.filter { $0.position > call.position }
                let endsHere = later.allSatisfy { reported?.skipped.contains($0.position) == true }
                if !isCancelled, !isSkipped, endsHere { continue }
                var realtime = isCancelled || isSkipped ? nil : expected[call.position]
                if isSilent, let time = realtime, time < call.departure { realtime = nil }
                let time = realtime ?? call.departure
                guard time >= from, time < before else { continue }
                let word = isCancelled ? "canceled" : isSkipped ? "skipped" : "runs"
                found.append(
                    (
                        [
                            Int(time.secondsSince1970), call.pattern.index.position, instance.trip.position,
                            Int(call.date.daysSince1970), call.position,
                        ], "\(call.line) \(realtime?.rfc3339() ?? "-") \(word)"
                    ))
            }
        }
        return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.line)
    }

    /// Returns the expected departure of each call: the stated time or, without one, the scheduled time with the delay
    /// of the previous call, but no later than the next stated call.
    private static func expected(_ calls: [ReferenceBoard.Call], _ reported: ReportedTrip?) -> [Instant?] {
        guard let reported else { return calls.map { _ in nil } }
        var delay: Int?
        return calls.enumerated().map { number, call in
            if reported.skipped.contains(call.position) { return nil }
            let reports = reported.delays[call.position]
            if let reports { delay = reports }
            guard let delay else { return nil }
            let departure = call.departure.advanced(by: delay)
            if reports != nil { return departure }
            for later in calls[(number + 1)...] {
                if let stated = reported.delays[later.position], let stated {
                    return min(departure, later.arrival.advanced(by: stated))
                }
            }
            return departure
        }
    }
}
