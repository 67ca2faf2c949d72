internal import TransitModel

/// After a start, a wake or a time without network, what is overdue comes one by one.
struct CatchUp: Hashable, Sendable {
    private var slots: [DatasetID: BootTime] = [:]

    /// Takes back every turn.
    mutating func clear() { slots = [:] }

    /// Gives each dataset a turn, in an order that chance decides.
    ///
    /// - Parameter spacing: seconds from one turn to the next; each comes somewhere within its own.
    mutating func plan(_ datasets: [DatasetID], from start: BootTime, spacing: Int, jitter: Jitter) {
        let round = Int(truncatingIfNeeded: start.milliseconds)
        let order = datasets.map { (jitter.fraction($0, round), $0) }.sorted { $0 < $1 }
        for (position, (fraction, id)) in order.enumerated() {
            let turn = start.advanced(by: position * spacing)
            slots[id] = turn.advanced(byMilliseconds: Int64(Double(spacing) * 1000 * fraction))
        }
    }

    func turn(of id: DatasetID) -> BootTime? { slots[id] }

    /// It has been fetched, or does not exist any more.
    mutating func remove(_ id: DatasetID) { slots[id] = nil }

    var count: Int { slots.count }
}
