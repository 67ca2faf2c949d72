internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// A departure of an answer: whose it is, and what another feed of the agency tells of it.
struct ToldCall {
    var timetable: Timetable
    var call: ExpectedCall
    /// `nil`: no other feed tells of it.
    var witness: Witness?

    /// What the other feed tells. An object, since most departures have none and carry its place along.
    final class Witness: Sendable {
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
    init(_ first: ExpectedCall, _ second: ExpectedCall, of pair: FeedPair, by entry: Reconciliation.Entry) {
        let joined = Reconciliation.joined(first, second, by: entry)
        let difference = entry.difference ?? 0
        timetable = joined.isFirst ? pair.main : pair.beside
        call = joined.call
        witness = Witness(
            joined.isFirst ? second : first, of: joined.isFirst ? pair.beside : pair.main,
            difference: joined.isFirst ? difference : -difference, isAgreed: entry.isAgreed,
            isUsed: joined.isFirst != entry.isFirstShown)
    }
}

/// Puts together what both feeds of a pair tell of the departures from some stops.
struct ToldTogether {
    var pair: FeedPair

    /// So many plans of the last minutes may be of vehicles that are late.
    static let mostLate = 64

    /// What both lists tell, as one, in the order of leaving.
    ///
    /// - Parameters:
    ///   - at: what is known to leave before is left out; plans of the first list that are past count where the other feed sees
    ///     their vehicle still.
    ///   - call: the departure of an element.
    ///   - join: makes one element of two that are the same departure.
    func list<Item>(
        _ first: [Item], _ second: [Item], at: Instant, call: (Item) -> ExpectedCall,
        join: (Item, Item, Reconciliation.Entry) -> Item
    ) throws(StoreError) -> [Item] {
        let ours = try Testified(first, in: pair.main, of: pair, call)
        let theirs = try Testified(second, in: pair.beside, of: pair, call)
        let entries = Reconciliation.reconcile(ours.testimonies, theirs.testimonies)
        let known = entries.compactMap { entry -> Item? in
            switch (entry.first.map { ours.items[$0] }, entry.second.map { theirs.items[$0] }) {
            case (let one?, let other?): join(one, other, entry)
            case (let item?, nil), (nil, let item?): item
            case (nil, nil): nil
            }
        }
        // The standard library's sort keeps the order of equal elements.
        return (known + ours.others + theirs.others).filter { call($0).departure >= at }
            .sorted { call($0).departure < call($1).departure }
    }

    /// Elements that can be compared, each with what it is compared by, and those that cannot.
    private struct Testified<Item> {
        var items: [Item] = []
        var testimonies: [DepartureTestimony] = []
        var others: [Item] = []

        init(
            _ all: [Item], in timetable: Timetable, of pair: FeedPair, _ call: (Item) -> ExpectedCall
        ) throws(StoreError) {
            for item in all {
                if let testimony = try pair.testimony(of: call(item), in: timetable) {
                    items.append(item)
                    testimonies.append(testimony)
                } else {
                    others.append(item)
                }
            }
        }
    }
}

extension ExpectedCall {
    /// Whether it is nothing but a plan whose time is over: its vehicle may be late, and the other feed see it.
    func isPastPlan(at: Instant) -> Bool { source == .scheduled && isRunning && departure < at }
}
