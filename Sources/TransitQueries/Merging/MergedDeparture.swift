package import TransitEngine
internal import TransitModel
internal import TransitStore

/// A departure with its timetable and the confirming data of the agency's other feed.
package struct MergedDeparture {
    package var timetable: Timetable
    package var call: ExpectedCall
    /// `nil` if no other feed has the departure.
    package var confirmation: DepartureConfirmation?

    /// The data of both feeds about a departure. This is a class so that the many departures without such data store
    /// only a reference.
    package final class DepartureConfirmation: Sendable {
        /// The other feed.
        package let timetable: Timetable
        /// The departure in the other feed.
        package let call: ExpectedCall
        /// The departure in its own feed, before merging.
        package let own: ExpectedCall
        /// The number of seconds by which the other feed's time is later than the departure's own time.
        package let difference: Int
        package let agreement: FeedAgreement
        /// Why the data of the one feed is shown rather than that of the other.
        package let preference: FeedPreference
        /// Whether the departure shows the other feed's time.
        package let isUsed: Bool

        package var isAgreed: Bool { agreement == .agreed || agreement == .confirmed }

        init(
            _ call: ExpectedCall, of timetable: Timetable, own: ExpectedCall, difference: Int, isUsed: Bool,
            _ agreement: FeedAgreement, _ preference: FeedPreference
        ) {
            self.timetable = timetable
            self.call = call
            self.own = own
            self.difference = difference
            self.agreement = agreement
            self.preference = preference
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
        let isFirst = DeparturePairing.combined(first, second, by: entry).isFirst
        self.init(first, second, of: pair, by: entry, keepingFirst: isFirst)
    }

    /// Merges a departure that is in both feeds of a pair. The result belongs to the selected feed.
    init(
        _ first: ExpectedCall, _ second: ExpectedCall, of pair: FeedPair, by entry: DeparturePairing.Entry,
        keepingFirst isFirst: Bool
    ) {
        let difference = entry.difference ?? 0
        timetable = isFirst ? pair.main : pair.supplement
        call = DeparturePairing.combined(first, second, by: entry, keepingFirst: isFirst)
        confirmation = DepartureConfirmation(
            isFirst ? second : first, of: isFirst ? pair.supplement : pair.main, own: isFirst ? first : second,
            difference: isFirst ? difference : -difference, isUsed: isFirst != entry.isFirstShown, entry.agreement,
            entry.preference)
    }

    /// Returns the departure's call in a timetable before merging; `nil` if the timetable lacks the departure.
    package func call(in timetable: Timetable) -> ExpectedCall? {
        if self.timetable === timetable { return confirmation?.own ?? call }
        return confirmation.flatMap { $0.timetable === timetable ? $0.call : nil }
    }

    /// Returns the same data for the departure of the other feed, if the departure belongs to the given timetable there.
    func belonging(to timetable: Timetable) -> MergedDeparture {
        guard self.timetable !== timetable, let confirmation, confirmation.timetable === timetable else { return self }
        var other = MergedDeparture(timetable, confirmation.call)
        if !confirmation.isUsed { other.call.takeRealtimeData(of: confirmation.own) }
        other.call.confidence = call.confidence
        other.confirmation = DepartureConfirmation(
            confirmation.own, of: self.timetable, own: confirmation.call, difference: -confirmation.difference,
            isUsed: !confirmation.isUsed, confirmation.agreement, confirmation.preference)
        return other
    }
}

extension ExpectedCall {
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
