internal import TransitModel

// Handles fetches that consist of many requests, each of which is charged like a fetch.
extension RefreshEngine {
    /// A request that waits for the ledger.
    struct PendingStep: Hashable, Sendable {
        var ticket: UInt64
        var spend: BudgetSpend
    }

    /// Handles a fetch that is about to send another request.
    mutating func step(_ ticket: UInt64, _ id: DatasetID, _ now: ClockReading) {
        guard let pendingFetch = fetchesInFlight[id], pendingFetch.order.ticket == ticket, !pendingFetch.isCancelled
        else {
            return effects.append(.step(ticket: ticket, .canceled))
        }
        guard let key = pendingFetch.order.source.key, let budget = requestBudgets[key] else {
            return effects.append(.step(ticket: ticket, .allowed))
        }
        let earliest = max(
            budget.earliest(pendingFetch.order.priority, isRealtime: false, now: now.boot),
            saving.nextRetry ?? BootTime(milliseconds: .min))
        guard earliest <= now.boot else { return effects.append(.step(ticket: ticket, .held(until: earliest))) }
        // Realtime data that is due takes precedence and is fetched now.
        guard !isLiveDataDue(key, now) else {
            return effects.append(.step(ticket: ticket, .held(until: now.boot.advanced(by: 1))))
        }
        let spend = BudgetSpend(key: key, dataset: id, priority: pendingFetch.order.priority, at: now)
        requestBudgets[key]?.spend(spend)
        saving.stage(spend)
        steps.append(PendingStep(ticket: ticket, spend: spend))
    }

    private func isLiveDataDue(_ key: KeyName, _ now: ClockReading) -> Bool {
        configuration.datasets.contains { id, dataset in
            guard id.kind.isRealtime, dataset.source.key == key, let at = readiness(id, now).at else { return false }
            return at <= now.boot
        }
    }

    /// Records whether a fetch reads a timetable. The import begins when the ledger contains this, or if the ledger
    /// cannot be saved.
    mutating func recordImport(_ ticket: UInt64, _ id: DatasetID, isReading: Bool) {
        guard let pendingFetch = fetchesInFlight[id], pendingFetch.order.ticket == ticket, !pendingFetch.isCancelled,
            var record = datasets[id]
        else {
            if isReading { effects.append(.step(ticket: ticket, .canceled)) }
            return
        }
        record.isImporting = isReading
        datasets[id] = record
        saving.stage(record)
        guard isReading else { return }
        if saving.isSaveFailing {
            effects.append(.step(ticket: ticket, .allowed))
        } else {
            startingImports[id] = ticket
        }
    }

    /// Begins the imports that a save, or the attempt at it, contained.
    mutating func beginImports(in written: LedgerChanges) {
        for (id, ticket) in startingImports where (written.datasets[id] ?? nil)?.isImporting == true {
            startingImports[id] = nil
            effects.append(.step(ticket: ticket, .allowed))
        }
    }

    /// Replies to the steps whose charges were in a save. A charge that is not in the ledger would be lost if the
    /// daemon were killed.
    mutating func answerSteps(_ isSaved: Bool, _ written: LedgerChanges, _ now: ClockReading) {
        for step in steps where written.spends.contains(step.spend) {
            if !isSaved {
                requestBudgets[step.spend.key]?.refund(step.spend)
                saving.refund(step.spend)
            } else if fetchesInFlight[step.spend.dataset]?.order.ticket == step.ticket {
                fetchesInFlight[step.spend.dataset]?.charges.append(step.spend)
            }
            let held = StepPermission.held(
                until: saving.nextRetry ?? now.boot.advanced(by: LedgerSaveState.retryInterval))
            effects.append(.step(ticket: step.ticket, isSaved ? .allowed : held))
        }
        steps.removeAll { written.spends.contains($0.spend) }
    }
}
