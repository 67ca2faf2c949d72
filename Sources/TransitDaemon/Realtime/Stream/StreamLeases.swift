internal import TransitModel

/// Decides when a live connection is held, and when the dataset is asked for beside it; times are milliseconds of a clock that never
/// goes back.
///
/// The refresh engine knows who is interested: its orders for the dataset come often while somebody is, and each of them
/// keeps the connection for some time more.
struct StreamLeases: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var leasedUntil: Int64
        var isHeld = false
        var isDelivering = false
        /// When the dataset was last asked for as a whole.
        var asked: Int64?
        var failures = 0
    }

    private var entries: [DatasetID: Entry] = [:]

    /// Longer than the time between two orders while somebody is interested.
    static let lease: Int64 = 120_000
    /// While the connection tells what changes near, the whole is asked for so seldom.
    static let fullFetchInterval: Int64 = 120_000

    /// What an order of the refresh engine comes to.
    struct Answer: Hashable {
        /// Whether the dataset is to be asked for; else what is known is as good as new.
        var mustFetch: Bool
        /// Whether a connection is to be begun.
        var begins: Bool
    }

    mutating func ordered(_ dataset: DatasetID, isWanted: Bool, now: Int64) -> Answer {
        var entry = entries[dataset] ?? Entry(leasedUntil: now)
        if isWanted { entry.leasedUntil = now + Self.lease }
        let begins = isWanted && !entry.isHeld
        if begins { entry.isHeld = true }
        let isDue = entry.asked.map { now - $0 >= Self.fullFetchInterval } ?? true
        let mustFetch = !entry.isDelivering || isDue
        if mustFetch { entry.asked = now }
        entries[dataset] = entry
        return Answer(mustFetch: mustFetch, begins: begins)
    }

    /// A message came over the connection.
    mutating func received(_ dataset: DatasetID) {
        entries[dataset]?.isDelivering = true
        entries[dataset]?.failures = 0
    }

    /// Whether the connection is to be held still; when not, it is no more.
    mutating func isWanted(_ dataset: DatasetID, now: Int64) -> Bool {
        guard let entry = entries[dataset] else { return false }
        if now < entry.leasedUntil { return true }
        entries[dataset]?.isHeld = false
        entries[dataset]?.isDelivering = false
        return false
    }

    /// The connection has ended by itself.
    ///
    /// - Returns: how many have in a row, without telling anything between.
    mutating func ended(_ dataset: DatasetID) -> Int {
        entries[dataset]?.isDelivering = false
        entries[dataset]?.failures += 1
        return entries[dataset]?.failures ?? 1
    }

    /// There is no connection to hold any more.
    mutating func drop(_ dataset: DatasetID) { entries[dataset] = nil }

    func leasedUntil(_ dataset: DatasetID) -> Int64? { entries[dataset]?.leasedUntil }
    func isDelivering(_ dataset: DatasetID) -> Bool { entries[dataset]?.isDelivering ?? false }
}
