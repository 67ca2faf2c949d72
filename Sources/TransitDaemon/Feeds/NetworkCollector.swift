internal import Glibc
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

/// Collects a network from its provider, one request after the other, with the retries of ``CollectionRetryPolicy``.
/// Blocks, so it runs on the import's thread.
struct NetworkCollector {
    let configuration: FeedConfiguration
    let folder: CollectionFolder
    let transport: any Transport
    let keys: FeedKeys
    let clock: any DaemonClock
    /// Called for permission before each request except the first, which is already charged.
    let permit: @Sendable () -> StepPermission
    /// Blocks until a moment or until the flag is set.
    private let wait: @Sendable (BootTime, CancellationFlag) -> Void
    let flag: CancellationFlag
    let progress: FeedImport.Report
    /// The maximum duration of the collection in seconds.
    let deadline: Int
    /// The validators of the first step's response, if the version in use was collected.
    let validators: Validators
    /// The version in use. If the upstream denies access to parts of the network, they are taken from this version.
    let previous: (any PreviousNetwork)?

    private(set) var received: UInt64 = 0
    /// The names of the parts that the upstream denied with status 403, in the order in which they were skipped.
    private(set) var skipped: [String] = []
    private var requestCount = 0
    private let requests: SentRequests
    /// The error of the last failed request.
    private var lastFailure: any Error = TransportFailure.canceled

    init(
        _ work: FeedImport, folder: CollectionFolder, validators: Validators, flag: CancellationFlag,
        progress: @escaping FeedImport.Report
    ) {
        (configuration, transport, keys, clock) = (work.configuration, work.transport, work.keys, work.clock)
        (self.folder, self.validators, self.flag, self.progress) = (folder, validators, flag, progress)
        requests = work.requests
        (permit, wait, deadline) = (work.permit, work.wait, work.configuration.policy(for: .static).deadline)
        previous = work.library.current.map(PreviousTimetable.init)
    }

    enum Result {
        case unchanged
        case network(GTFSReading, Validators)
    }

    /// - Throws: ``TransportFailure``, ``UnexpectedStatus``, and the errors of the collection. Responses received
    ///   before an error stay in the folder.
    mutating func collect(_ start: any NetworkCollection) throws -> Result {
        var collection = start
        var retryPolicy = CollectionRetryPolicy(
            spacing: configuration.resolvedProvider.traits.rateLimits.collectionSpacing,
            hasKey: configuration.credential != nil)
        let ends = clock.reading().boot.advanced(by: deadline)
        var (next, storedCount) = (clock.reading().boot, 0)
        var responseValidators = Validators()
        let usesValidators = collection.isVersionedByFirstStep
        while let step = collection.next() {
            let (done, total) = collection.progress
            reportProgress(done, total)
            // If a collection makes no progress with stored responses, its requests are sent again.
            if storedCount < CollectionRetryPolicy.maximumRequests, applyStoredBody(of: step, &collection) {
                storedCount += 1
                continue
            }
            pause(until: next)
            try waitForPermit(until: ends)
            let isFirst = requestCount == 0 && storedCount == 0
            let result = try send(step, usesValidators && isFirst ? validators : Validators())
            if usesValidators, isFirst { responseValidators = result.validators }
            if case .notModified = result.outcome { return .unchanged }
            let decision = retryPolicy.decision(
                after: apply(result, of: step, &collection), of: .init(name: step.name, part: step.part))
            next = clock.reading().boot.advanced(byMilliseconds: try pause(decision, step, &collection))
        }
        reportProgress(collection.progress.done, collection.progress.total)
        return .network(try collection.finish(), responseValidators)
    }

    private func reportProgress(_ done: Int, _ total: Int) {
        progress(
            UpdateProgress(
                phase: UpdateProgress.collecting, done: UInt64(max(0, done)), total: UInt64(max(0, total)),
                unit: .requests))
    }

    private func pause(until moment: BootTime) {
        if moment > clock.reading().boot, !flag.isSet { wait(moment, flag) }
    }

    // MARK: One step

    /// Whether the step can be completed with the response of an earlier attempt.
    private func applyStoredBody(of step: CollectionStep, _ collection: inout any NetworkCollection) -> Bool {
        guard let body = folder.body(step) else { return false }
        do throws(FeedError) {
            try collection.add(body, for: step)
            return true
        } catch {
            folder.forget(step)
            return false
        }
    }

    /// Waits until the budget permits another request.
    private func waitForPermit(until ends: BootTime) throws(TransportFailure) {
        while true {
            if flag.isSet { throw .canceled }
            guard clock.reading().boot < ends else { throw .timedOut(seconds: deadline) }
            if requestCount == 0 { return }
            switch permit() {
            case .allowed: return
            case .canceled: throw .canceled
            case .held(let moment): pause(until: min(moment, ends))
            }
        }
    }

    private mutating func send(
        _ step: CollectionStep, _ validators: Validators
    ) throws(TransportFailure) -> FetchResult {
        var request = try configuration.fetchRequest(step.request, keys: keys)
        request.destination = .file(path: folder.partialFilePath(step))
        request.validators = validators
        let result = transport.fetchAndWait(request, until: flag)
        // The response to the check of a new key was received before, and left the charge of the first request.
        if result.requests > 0 || requestCount > 0 { requestCount += 1 }
        requests.add(result)
        received += result.received
        return result
    }

    private mutating func apply(
        _ result: FetchResult, of step: CollectionStep, _ collection: inout any NetworkCollection
    ) -> CollectionRetryPolicy.StepOutcome {
        switch result.outcome {
        case .fetched: return read(step, &collection)
        case .notModified: return .unreadable
        case .http(let status, let retryAfter):
            lastFailure = UnexpectedStatus(status: status, retryAfter: retryAfter)
            let seconds = retryAfter.flatMap { RetryAfter.seconds($0, now: clock.now()) }
            return .failed(.status(status), retryAfter: seconds)
        case .failed(let failure):
            lastFailure = failure
            return .failed(FetchFailure(failure), retryAfter: nil)
        }
    }

    private mutating func read(
        _ step: CollectionStep, _ collection: inout any NetworkCollection
    ) -> CollectionRetryPolicy.StepOutcome {
        do {
            try folder.keep(step)
            guard let body = folder.body(step) else { throw TransportFailure.file(EIO) }
            try collection.add(body, for: step)
            return .parsed
        } catch let error as TransportFailure {
            lastFailure = error
            return .failed(FetchFailure(error), retryAfter: nil)
        } catch {
            folder.forget(step)
            lastFailure = error
            return .unreadable
        }
    }

    /// Returns the milliseconds until the next request.
    private mutating func pause(
        _ decision: CollectionRetryPolicy.Decision, _ step: CollectionStep, _ collection: inout any NetworkCollection
    ) throws -> Int64 {
        switch decision {
        case .request(let pause): return Int64(pause)
        case .skip(let status, let pause):
            try collection.reject(step, status: status, previous: previous)
            if status == 403, let part = step.part, !skipped.contains(part) { skipped.append(part) }
            return Int64(pause)
        case .postpone(let pause):
            collection.postpone(step)
            return Int64(pause)
        case .giveUp(.local(let reason)) where !(lastFailure is TransportFailure):
            throw FeedError.refused(reason: reason, report: ValidationReport())
        case .giveUp: throw lastFailure
        }
    }
}

/// A feed's version in use, from which a collection may keep parts.
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
