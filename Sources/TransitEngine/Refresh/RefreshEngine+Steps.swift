internal import TransitModel

// Fetches that take many requests: each is paid for like a fetch.
extension RefreshEngine {
    /// A step that waits for the ledger.
    struct PendingStep: Hashable, Sendable {
        var ticket: UInt64
        var spend: BudgetSpend
    }

    /// A fetch wants to send another request.
    mutating func step(_ ticket: UInt64, _ id: DatasetID, _ now: ClockReading) {
        guard let flight = flights[id], flight.order.ticket == ticket, !flight.isCancelled else {
            return effects.append(.step(ticket: ticket, .gone))
        }
        guard let key = flight.order.source.key, let book = requestBudgets[key] else {
            return effects.append(.step(ticket: ticket, .allowed))
        }
        let earliest = max(
            book.earliest(flight.order.priority, isLive: false, now: now.boot),
            saving.nextRetry ?? BootTime(milliseconds: .min))
        guard earliest <= now.boot else { return effects.append(.step(ticket: ticket, .held(until: earliest))) }
        // Realtime data that is due has precedence, and its fetches begin at this moment.
        guard !isLiveDataDue(key, now) else {
            return effects.append(.step(ticket: ticket, .held(until: now.boot.advanced(by: 1))))
        }
        let spend = BudgetSpend(key: key, dataset: id, priority: flight.order.priority, at: now)
        requestBudgets[key]?.spend(spend)
        saving.note(spend)
        steps.append(PendingStep(ticket: ticket, spend: spend))
    }

    private func isLiveDataDue(_ key: KeyName, _ now: ClockReading) -> Bool {
        configuration.datasets.contains { id, dataset in
            guard id.kind.isRealtime, dataset.source.key == key, let at = readiness(id, now).at else { return false }
            return at <= now.boot
        }
    }

    /// The ledger was written, or could not be: after a kill nobody would know of a spend that it does not have.
    mutating func answerSteps(_ isSaved: Bool, _ written: LedgerChanges, _ now: ClockReading) {
        for step in steps where written.spends.contains(step.spend) {
            if !isSaved {
                requestBudgets[step.spend.key]?.refund(step.spend)
                saving.refund(step.spend)
            }
            let held = StepAnswer.held(until: saving.nextRetry ?? now.boot.advanced(by: LedgerSaveState.retry))
            effects.append(.step(ticket: step.ticket, isSaved ? .allowed : held))
        }
        steps.removeAll { written.spends.contains($0.spend) }
    }
}
