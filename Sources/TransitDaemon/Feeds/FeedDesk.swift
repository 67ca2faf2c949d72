internal import Synchronization
internal import TransitStore

/// Who waits for the update of a feed: at most one runs at a time, and everybody who asks meanwhile shares it.
///
/// The decisions are ``FeedQueue``'s; this keeps the continuations, and can be left from a cancellation handler.
final class FeedDesk: Sendable {
    typealias Outcome = FeedImport.Outcome
    private let queue = Mutex(FeedQueue<Asker>())
    private let wake: AsyncStream<Void>.Continuation
    /// One element for each time that something may be waiting.
    let work: AsyncStream<Void>

    private struct Asker: Sendable {
        /// `nil`: nobody waits, but the update is wanted.
        var continuation: CheckedContinuation<Outcome, Never>?
        var progress: FeedImport.Report
    }

    /// Whoever asks after the last update has ended is told this.
    private static let stopped = Outcome(outcome: .cancelled, message: "The daemon is stopping.")
    private static let left = Outcome(outcome: .cancelled, message: "The update was cancelled.")

    init() {
        (work, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Waits for the outcome of an update, which begins now unless one runs that will do.
    func ask(isForced: Bool, progress: @escaping FeedImport.Report) async -> Outcome {
        let ticket = queue.withLock { $0.ticket() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let asker = Asker(continuation: continuation, progress: progress)
                let isOpen = queue.withLock { $0.enter(ticket, asker, isForced: isForced) }
                guard isOpen else { return continuation.resume(returning: Self.stopped) }
                wake.yield()
                // Cancelled before it was entered.
                if Task.isCancelled { leave(ticket) }
            }
        } onCancel: {
            leave(ticket)
        }
    }

    /// Wants an update without waiting for it.
    func request() {
        let isOpen = queue.withLock { queue in
            queue.enter(queue.ticket(), Asker(continuation: nil, progress: { _ in }), isForced: false)
        }
        if isOpen { wake.yield() }
    }

    private func leave(_ ticket: Int) {
        let asker = queue.withLock { $0.leave(ticket) }
        asker?.continuation?.resume(returning: Self.left)
    }

    /// Begins the update of those who wait; `nil` when nobody does.
    func begin() -> (flag: CancellationFlag, isForced: Bool)? { queue.withLock { $0.begin() } }

    func report(_ progress: UpdateProgress) {
        for asker in queue.withLock({ $0.served }) { asker.progress(progress) }
    }

    func end(_ outcome: Outcome) {
        for asker in queue.withLock({ $0.end() }) { asker.continuation?.resume(returning: outcome) }
    }

    /// Nobody is served any more; a running update is told to stop.
    func close() {
        for asker in queue.withLock({ $0.close() }) { asker.continuation?.resume(returning: Self.stopped) }
        wake.finish()
    }
}

/// The order in which askers are served. A plain value.
struct FeedQueue<Asker> {
    private struct Running {
        var flag: CancellationFlag
        var isForced: Bool
        var askers: [Int: Asker]
    }

    private var running: Running?
    private var waiting: [Int: (asker: Asker, isForced: Bool)] = [:]
    private var lastTicket = 0
    private var isClosed = false

    mutating func ticket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    /// Joins the running update when that does what is asked for; false when nobody is served any more.
    mutating func enter(_ ticket: Int, _ asker: Asker, isForced: Bool) -> Bool {
        guard !isClosed else { return false }
        if let running, running.isForced || !isForced, !running.flag.isSet {
            self.running?.askers[ticket] = asker
        } else {
            waiting[ticket] = (asker, isForced)
        }
        return true
    }

    /// An update that nobody waits for any more is told to stop. `nil` when the asker is not there.
    mutating func leave(_ ticket: Int) -> Asker? {
        if let (asker, _) = waiting.removeValue(forKey: ticket) { return asker }
        guard let asker = running?.askers.removeValue(forKey: ticket) else { return nil }
        if running?.askers.isEmpty == true { running?.flag.set() }
        return asker
    }

    mutating func begin() -> (flag: CancellationFlag, isForced: Bool)? {
        guard !waiting.isEmpty, running == nil else { return nil }
        let isForced = waiting.values.contains { $0.isForced }
        let flag = CancellationFlag()
        running = Running(flag: flag, isForced: isForced, askers: waiting.mapValues(\.asker))
        waiting = [:]
        return (flag, isForced)
    }

    var served: [Asker] { running.map { Array($0.askers.values) } ?? [] }

    mutating func end() -> [Asker] {
        defer { running = nil }
        return served
    }

    mutating func close() -> [Asker] {
        isClosed = true
        defer { waiting = [:] }
        running?.flag.set()
        return waiting.values.map(\.asker)
    }
}
