package import TransitEngine
package import TransitModel
internal import TransitStore

/// A departure with its timetable and the confirming data of the agency's other feed.
package struct MergedDeparture {
    package var timetable: Timetable
    package var call: ExpectedCall
    /// `nil` if no other feed has the departure.
    package var confirmation: DepartureConfirmation?

    /// The other feed's data about a departure. This is a class so that the many departures without such data store
    /// only a reference.
    package final class DepartureConfirmation: Sendable {
        package let timetable: Timetable
        package let call: ExpectedCall
        /// The number of seconds by which the other feed's time is later than the departure's own time.
        package let difference: Int
        package let isAgreed: Bool
        /// Whether the departure shows the other feed's time.
        package let isUsed: Bool

        init(_ call: ExpectedCall, of timetable: Timetable, difference: Int, isAgreed: Bool, isUsed: Bool) {
            self.timetable = timetable
            self.call = call
            self.difference = difference
            self.isAgreed = isAgreed
            self.isUsed = isUsed
        }
    }

    /// Whether the departure is based on data from the given timetable's feed.
    package func isReported(by timetable: Timetable) -> Bool {
        self.timetable === timetable || confirmation?.timetable === timetable
    }

    package init(_ timetable: Timetable, _ call: ExpectedCall) {
        self.timetable = timetable
        self.call = call
    }

    /// Merges a departure that is in both feeds of a pair.
    package init(_ first: ExpectedCall, _ second: ExpectedCall, of pair: FeedPair, by entry: DeparturePairing.Entry) {
        let combined = DeparturePairing.combined(first, second, by: entry)
        let difference = entry.difference ?? 0
        timetable = combined.isFirst ? pair.main : pair.supplement
        call = combined.call
        confirmation = DepartureConfirmation(
            combined.isFirst ? second : first, of: combined.isFirst ? pair.supplement : pair.main,
            difference: combined.isFirst ? difference : -difference, isAgreed: entry.isAgreed,
            isUsed: combined.isFirst != entry.isFirstShown)
    }
}

extension ExpectedCall {
    /// Whether the call has only a scheduled time, which has passed. The vehicle may be late, and the other feed may
    /// still report it.
    package func isPastPlan(at: Instant) -> Bool { source == .scheduled && isRunning && departure < at }

    /// Whether both values describe the same call of the same trip on the same date.
    package func isSameDeparture(as other: ExpectedCall) -> Bool {
        switch (subject, other.subject) {
        case (.scheduled(let one), .scheduled(let two)):
            tripInstance == other.tripInstance && one.position == two.position
        case (.extra(let one, let position), .extra(let two, let place)):
            one.entity == two.entity && position == place
        default: false
        }
    }
}
