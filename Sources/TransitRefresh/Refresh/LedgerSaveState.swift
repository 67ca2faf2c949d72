internal import TransitModel

/// The unsaved changes of the ledger and the state of saving them.
struct LedgerSaveState: Hashable, Sendable {
    /// Changes that are not being saved yet.
    private var unsaved: LedgerChanges
    /// Changes that are being saved.
    fileprivate private(set) var inProgress: LedgerChanges?
    /// The time of the next attempt, if the last one failed.
    private(set) var nextRetry: BootTime?

    /// The number of seconds between a failed attempt and the next attempt.
    static let retryInterval = 30

    /// The time from which a request may be sent that the ledger does not record. The previous run may have ended just
    /// after it sent such a request, so the spacing of the endpoint must have passed since the start.
    let unrecordedRequestsBegin: BootTime

    /// - Parameter spacing: The number of seconds between two requests to one endpoint.
    init(_ ledger: RefreshLedger, boot: BootID, spacing: Int, at now: ClockReading) {
        unsaved = LedgerChanges(boot: boot, written: now)
        unrecordedRequestsBegin = now.boot.advanced(by: ledger.written == nil ? 0 : spacing)
    }

    var isSaveFailing: Bool { nextRetry != nil }
    var isIdle: Bool { inProgress == nil }
    var isEmpty: Bool { unsaved.isEmpty }

    mutating func stage(_ record: DatasetRecord) { unsaved.datasets.updateValue(record, forKey: record.id) }
    mutating func stage(_ record: HostRecord) { unsaved.hosts.updateValue(record, forKey: record.host) }
    mutating func stage(_ spend: BudgetSpend) { unsaved.spends.append(spend) }
    mutating func stageRemoval(of id: DatasetID) { unsaved.datasets.updateValue(nil, forKey: id) }
    mutating func stageRemoval(of host: HostID) { unsaved.hosts.updateValue(nil, forKey: host) }
    /// Removes a charge that was not saved.
    mutating func refund(_ spend: BudgetSpend) { unsaved.spends.removeAll { $0 == spend } }
    /// Removes a charge that may have been saved.
    mutating func stageRefund(_ spend: BudgetSpend) { unsaved.addRefund(spend) }

    mutating func drop(_ key: KeyName, before end: BootTime) {
        unsaved.spendsEnd[key] = end
        unsaved.spends.removeAll { $0.key == key && $0.at.boot < end }
    }

    /// Schedules a save of the whole ledger, because the saved ledger is from another boot.
    mutating func replaceAll(with ledger: RefreshLedger, at now: ClockReading) {
        unsaved = LedgerChanges(boot: unsaved.boot, written: now)
        unsaved.replacesAll = true
        unsaved.datasets = ledger.datasets.mapValues { $0 }
        unsaved.hosts = ledger.hosts.mapValues { $0 }
        unsaved.spends = ledger.spends
    }

    /// Returns the changes to save now; `nil` if there are no changes, a save is in progress, or the next attempt is
    /// not due.
    fileprivate mutating func nextSave(_ now: ClockReading) -> LedgerChanges? {
        guard inProgress == nil, !unsaved.isEmpty, nextRetry.map({ $0 <= now.boot }) ?? true else { return nil }
        unsaved.written = now
        inProgress = unsaved
        unsaved = LedgerChanges(boot: unsaved.boot, written: now)
        return inProgress
    }

    /// - Returns: Whether saving has started to fail or has recovered.
    fileprivate mutating func finishSave(_ isSaved: Bool, _ now: ClockReading) -> Bool {
        guard var changes = inProgress else { return false }
        inProgress = nil
        let wasFailing = isSaveFailing
        if isSaved {
            nextRetry = nil
        } else {
            changes.merge(unsaved)
            unsaved = changes
            nextRetry = now.boot.advanced(by: Self.retryInterval)
        }
        return wasFailing == isSaved
    }
}

extension RefreshEngine {
    /// Requests a save of the unsaved changes. Fetches that wait for the save start after it.
    mutating func save(_ now: ClockReading) {
        if let changes = saving.nextSave(now) { effects.append(.save(changes)) }
    }

    /// Handles the end of a save.
    mutating func handleSaveResult(_ isSaved: Bool, _ now: ClockReading) {
        guard let written = saving.inProgress else { return }
        if saving.finishSave(isSaved, now) { effects.append(.notice(isSaved ? .ledgerSaved : .ledgerUnsaved)) }
        answerSteps(isSaved, written, now)
        beginImports(in: written)
        for id in fetchesInFlight.keys.sorted() {
            // The fetch was ordered during this save and waits for the next save.
            guard let pendingFetch = fetchesInFlight[id], pendingFetch.isHeld, written.covers(pendingFetch) else {
                continue
            }
            // The budget is more important than the age of one dataset: if the daemon were killed, an unsaved charge
            // would be lost.
            let isPermitted = pendingFetch.charges.isEmpty && now.boot >= saving.unrecordedRequestsBegin
            if isSaved || isPermitted { release(id) } else { abandon(id) }
        }
    }
}

extension LedgerChanges {
    fileprivate func covers(_ pendingFetch: FetchInFlight) -> Bool {
        (datasets[pendingFetch.order.dataset] ?? nil)?.lastAttempt == pendingFetch.began
    }
}
