internal import TransitModel

/// The order in which overdue datasets are fetched one by one after a start, a resume or a network outage.
struct CatchUpSchedule: Hashable, Sendable {
    private var slots: [DatasetID: BootTime] = [:]

    /// Removes all turns.
    mutating func clear() { slots = [:] }

    /// Assigns each dataset a turn in random order. Realtime datasets that share a budget are ordered by kind, because
    /// the budget may not cover all of them. Datasets that belong to no feed come last.
    ///
    /// - Parameters:
    ///   - spacing: The number of seconds between two turns. Each dataset is due at a random time within its turn.
    ///   - key: Returns the key whose budget is charged for a dataset.
    mutating func plan(
        _ datasets: [DatasetID], from start: BootTime, spacing: Int, jitter: Jitter,
        key: (DatasetID) -> KeyName? = { _ in nil }
    ) {
        let round = Int(truncatingIfNeeded: start.milliseconds)
        let order = datasets.map { (jitter.fraction($0, round), $0) }.sorted { $0 < $1 }
        let sorted = Self.byKind(order.map(\.1), key)
        // No departure waits for the weather.
        let turns = sorted.filter { !$0.kind.isExternal } + sorted.filter(\.kind.isExternal)
        for (position, (id, (fraction, _))) in zip(turns, order).enumerated() {
            let slot = start.advanced(by: position * spacing)
            slots[id] = slot.advanced(byMilliseconds: Int64(Double(spacing) * 1000 * fraction))
        }
    }

    /// Returns the same order, except that the realtime datasets of each key are sorted by kind among the positions
    /// that they occupy.
    private static func byKind(_ order: [DatasetID], _ key: (DatasetID) -> KeyName?) -> [DatasetID] {
        var sorted = order
        let places = Dictionary(grouping: order.indices.filter { order[$0].kind.isRealtime && key(order[$0]) != nil }) {
            key(order[$0])
        }
        for places in places.values {
            let members = places.sorted { (order[$0].kind.rank, $0) < (order[$1].kind.rank, $1) }
            for (place, member) in zip(places, members) { sorted[place] = order[member] }
        }
        return sorted
    }

    func slot(of id: DatasetID) -> BootTime? { slots[id] }

    /// Removes the turn of a dataset that was fetched or is no longer configured.
    mutating func remove(_ id: DatasetID) { slots[id] = nil }

    var count: Int { slots.count }
}
