internal import TransitModel

/// Decides when a streaming connection is maintained, and when the dataset is still fetched. Times are in milliseconds
/// on a monotonic clock.
///
/// The refresh engine tracks the demand. While there is demand, it orders fetches frequently, and each order extends
/// the lease of the connection.
struct StreamLeases: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var leasedUntil: Int64
        var isHeld = false
        var isDelivering = false
        /// The time of the last full fetch.
        var lastFetch: Int64?
        var failures = 0
    }

    private var entries: [DatasetID: Entry] = [:]

    /// The duration of a lease. It exceeds the time between two orders while there is demand.
    static let lease: Int64 = 120_000
    /// The time between full fetches while the connection delivers changes.
    static let fullFetchInterval: Int64 = 120_000

    /// The response to a fetch order from the refresh engine.
    struct Decision: Hashable {
        /// Whether to fetch the dataset. Otherwise the connection keeps the data fresh.
        var mustFetch: Bool
        /// Whether to open a connection.
        var opensConnection: Bool
    }

    mutating func recordOrder(_ dataset: DatasetID, hasDemand: Bool, now: Int64) -> Decision {
        var entry = entries[dataset] ?? Entry(leasedUntil: now)
        if hasDemand { entry.leasedUntil = now + Self.lease }
        let opensConnection = hasDemand && !entry.isHeld
        if opensConnection { entry.isHeld = true }
        let isDue = entry.lastFetch.map { now - $0 >= Self.fullFetchInterval } ?? true
        let mustFetch = !entry.isDelivering || isDue
        if mustFetch { entry.lastFetch = now }
        entries[dataset] = entry
        return Decision(mustFetch: mustFetch, opensConnection: opensConnection)
    }

    /// Records a message from the connection.
    mutating func recordMessage(_ dataset: DatasetID) {
        entries[dataset]?.isDelivering = true
        entries[dataset]?.failures = 0
    }

    /// Returns whether to maintain the connection. If not, marks the connection as closed.
    mutating func isLeased(_ dataset: DatasetID, now: Int64) -> Bool {
        guard let entry = entries[dataset] else { return false }
        if now < entry.leasedUntil { return true }
        entries[dataset]?.isHeld = false
        entries[dataset]?.isDelivering = false
        return false
    }

    /// Records that the connection ended unexpectedly.
    ///
    /// - Returns: The number of consecutive connections that ended without a message.
    mutating func recordEnd(_ dataset: DatasetID) -> Int {
        entries[dataset]?.isDelivering = false
        entries[dataset]?.failures += 1
        return entries[dataset]?.failures ?? 1
    }

    /// Removes a dataset that has no connection.
    mutating func drop(_ dataset: DatasetID) { entries[dataset] = nil }

    func leasedUntil(_ dataset: DatasetID) -> Int64? { entries[dataset]?.leasedUntil }
    func isDelivering(_ dataset: DatasetID) -> Bool { entries[dataset]?.isDelivering ?? false }
}
