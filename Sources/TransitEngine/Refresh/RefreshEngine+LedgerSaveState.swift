internal import TransitModel

extension RefreshEngine {
    /// Gives away what is to be written. Fetches that wait for it begin when it was.
    mutating func save(_ now: ClockReading) {
        if let changes = saving.next(now) { effects.append(.save(changes)) }
    }

    /// The ledger was written, or could not be.
    mutating func saved(_ isSaved: Bool, _ now: ClockReading) {
        guard let written = saving.inProgress else { return }
        if saving.ended(isSaved, now) { effects.append(.notice(isSaved ? .ledgerSaved : .ledgerUnsaved)) }
        answerSteps(isSaved, written, now)
        for id in flights.keys.sorted() {
            // Ordered while another writing was under way: its turn is next.
            guard let flight = flights[id], flight.isHeld, written.covers(flight) else { continue }
            // The budget is worth more than one dataset's age: after a kill nobody would know of this spend.
            if isSaved || flight.spend == nil { release(id) } else { abandon(id) }
        }
    }
}

extension LedgerChanges {
    fileprivate func covers(_ flight: FetchInFlight) -> Bool {
        (datasets[flight.order.dataset] ?? nil)?.lastAttempt == flight.began
    }
}
