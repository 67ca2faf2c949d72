internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// A departure of an answer: whose it is, and what another feed of the agency tells of it.
struct MergedDeparture {
    var timetable: Timetable
    var call: ExpectedCall
    /// `nil`: no other feed tells of it.
    var witness: DepartureConfirmation?

    /// What the other feed tells. An object, since most departures have none and carry its place along.
    final class DepartureConfirmation: Sendable {
        let timetable: Timetable
        let call: ExpectedCall
        /// Seconds by which its time is later than the departure's own.
        let difference: Int
        let isAgreed: Bool
        /// Whether its time is the one that the departure is given.
        let isUsed: Bool

        init(_ call: ExpectedCall, of timetable: Timetable, difference: Int, isAgreed: Bool, isUsed: Bool) {
            self.timetable = timetable
            self.call = call
            self.difference = difference
            self.isAgreed = isAgreed
            self.isUsed = isUsed
        }
    }

    init(_ timetable: Timetable, _ call: ExpectedCall) {
        self.timetable = timetable
        self.call = call
    }

    /// The departure that both feeds of a pair know.
    init(_ first: ExpectedCall, _ second: ExpectedCall, of pair: FeedPair, by entry: DepartureMatcher.Entry) {
        let combined = DepartureMatcher.combined(first, second, by: entry)
        let difference = entry.difference ?? 0
        timetable = combined.isFirst ? pair.main : pair.beside
        call = combined.call
        witness = DepartureConfirmation(
            combined.isFirst ? second : first, of: combined.isFirst ? pair.beside : pair.main,
            difference: combined.isFirst ? difference : -difference, isAgreed: entry.isAgreed,
            isUsed: combined.isFirst != entry.isFirstShown)
    }
}

extension ExpectedCall {
    /// Whether it is nothing but a plan whose time is over: its vehicle may be late, and the other feed see it.
    func isPastPlan(at: Instant) -> Bool { source == .scheduled && isRunning && departure < at }

    /// Whether both are the same call of the same trip on the same date.
    func isSameDeparture(as other: ExpectedCall) -> Bool {
        switch (subject, other.subject) {
        case (.scheduled(let one), .scheduled(let two)):
            tripInstance == other.tripInstance && one.position == two.position
        case (.extra(let one, let position), .extra(let two, let place)):
            one.entity == two.entity && position == place
        default: false
        }
    }
}
