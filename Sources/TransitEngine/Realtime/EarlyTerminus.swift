internal import TransitModel

// A trip whose last calls are skipped ends at the last call that it serves.

extension RealtimeDataset {
    /// Returns the position of the last call that a trip serves if it is not the last call of the pattern; `nil`
    /// otherwise, and if the trip serves no call.
    func earlyTerminus(of instance: RealtimeTrip) -> Int? {
        guard instance.isRunning else { return nil }
        let calls = calls(of: instance)
        guard let last = calls.last, last.isSkipped else { return nil }
        return calls.lastIndex { !$0.isSkipped }.map { $0 - calls.startIndex }
    }

    /// Returns whether a trip serves the call at a position and no later one, so that nobody can ride on from there.
    func ends(_ instance: RealtimeTrip, at position: Int) -> Bool { earlyTerminus(of: instance) == position }
}

extension ExtraTrip {
    /// The position of the last call that the trip serves if it is not the last reported call; `nil` otherwise.
    var earlyTerminus: Int? {
        guard let last = calls.last, last.isSkipped, !isPartial else { return nil }
        return calls.lastIndex { !$0.isSkipped }
    }
}
