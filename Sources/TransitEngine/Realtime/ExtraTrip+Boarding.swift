internal import TransitModel

// A trip of which a single call is told, as the prediction for one stop is, goes the way that its route has in the timetable.
extension ExtraTrip {
    /// Whether one can board at the call: it goes on from there.
    ///
    /// - Parameter visits: the patterns that call at the stop in question.
    func continues(after position: Int, _ visits: [PatternVisit]) -> Bool {
        if position + 1 < calls.count { return true }
        guard mayContinue else { return false }
        return visits.contains { visit in
            mayFollow(visit.pattern) && visit.position + 1 < visit.pattern.callCount
                && visit.pattern.calls[visit.position].stop == calls[position].stop
        }
    }

    /// Whether it goes on to where nothing is told of it.
    var mayContinue: Bool { isPartial || calls.count == 1 }

    /// Whether the pattern is one of the ways that it may take.
    func mayFollow(_ pattern: Pattern) -> Bool {
        guard let route, route == pattern.route else { return false }
        guard let direction, let other = pattern.direction else { return true }
        return direction == other
    }
}
