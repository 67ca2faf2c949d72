internal import TransitModel

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
        for id in fetchesInFlight.keys.sorted() {
            // The fetch was ordered during this save and waits for the next save.
            guard let pendingFetch = fetchesInFlight[id], pendingFetch.isHeld, written.covers(pendingFetch) else {
                continue
            }
            // The budget is more important than the age of one dataset: if the daemon were killed, an unsaved charge
            // would be lost.
            if isSaved || pendingFetch.spend == nil { release(id) } else { abandon(id) }
        }
    }
}

extension LedgerChanges {
    fileprivate func covers(_ pendingFetch: FetchInFlight) -> Bool {
        (datasets[pendingFetch.order.dataset] ?? nil)?.lastAttempt == pendingFetch.began
    }
}
