internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Merges the departures from a set of stops in the two feeds of a pair.
struct FeedMerger<Item> {
    var pair: FeedPair
    /// The query time. Earlier departures are dropped. Overdue scheduled departures of the main feed are considered,
    /// because the other feed may still report their vehicles.
    var at: Instant
    var now: Instant
    /// Returns the departure of an item.
    var call: (Item) -> ExpectedCall
    /// Returns the latest time to set out for an item.
    var leaveBy: (Item) -> Instant
    /// Returns a timetable's items around the scheduled time of a departure in the other feed, with their expected
    /// times.
    var planned: (Timetable, Instant) -> [Item]
    /// Merges two items that are the same departure.
    var join: (Item, Item, DeparturePairing.Entry) -> Item

    /// The maximum number of queries per feed. Late vehicles leave gaps in the list that further queries fill.
    private var maximumRounds: Int { 3 }

    /// Returns the first items in order of departure.
    ///
    /// - Parameter fetch: Returns the given number of items from each feed.
    func list(count: Int, fetch: (Int) -> (first: [Item], second: [Item])) throws(StoreError) -> [Item] {
        var list: [Item] = []
        var requested = count
        for _ in 0..<maximumRounds {
            let (first, second) = fetch(requested)
            list = try self.list(first, second)
            let missing = missing(list, count, ends: [first, second].map { $0.count < requested ? nil : $0.last })
            if missing == 0 { break }
            requested += missing
        }
        return Array(list.prefix(count))
    }

    /// Returns how many of the first `count` departures are not certain yet, because the list does not have them or
    /// because a departure beyond the end of the query may precede them.
    private func missing(_ list: [Item], _ count: Int, ends: [Item?]) -> Int {
        guard let end = ends.compactMap({ $0.map { call($0).departure } }).min() else { return 0 }
        let known = end.advanced(by: DeparturePairing.agreementTolerance)
        return count - list.prefix(count).count(where: { call($0).departure <= known })
    }

    /// Merges the items of both feeds.
    private func list(_ first: [Item], _ second: [Item]) throws(StoreError) -> [Item] {
        var mainInput = MergeInput<Item>(timetable: pair.main)
        var supplementInput = MergeInput<Item>(timetable: pair.supplement)
        for item in first { try mainInput.add(item, call(item), of: pair) }
        for item in second { try supplementInput.add(item, call(item), of: pair) }
        var entries = DeparturePairing.reconcile(mainInput.matchCandidates, supplementInput.matchCandidates)
        let (mainCount, supplementCount) = (mainInput.items.count, supplementInput.items.count)
        // A very late or very early departure may be outside the range of the query to the other feed.
        let alone = (
            mainInput: entries.compactMap { $0.second == nil ? $0.first : nil },
            supplementInput: entries.compactMap { $0.first == nil ? $0.second : nil }
        )
        try addCounterparts(of: alone.mainInput.map { mainInput.matchCandidates[$0] }, to: &supplementInput)
        try addCounterparts(of: alone.supplementInput.map { supplementInput.matchCandidates[$0] }, to: &mainInput)
        if mainInput.items.count > mainCount || supplementInput.items.count > supplementCount {
            entries = DeparturePairing.reconcile(mainInput.matchCandidates, supplementInput.matchCandidates)
        }
        let known = entries.compactMap { entry -> Item? in
            switch (entry.first, entry.second) {
            case (let one?, let other?):
                // Keeps counterparts only if they match a queried item.
                one < mainCount || other < supplementCount
                    ? join(mainInput.items[one], supplementInput.items[other], entry) : nil
            case (let one?, nil): one < mainCount ? mainInput.items[one] : nil
            case (nil, let other?): other < supplementCount ? supplementInput.items[other] : nil
            case (nil, nil): nil
            }
        }
        // The standard library's sort keeps the order of equal elements.
        return (known + mainInput.others + supplementInput.others).filter(isAhead)
            .sorted { call($0).departure < call($1).departure }
    }

    private func isAhead(_ item: Item) -> Bool {
        leaveBy(item) >= at && !(at >= now && call(item).status == .departed)
    }

    private func addCounterparts(
        of alone: [PairingCandidate], to feedBoard: inout MergeInput<Item>
    ) throws(StoreError) {
        guard feedBoard.timetable.hasTimes else { return }
        for plan in Set(alone.compactMap(\.planned)).sorted() {
            for item in planned(feedBoard.timetable, plan)
            where !feedBoard.items.contains(where: { call($0).isSameDeparture(as: call(item)) }) {
                try feedBoard.add(item, call(item), of: pair)
            }
        }
    }
}

/// Limits for the comparison of two feeds.
enum MergeLimits {
    /// The maximum number of scheduled departures, in the last few minutes, whose vehicles may be late.
    static let maximumOverdue = 64
    /// The maximum number of scheduled departures of all routes within a few minutes.
    static let maximumPlanned = 64
}

/// The items of one feed: those that can be compared, with their match candidates, and those that cannot.
private struct MergeInput<Item> {
    let timetable: Timetable
    var items: [Item] = []
    var matchCandidates: [PairingCandidate] = []
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
