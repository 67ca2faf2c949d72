internal import Glibc
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore

/// Collects a network from its provider, one request after the other; what comes when is ``CollectionRetryPolicy``'s to say.
/// Blocks; runs on the import's thread.
struct NetworkCollector {
    let configuration: FeedConfiguration
    let folder: CollectionFolder
    let transport: any Transport
    let keys: FeedKeys
    let clock: any DaemonClock
    /// Asked before each request but the first, which is paid for.
    let permit: @Sendable () -> StepAnswer
    /// Blocks until a moment, or until the flag is set.
    private let wait: @Sendable (BootTime, CancellationFlag) -> Void
    let flag: CancellationFlag
    let progress: FeedImport.Report
    /// Seconds for all of it.
    let deadline: Int
    /// What the first step was answered with, when the version in use was collected.
    let validators: Validators
    /// The version in use. Parts of the network that the upstream denies stay as they are there.
    let former: (any PreviousNetwork)?

    private(set) var received: UInt64 = 0
    /// The parts that the upstream denied (403), in words, in the order in which they were given up.
    private(set) var skipped: [String] = []
    private var asked = 0
    /// How the last request failed.
    private var lastFailure: any Error = TransitDaemon.FetchFailure.canceled

    init(
        _ work: FeedImport, folder: CollectionFolder, validators: Validators, flag: CancellationFlag,
        progress: @escaping FeedImport.Report
    ) {
        (configuration, transport, keys, clock) = (work.configuration, work.transport, work.keys, work.clock)
        (self.folder, self.validators, self.flag, self.progress) = (folder, validators, flag, progress)
        (permit, wait, deadline) = (work.permit, work.wait, work.configuration.policy(for: .static).deadline)
        former = work.library.current.map(PreviousTimetable.init)
    }

    enum Result {
        case unchanged
        case network(GTFSReading, Validators)
    }

    /// - Throws: ``FetchFailure``, ``UnexpectedStatus`` and what the collection throws. What came by then stays in the folder.
    mutating func collect(_ start: any NetworkCollection) throws -> Result {
        var collection = start
        var retryPolicy = CollectionRetryPolicy(
            spacing: configuration.system.traits.pace.collectionSpacing, hasKey: configuration.credential != nil)
        let ends = clock.reading().boot.advanced(by: deadline)
        var (next, kept) = (clock.reading().boot, 0)
        var said = Validators()
        let isTold = collection.isVersionedByFirstStep
        while let step = collection.next() {
            let (done, total) = collection.progress
            tell(done, total)
            // A collection that does not go on from what was kept is asked for anew.
            if kept < CollectionRetryPolicy.maximumRequests, take(storedBodyOf: step, &collection) {
                kept += 1
                continue
            }
            pause(until: next)
            try pay(until: ends)
            let isFirst = asked == 0 && kept == 0
            let result = try ask(step, isTold && isFirst ? validators : Validators())
            if isTold, isFirst { said = result.validators }
            if case .notModified = result.outcome { return .unchanged }
            let decision = retryPolicy.decision(
                after: take(result, of: step, &collection), of: .init(name: step.name, part: step.part))
            next = clock.reading().boot.advanced(byMilliseconds: try pause(decision, step, &collection))
        }
        tell(collection.progress.done, collection.progress.total)
        return .network(try collection.finish(), said)
    }

    private func tell(_ done: Int, _ total: Int) {
        progress(
            UpdateProgress(
                phase: UpdateProgress.collecting, done: UInt64(max(0, done)), total: UInt64(max(0, total)),
                unit: .requests))
    }

    private func pause(until moment: BootTime) {
        if moment > clock.reading().boot, !flag.isSet { wait(moment, flag) }
    }

    // MARK: One step

    /// Whether the step is done with what an earlier attempt was answered.
    private func take(storedBodyOf step: CollectionStep, _ collection: inout any NetworkCollection) -> Bool {
        guard let body = folder.body(step) else { return false }
        do throws(FeedError) {
            try collection.take(body, for: step)
            return true
        } catch {
            folder.forget(step)
            return false
        }
    }

    /// Waits until another request is paid for.
    private func pay(until ends: BootTime) throws(TransitDaemon.FetchFailure) {
        while true {
            if flag.isSet { throw .canceled }
            guard clock.reading().boot < ends else { throw .timedOut(seconds: deadline) }
            if asked == 0 { return }
            switch permit() {
            case .allowed: return
            case .gone: throw .canceled
            case .held(let moment): pause(until: min(moment, ends))
            }
        }
    }

    private mutating func ask(
        _ step: CollectionStep, _ validators: Validators
    ) throws(TransitDaemon.FetchFailure) -> FetchResult {
        var request = try configuration.fetchRequest(step.request, keys: keys)
        request.destination = .file(path: folder.part(step))
        request.validators = validators
        asked += 1
        let result = transport.fetchAndWait(request, until: flag)
        received += result.received
        return result
    }

    private mutating func take(
        _ result: FetchResult, of step: CollectionStep, _ collection: inout any NetworkCollection
    ) -> CollectionRetryPolicy.Answer {
        switch result.outcome {
        case .fetched: return read(step, &collection)
        case .notModified: return .unreadable
        case .http(let status, let retryAfter):
            lastFailure = UnexpectedStatus(status: status, retryAfter: retryAfter)
            let seconds = retryAfter.flatMap { RetryAfter.seconds($0, now: clock.now()) }
            return .failed(.status(status), retryAfter: seconds)
        case .failed(let failure):
            lastFailure = failure
            return .failed(TransitEngine.FetchFailure(failure), retryAfter: nil)
        }
    }

    private mutating func read(
        _ step: CollectionStep, _ collection: inout any NetworkCollection
    ) -> CollectionRetryPolicy.Answer {
        do {
            try folder.keep(step)
            guard let body = folder.body(step) else { throw TransitDaemon.FetchFailure.file(EIO) }
            try collection.take(body, for: step)
            return .taken
        } catch let error as TransitDaemon.FetchFailure {
            lastFailure = error
            return .failed(TransitEngine.FetchFailure(error), retryAfter: nil)
        } catch {
            folder.forget(step)
            lastFailure = error
            return .unreadable
        }
    }

    /// Milliseconds until the next request.
    private mutating func pause(
        _ decision: CollectionRetryPolicy.Decision, _ step: CollectionStep, _ collection: inout any NetworkCollection
    ) throws -> Int64 {
        switch decision {
        case .ask(let pause): return Int64(pause)
        case .leaveOut(let status, let pause):
            try collection.refuse(step, status: status, former: former)
            if status == 403, let part = step.part, !skipped.contains(part) { skipped.append(part) }
            return Int64(pause)
        case .postpone(let pause):
            collection.postpone(step)
            return Int64(pause)
        case .giveUp(.local(let reason)) where !(lastFailure is TransitDaemon.FetchFailure):
            throw FeedError.refused(reason: reason, report: ValidationReport())
        case .giveUp: throw lastFailure
        }
    }
}

/// The version of a feed in use, from which a collection may keep parts.
struct PreviousTimetable: PreviousNetwork {
    private let file: TimetableFile

    init(_ file: TimetableFile) { self.file = file }

    func stops(of variant: TripID) throws(FeedError) -> [StopID] {
        try read { (file) throws(StoreError) in
            guard let trip = try file.trip(id: variant), let location = try file.locate(trip) else { return [] }
            var stops: [StopID] = []
            for call in location.pattern.calls { stops.append(try file.stop(call.stop).id) }
            return stops
        }
    }

    func stop(_ id: StopID) throws(FeedError) -> Stop? {
        try read { (file) throws(StoreError) in try file.find(id)?.stop }
    }

    func name(of stop: StopID, in language: String) throws(FeedError) -> String? {
        try read { (file) throws(StoreError) in
            try file.translation(
                table: "stops", field: "stop_name", language: language,
                of: .record(id: stop.rawValue, subID: nil))
        }
    }

    private func read<Value>(_ body: (TimetableFile) throws(StoreError) -> Value) throws(FeedError) -> Value {
        do throws(StoreError) { return try body(file) } catch {
            throw .unreadable(path: file.path, reason: "\(error)")
        }
    }
}
