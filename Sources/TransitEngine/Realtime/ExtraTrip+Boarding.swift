internal import TransitModel

// A trip for which only one call is known, such as a trip predicted for a single stop, is assumed to follow a pattern
// of its route.
extension ExtraTrip {
    /// Returns whether riders can board at the call, because the trip continues after it.
    ///
    /// - Parameter visits: the patterns that call at the queried stop.
    func continues(after position: Int, _ visits: [PatternCallPosition]) -> Bool {
        if position + 1 < calls.count { return true }
        guard mayContinue else { return false }
        return visits.contains { visit in
            mayFollow(visit.pattern) && visit.position + 1 < visit.pattern.callCount
                && visit.pattern.calls[visit.position].stop == calls[position].stop
        }
    }

    /// Whether the trip may have further calls that were not reported.
    var mayContinue: Bool { isPartial || calls.count == 1 }

    /// Returns whether the trip may follow the pattern.
    func mayFollow(_ pattern: Pattern) -> Bool {
        guard let route, route == pattern.route else { return false }
        guard let direction, let other = pattern.direction else { return true }
        return direction == other
    }
}
