/// What has to outlive a restart about one host.
public struct HostRecord: Hashable, Sendable {
    public let host: HostID
    /// Failures since the host last answered.
    public var consecutiveFailures = 0
    /// How many pauses followed one another; each is longer than the one before it.
    public var pauses = 0
    /// Nobody is asked before this moment: the circuit is open.
    public var openUntil: ClockReading?
    /// The same, because the host said so (`Retry-After`).
    public var retryAfter: ClockReading?

    public init(_ host: HostID) { self.host = host }
}

/// Everything that the refresh engine keeps across restarts.
///
/// All ``BootTime``s in it belong to the boot that ``boot`` names.
public struct RefreshLedger: Hashable, Sendable {
    public var boot: BootID?
    /// When it was last written, with both clocks; tells whether the wall clock was set while nobody looked.
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

/// What is to be written to the ledger, in one transaction: all of it, or nothing.
///
/// Changes that could not be written are kept and ``merge(_:)``d with the next ones.
public struct LedgerChanges: Hashable, Sendable {
    /// Everything that was there goes first: the ledger was carried over from another boot.
    public var replacesAll = false
    public var boot: BootID
    public var written: ClockReading
    /// `nil` takes one out.
    public var datasets: [DatasetID: DatasetRecord?] = [:]
    /// `nil` takes one out.
    public var hosts: [HostID: HostRecord?] = [:]
    /// To be added.
    public var spends: [BudgetSpend] = []
    /// Of a key, spends before this moment are not needed any more.
    public var spendsEnd: [KeyName: BootTime] = [:]

    public init(boot: BootID, written: ClockReading) {
        self.boot = boot
        self.written = written
    }

    /// Whether there is nothing to write but the time.
    public var isEmpty: Bool {
        !replacesAll && datasets.isEmpty && hosts.isEmpty && spends.isEmpty && spendsEnd.isEmpty
    }

    /// Adds later changes; those win.
    public mutating func merge(_ later: LedgerChanges) {
        if later.replacesAll {
            self = later
            return
        }
        (boot, written) = (later.boot, later.written)
        datasets.merge(later.datasets) { $1 }
        hosts.merge(later.hosts) { $1 }
        spends += later.spends
        spendsEnd.merge(later.spendsEnd) { $1 }
        for (key, end) in spendsEnd { spends.removeAll { $0.key == key && $0.at.boot < end } }
    }
}

extension RefreshLedger {
    /// Makes the changes in memory, as a store does on the disk.
    public mutating func apply(_ changes: LedgerChanges) {
        if changes.replacesAll { self = RefreshLedger() }
        (boot, written) = (changes.boot, changes.written)
        for (id, record) in changes.datasets { datasets[id] = record }
        for (host, record) in changes.hosts { hosts[host] = record }
        spends += changes.spends
        guard !changes.spendsEnd.isEmpty else { return }
        spends.removeAll { spend in changes.spendsEnd[spend.key].map { spend.at.boot < $0 } ?? false }
    }
}
