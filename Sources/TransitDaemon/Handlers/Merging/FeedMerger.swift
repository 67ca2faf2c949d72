internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Puts together what both feeds of a pair tell of the departures from some stops.
struct FeedMerger<Item> {
    var pair: FeedPair
    /// What is known to leave before is left out; plans of the first list that are past count where the other feed sees their
    /// vehicle still.
    var at: Instant
    var now: Instant
    /// The departure of an element.
    var call: (Item) -> ExpectedCall
    /// The last moment to set out for an element.
    var leaveBy: (Item) -> Instant
    /// What a timetable has around the moment for which a departure of the other one was planned, as it may be expected.
    var planned: (Timetable, Instant) -> [Item]
    /// Makes one element of two that are the same departure.
    var join: (Item, Item, DepartureMatcher.Entry) -> Item

    /// How often both are asked for more, where vehicles that are late leave gaps in what was asked for.
    private var maximumRounds: Int { 3 }

    /// The first ones in the order of leaving.
    ///
    /// - Parameter ask: gives so many of each feed.
    func list(count: Int, ask: (Int) -> (first: [Item], second: [Item])) throws(StoreError) -> [Item] {
        var list: [Item] = []
        var asked = count
        for _ in 0..<maximumRounds {
            let (first, second) = ask(asked)
            list = try self.list(first, second)
            let lacking = lacking(list, count, ends: [first, second].map { $0.count < asked ? nil : $0.last })
            if lacking == 0 { break }
            asked += lacking
        }
        return Array(list.prefix(count))
    }

    /// How many departures of the list lie so far behind the end of what was asked for that others may come before them.
    private func lacking(_ list: [Item], _ count: Int, ends: [Item?]) -> Int {
        guard let end = ends.compactMap({ $0.map { call($0).departure } }).min() else { return 0 }
        let known = end.advanced(by: DepartureMatcher.agreementTolerance)
        return count - list.prefix(count).count(where: { call($0).departure <= known })
    }

    /// What both lists tell, as one.
    private func list(_ first: [Item], _ second: [Item]) throws(StoreError) -> [Item] {
        var ours = MergeInput<Item>(timetable: pair.main)
        var theirs = MergeInput<Item>(timetable: pair.beside)
        for item in first { try ours.add(item, call(item), of: pair) }
        for item in second { try theirs.add(item, call(item), of: pair) }
        var entries = DepartureMatcher.reconcile(ours.matchCandidates, theirs.matchCandidates)
        let (ourCount, theirCount) = (ours.items.count, theirs.items.count)
        // One that is very late, or early, may stand outside of what was asked of the other feed.
        let alone = (
            ours: entries.compactMap { $0.second == nil ? $0.first : nil },
            theirs: entries.compactMap { $0.first == nil ? $0.second : nil }
        )
        try addCounterparts(of: alone.ours.map { ours.matchCandidates[$0] }, to: &theirs)
        try addCounterparts(of: alone.theirs.map { theirs.matchCandidates[$0] }, to: &ours)
        if ours.items.count > ourCount || theirs.items.count > theirCount {
            entries = DepartureMatcher.reconcile(ours.matchCandidates, theirs.matchCandidates)
        }
        let known = entries.compactMap { entry -> Item? in
            switch (entry.first, entry.second) {
            case (let one?, let other?):
                // Of what was not asked for only what belongs to one that was.
                one < ourCount || other < theirCount ? join(ours.items[one], theirs.items[other], entry) : nil
            case (let one?, nil): one < ourCount ? ours.items[one] : nil
            case (nil, let other?): other < theirCount ? theirs.items[other] : nil
            case (nil, nil): nil
            }
        }
        // The standard library's sort keeps the order of equal elements.
        return (known + ours.others + theirs.others).filter(isAhead)
            .sorted { call($0).departure < call($1).departure }
    }

    private func isAhead(_ item: Item) -> Bool {
        leaveBy(item) >= at && !(at >= now && call(item).status == .departed)
    }

    private func addCounterparts(
        of alone: [MatchCandidate], to side: inout MergeInput<Item>
    ) throws(StoreError) {
        guard side.timetable.hasTimes else { return }
        for plan in Set(alone.compactMap(\.planned)).sorted() {
            for item in planned(side.timetable, plan)
            where !side.items.contains(where: { call($0).isSameDeparture(as: call(item)) }) {
                try side.add(item, call(item), of: pair)
            }
        }
    }
}

/// How far departures of two feeds are compared.
enum MergeLimits {
    /// So many plans of the last minutes may be of vehicles that are late.
    static let maximumOverdue = 64
    /// So many departures of all routes may be planned within a few minutes.
    static let maximumPlanned = 64
}

/// What one feed tells: elements that can be compared, each with what it is compared by, and those that cannot.
private struct MergeInput<Item> {
    let timetable: Timetable
    var items: [Item] = []
    var matchCandidates: [MatchCandidate] = []
    var others: [Item] = []

    init(timetable: Timetable) { self.timetable = timetable }

    mutating func add(_ item: Item, _ call: ExpectedCall, of pair: FeedPair) throws(StoreError) {
        if let matchCandidate = try pair.matchCandidate(of: call, in: timetable) {
            items.append(item)
            matchCandidates.append(matchCandidate)
        } else {
            others.append(item)
        }
    }
}
