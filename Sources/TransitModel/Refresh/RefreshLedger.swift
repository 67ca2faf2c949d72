/// The state of one host, which is preserved across restarts.
public struct HostRecord: Hashable, Sendable {
    public let host: HostID
    /// The number of failures since the last response from the host.
    public var consecutiveFailures = 0
    /// The number of consecutive backoff periods. Each period is longer than the previous one.
    public var pauses = 0
    /// The circuit is open: no request is sent to the host before this time.
    public var openUntil: ClockReading?
    /// No request is sent before this time because the host requested a delay (`Retry-After`).
    public var retryAfter: ClockReading?

    public init(_ host: HostID) { self.host = host }
}

/// The state of the refresh engine, which is preserved across restarts.
///
/// All ``BootTime`` values in it belong to the boot in ``boot``.
public struct RefreshLedger: Hashable, Sendable {
    public var boot: BootID?
    /// The time at which the ledger was last written, according to both clocks. Shows whether the wall clock was
    /// adjusted while the daemon was not running.
    public var written: ClockReading?
    public var datasets: [DatasetID: DatasetRecord]
    public var hosts: [HostID: HostRecord]
    /// Oldest first.
    public var spends: [BudgetSpend]

    public init(
        boot: BootID? = nil, written: ClockReading? = nil, datasets: [DatasetID: DatasetRecord] = [:],
        hosts: [HostID: HostRecord] = [:], spends: [BudgetSpend] = []
    ) {
        self.boot = boot
        self.written = written
        self.datasets = datasets
        self.hosts = hosts
        self.spends = spends
    }
}

/// Changes to write to the ledger in one transaction.
///
/// Changes that could not be written are retained and combined with later changes by ``merge(_:)``.
public struct LedgerChanges: Hashable, Sendable {
    /// Whether to delete all existing records first because the ledger was converted to another boot.
    public var replacesAll = false
    public var boot: BootID
    public var written: ClockReading
    /// `nil` deletes a record.
    public var datasets: [DatasetID: DatasetRecord?] = [:]
    /// `nil` deletes a record.
    public var hosts: [HostID: HostRecord?] = [:]
    /// The charges to add.
    public var spends: [BudgetSpend] = []
    /// The recorded charges to remove, because their requests were not sent.
    public var refunds: [BudgetSpend] = []
    /// For each key, the time before which charges are no longer needed.
    public var spendsEnd: [KeyName: BootTime] = [:]

    public init(boot: BootID, written: ClockReading) {
        self.boot = boot
        self.written = written
    }

    /// Whether the changes consist only of the time.
    public var isEmpty: Bool {
        !replacesAll && datasets.isEmpty && hosts.isEmpty && spends.isEmpty && refunds.isEmpty && spendsEnd.isEmpty
    }

    /// Removes a charge, whether or not it is among these changes.
    public mutating func addRefund(_ spend: BudgetSpend) {
        if let position = spends.lastIndex(of: spend) { spends.remove(at: position) } else { refunds.append(spend) }
    }

    /// Adds later changes, which take precedence.
    public mutating func merge(_ later: LedgerChanges) {
        if later.replacesAll {
            self = later
            return
        }
        (boot, written) = (later.boot, later.written)
        datasets.merge(later.datasets) { $1 }
        hosts.merge(later.hosts) { $1 }
        spends += later.spends
        for refund in later.refunds { addRefund(refund) }
        spendsEnd.merge(later.spendsEnd) { $1 }
        for (key, end) in spendsEnd { spends.removeAll { $0.key == key && $0.at.boot < end } }
    }
}

extension RefreshLedger {
    /// Applies the changes in memory, like a store does on disk.
    public mutating func apply(_ changes: LedgerChanges) {
        if changes.replacesAll { self = RefreshLedger() }
        (boot, written) = (changes.boot, changes.written)
        for (id, record) in changes.datasets { datasets[id] = record }
        for (host, record) in changes.hosts { hosts[host] = record }
        spends += changes.spends
        for refund in changes.refunds {
            if let position = spends.lastIndex(of: refund) { spends.remove(at: position) }
        }
        guard !changes.spendsEnd.isEmpty else { return }
        spends.removeAll { spend in changes.spendsEnd[spend.key].map { spend.at.boot < $0 } ?? false }
    }
}
