internal import TransitModel

/// After a start, a wake or a time without network, what is overdue comes one by one.
struct CatchUp: Hashable, Sendable {
    private var slots: [DatasetID: BootTime] = [:]

    /// Takes back every turn.
    mutating func clear() { slots = [:] }

    /// Gives each dataset a turn, in an order that chance decides; live data that are paid from one budget come by kind, since
    /// it may not be enough for all.
    ///
    /// - Parameters:
    ///   - spacing: seconds from one turn to the next; each comes somewhere within its own.
    ///   - key: whose budget a dataset is paid from.
    mutating func plan(
        _ datasets: [DatasetID], from start: BootTime, spacing: Int, jitter: Jitter,
        key: (DatasetID) -> KeyName? = { _ in nil }
    ) {
        let round = Int(truncatingIfNeeded: start.milliseconds)
        let order = datasets.map { (jitter.fraction($0, round), $0) }.sorted { $0 < $1 }
        let turns = Self.byKind(order.map(\.1), key)
        for (position, (id, (fraction, _))) in zip(turns, order).enumerated() {
            let turn = start.advanced(by: position * spacing)
            slots[id] = turn.advanced(byMilliseconds: Int64(Double(spacing) * 1000 * fraction))
        }
    }

    /// The same order, but that live datasets of one key have changed places.
    private static func byKind(_ order: [DatasetID], _ key: (DatasetID) -> KeyName?) -> [DatasetID] {
        var sorted = order
        let places = Dictionary(grouping: order.indices.filter { order[$0].kind.isLive && key(order[$0]) != nil }) {
            key(order[$0])
        }
        for places in places.values {
            let members = places.sorted { (order[$0].kind.rank, $0) < (order[$1].kind.rank, $1) }
            for (place, member) in zip(places, members) { sorted[place] = order[member] }
        }
        return sorted
    }

    func turn(of id: DatasetID) -> BootTime? { slots[id] }

    /// It has been fetched, or does not exist any more.
    mutating func remove(_ id: DatasetID) { slots[id] = nil }

    var count: Int { slots.count }
}
