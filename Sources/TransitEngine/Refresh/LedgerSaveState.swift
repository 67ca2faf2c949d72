internal import TransitModel

/// What the ledger does not have yet, and how writing it goes.
struct LedgerSaveState: Hashable, Sendable {
    /// Not given away to be written.
    private var unsaved: LedgerChanges
    /// Being written.
    private(set) var inProgress: LedgerChanges?
    /// Since the last attempt failed: when to try again.
    private(set) var nextRetry: BootTime?

    /// Seconds from one attempt that failed to the next.
    static let retry = 30

    init(_ empty: LedgerChanges) { unsaved = empty }

    var isSaveFailing: Bool { nextRetry != nil }
    var isIdle: Bool { inProgress == nil }
    var isEmpty: Bool { unsaved.isEmpty }

    mutating func note(_ record: DatasetRecord) { unsaved.datasets.updateValue(record, forKey: record.id) }
    mutating func note(_ record: HostRecord) { unsaved.hosts.updateValue(record, forKey: record.host) }
    mutating func note(_ spend: BudgetSpend) { unsaved.spends.append(spend) }
    mutating func forget(_ id: DatasetID) { unsaved.datasets.updateValue(nil, forKey: id) }
    mutating func forget(_ host: HostID) { unsaved.hosts.updateValue(nil, forKey: host) }
    mutating func refund(_ spend: BudgetSpend) { unsaved.spends.removeAll { $0 == spend } }

    mutating func drop(_ key: KeyName, before end: BootTime) {
        unsaved.spendsEnd[key] = end
        unsaved.spends.removeAll { $0.key == key && $0.at.boot < end }
    }

    /// The ledger is of another boot: all of it is written anew.
    mutating func replaceAll(with ledger: RefreshLedger, at now: ClockReading) {
        unsaved = LedgerChanges(boot: unsaved.boot, written: now)
        unsaved.replacesAll = true
        unsaved.datasets = ledger.datasets.mapValues { $0 }
        unsaved.hosts = ledger.hosts.mapValues { $0 }
        unsaved.spends = ledger.spends
    }

    /// What is to be written now, if anything is, and nothing is being written, and it is not known to be in vain.
    mutating func next(_ now: ClockReading) -> LedgerChanges? {
        guard inProgress == nil, !unsaved.isEmpty, nextRetry.map({ $0 <= now.boot }) ?? true else { return nil }
        unsaved.written = now
        inProgress = unsaved
        unsaved = LedgerChanges(boot: unsaved.boot, written: now)
        return inProgress
    }

    /// - Returns: whether it went from good to bad, or from bad to good.
    mutating func ended(_ isSaved: Bool, _ now: ClockReading) -> Bool {
        guard var work = inProgress else { return false }
        inProgress = nil
        let wasInTrouble = isSaveFailing
        if isSaved {
            nextRetry = nil
        } else {
            work.merge(unsaved)
            unsaved = work
            nextRetry = now.boot.advanced(by: Self.retry)
        }
        return wasInTrouble == isSaved
    }
}
