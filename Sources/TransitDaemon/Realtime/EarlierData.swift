internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The data of a source that its last response does not contain.
struct EarlierData: Sendable {
    /// The sum of the messages of a source that sends differential ones; `nil` for other sources.
    var accumulated: AccumulatedMessage?
    /// The time of receipt of the last differential message that is not yet cached; `nil` if all are.
    var unsaved: Instant?
    /// The time at which ``accumulated`` was last cached.
    var saved: Instant?
    /// The time since which changes are not in ``accumulated``; `nil` if all are.
    var lostSince: Instant?
    /// The trips that the last full message lacks.
    var retained = RetainedTripsFile()
    /// The times of measurement of the last message's trips, until it is matched to a new timetable.
    var measurements: [EntityID: Instant] = [:]
    /// The reading of the clocks at the last message; `nil` before the first.
    private var lastReading: ClockReading?

    /// The approximate number of bytes in memory.
    var memory: Int {
        (accumulated?.memory ?? 0)
            + retained.groups.reduce(0) { $0 + $1.response.body.count + $1.entities.count * 64 }
    }

    /// Begins with a full response, which replaces all messages before.
    mutating func begin() {
        accumulated = nil
        unsaved = nil
        lostSince = nil
    }

    /// Returns the seconds by which the wall clock was set forward since the last message, and adapts the times of the
    /// retained trips.
    mutating func step(to reading: ClockReading, received: Instant) -> Int {
        let step = lastReading.map { $0.clockStep(to: reading) } ?? 0
        // A clock that is adjusted slowly is compared until the difference counts.
        if lastReading == nil || step != 0 { lastReading = reading }
        for index in retained.groups.indices {
            retained.groups[index].retention = retained.groups[index].retention.adjusted(
                clockStep: step, now: received)
        }
        return step
    }
}

extension ClockReading {
    /// Returns the seconds by which the wall clock was set forward between this reading and a later one, negative if it
    /// was set back; 0 for less than two seconds, because the wall clock is read in whole seconds.
    func clockStep(to later: ClockReading) -> Int {
        let step = later.offset.subtractingReportingOverflow(offset)
        guard !step.overflow, step.partialValue.magnitude >= 2000 else { return 0 }
        return Int(step.partialValue / 1000)
    }
}
