internal import Synchronization
internal import TransitFeeds
internal import TransitModel
internal import TransitSystem

/// The ``MemoryLedger`` of this process, with the imports that wait for their turn.
final class MemoryReservations: Sendable {
    /// An import's share of the memory, which is returned by ``release()`` or when the last reference disappears.
    final class Reservation: Sendable {
        /// The number of bytes that the import may take, which is more than its estimate if memory is free.
        let allowance: MemoryAllowance
        /// Whether other imports have run at the same time, so that the measured memory may be theirs.
        var hadCompany: Bool { owner.hadCompany(ticket) }
        private let ticket: MemoryLedger.Ticket
        private let owner: MemoryReservations
        private let isReleased = Mutex(false)

        fileprivate init(_ ticket: MemoryLedger.Ticket, _ allowance: MemoryAllowance, _ owner: MemoryReservations) {
            (self.ticket, self.allowance, self.owner) = (ticket, allowance, owner)
        }

        deinit { release() }

        /// Ends the reservation. Only the first call has an effect.
        func release() {
            let isFirst = isReleased.withLock { isReleased in
                defer { isReleased = true }
                return !isReleased
            }
            if isFirst { owner.release(ticket) }
        }
    }

    private struct State {
        var ledger: MemoryLedger
        var waiting: [MemoryLedger.Ticket: ResultBox<MemoryLedger.Decision?>] = [:]
        /// The running imports that have not been alone all the time.
        var accompanied: Set<MemoryLedger.Ticket> = []
        /// The memory of the process before the first of the running imports.
        var memoryBeforeImports: UInt64 = 0
    }

    private let state: Mutex<State>
    private let limit: @Sendable () -> MemoryLimit
    private let resident: @Sendable () -> UInt64
    private let trim: @Sendable () -> Void

    /// - Parameters:
    ///   - limit: Returns the memory limit of the process, which can change while it runs.
    ///   - resident: Returns the memory that the process uses.
    ///   - trim: Returns freed memory to the system.
    init(
        limit: @escaping @Sendable () -> MemoryLimit = { MemoryLimit.ofProcess() },
        resident: @escaping @Sendable () -> UInt64 = { UInt64(ProcessMemory.resident()) },
        trim: @escaping @Sendable () -> Void = ProcessMemory.trim
    ) {
        (self.limit, self.resident, self.trim) = (limit, resident, trim)
        state = Mutex(State(ledger: MemoryLedger(limit: limit().forData)))
    }

    // MARK: Imports

    /// Reserves memory for an import. Blocks until it is the import's turn.
    ///
    /// - Parameters:
    ///   - bytes: The memory that the import is expected to take; `nil` for all memory of imports, which no other import
    ///     may use in the meantime.
    ///   - isCollection: Whether the import takes hours and little memory, so that no other one waits for its end.
    ///   - waits: Called once before blocking.
    /// - Throws: ``FeedError/limit(_:)`` if there is not enough memory even for this import alone, and
    ///   ``FeedError/canceled`` when the flag is set.
    func reserve(
        _ bytes: UInt64?, for feed: FeedID, isCollection: Bool = false, until flag: CancellationFlag,
        waits: () -> Void = {}
    ) throws(FeedError) -> Reservation {
        let limit = limit().forData
        let resultBox = ResultBox<MemoryLedger.Decision?>()
        let (ticket, first) = state.withLock { state -> (MemoryLedger.Ticket, MemoryLedger.Decision) in
            state.ledger.limit = limit
            Self.grantNext(&state)
            let claim = MemoryLedger.Claim(
                feed: feed, bytes: bytes ?? state.ledger.available, isAlone: bytes == nil, isCollection: isCollection)
            if state.ledger.runningCount == 0 { state.memoryBeforeImports = resident() }
            let (ticket, decision) = state.ledger.request(claim)
            if decision == .waiting { state.waiting[ticket] = resultBox }
            if decision == .granted { Self.noteCompany(&state) }
            return (ticket, decision)
        }
        var decision: MemoryLedger.Decision? = first
        if first == .waiting {
            waits()
            flag.onSet { resultBox.fulfill(nil) }
            decision = resultBox.wait()
        }
        switch decision {
        case .granted: return Reservation(ticket, allowance(), self)
        case .refused(let available): throw .limit(.memory(bytes ?? available, limit: available))
        case .waiting, nil:
            release(ticket)
            throw .canceled
        }
    }

    private func allowance() -> MemoryAllowance {
        let (limit, base) = state.withLock { ($0.ledger.available, $0.memoryBeforeImports) }
        return MemoryAllowance(limit: limit, base: base, inUse: resident)
    }

    private func hadCompany(_ ticket: MemoryLedger.Ticket) -> Bool {
        state.withLock { $0.accompanied.contains(ticket) }
    }

    private static func noteCompany(_ state: inout State) {
        if state.ledger.runningCount > 1 { state.accompanied.formUnion(state.ledger.runningTickets) }
    }

    private func release(_ ticket: MemoryLedger.Ticket) {
        let due = state.withLock { state -> [(ResultBox<MemoryLedger.Decision?>, MemoryLedger.Decision)] in
            state.waiting[ticket] = nil
            state.accompanied.remove(ticket)
            let wasLast = state.ledger.isOnlyImport(ticket)
            if wasLast { trim() }
            let decided = state.ledger.release(ticket)
            if wasLast, state.ledger.runningCount > 0 { state.memoryBeforeImports = resident() }
            Self.noteCompany(&state)
            return decided.compactMap { ticket, decision in
                state.waiting.removeValue(forKey: ticket).map { ($0, decision) }
            }
        }
        for (resultBox, decision) in due { resultBox.fulfill(decision) }
    }

    // MARK: Data in use

    /// Records the memory of data that comes into use in place of the holder's previous data. Returns false if all data
    /// in use would exceed the limit; the new data must then not be used.
    func hold(_ bytes: Int, as holder: MemoryLedger.Holder) -> Bool {
        state.withLock { $0.ledger.hold(UInt64(max(0, bytes)), as: holder) }
    }

    /// Records the memory of data that is in use; 0 if it no longer is.
    func record(_ bytes: Int, as holder: MemoryLedger.Holder) {
        state.withLock { state in
            state.ledger.record(UInt64(max(0, bytes)), as: holder)
            Self.grantNext(&state)
        }
    }

    /// Decides about the imports whose turn has come because data in use, or the limit, has changed.
    private static func grantNext(_ state: inout State) {
        let decided = state.ledger.grantNext()
        noteCompany(&state)
        for (ticket, decision) in decided { state.waiting.removeValue(forKey: ticket)?.fulfill(decision) }
    }

    func removeFeeds(except known: [FeedID]) {
        state.withLock { state in
            state.ledger.removeFeeds(except: Set(known))
            Self.grantNext(&state)
        }
    }
}
