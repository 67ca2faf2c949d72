internal import Logging
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore

/// Makes the fetches that the refresh engine orders: asks the source, and puts what came to use.
struct DatasetFetcher: Sendable {
    var controller: FeedController
    var registry: FeedRegistry
    var live: RealtimeFeeds
    var transport: any Transport
    var keys: FeedKeys
    var zones: TimeZoneDatabase
    var clock: any DaemonClock
    /// Where another request of a fetch is paid for.
    var steps: FetchPermits
    /// Connections that tell what is new by themselves.
    var streams: RealtimeStreams
    var rejected: RejectedKeys

    func fetch(_ order: DatasetFetch, _ flag: CancellationFlag) async -> FetchOutcome {
        // Where a connection tells what is new, nobody is asked, and so nothing is learnt of the key.
        guard order.dataset.kind == .static || streams.mustFetch(order) else {
            let outcome = order.outcome(.notModified(Validators()))
            noteTrouble(order, outcome)
            return outcome
        }
        let key = order.source.isKeyed ? rejected.mark(of: order.dataset.feed) : nil
        let outcome =
            order.dataset.kind == .static ? await fetchTimetable(order, flag) : await fetchRealtime(order, flag)
        noteKey(order, outcome, key)
        noteTrouble(order, outcome)
        return outcome
    }

    /// Lets answers tell that a live source fails, or that it does not any more.
    private func noteTrouble(_ order: DatasetFetch, _ outcome: FetchOutcome) {
        guard order.dataset.kind.isRealtime, outcome.result != .canceled else { return }
        var trouble = RealtimeSourceFailure(outcome, at: clock.now())
        registry.update(order.dataset.feed) { snapshot in
            if let known = snapshot.troubles[order.dataset.kind] { trouble?.since = known.since }
            snapshot.troubles[order.dataset.kind] = trouble
        }
    }

    /// Lets answers tell that a key is rejected, or that it is not any more.
    ///
    /// - Parameter key: the mark of the key with which the fetch began.
    private func noteKey(_ order: DatasetFetch, _ outcome: FetchOutcome, _ key: String?) {
        guard order.source.isKeyed else { return }
        switch outcome.result {
        case .failed(.status(401)), .failed(.status(403)):
            rejected.recordRejection(order.dataset.feed, key)
        case .content, .notModified, .outdated: rejected.clear(order.dataset.feed)
        case .failed, .refused, .canceled: break
        }
    }

    // MARK: The timetable

    private func fetchTimetable(_ order: DatasetFetch, _ flag: CancellationFlag) async -> FetchOutcome {
        guard let service = controller.service(order.dataset.feed) else { return order.outcome(.canceled) }
        let update = await service.update(order.validators, flag) { [steps] in
            // Nobody counts, or it is counted.
            order.source.key == nil ? .allowed : steps.ask(order)
        }
        return order.outcome(of: update)
    }

    // MARK: Live data

    private func fetchRealtime(_ order: DatasetFetch, _ flag: CancellationFlag) async -> FetchOutcome {
        guard let configuration = registry.snapshot(order.dataset.feed)?.configuration else {
            return order.outcome(.canceled)
        }
        if configuration.source == .demo {
            return await use(demo(order.dataset.kind), order, Validators())
        }
        let request: FetchRequest
        do throws(FetchFailure) {
            guard
                var asked = try configuration.fetchRequest(
                    for: order.dataset.kind, keys: keys, validators: conditions(order))
            else { return order.outcome(.canceled) }
            asked.deadline = Double(order.deadline)
            asked.bodyLimit = UInt64(clamping: order.bodyLimit)
            request = asked
        } catch {
            return order.outcome(.failed(TransitEngine.FetchFailure(error)))
        }
        let result = await transport.fetch(request, until: flag)
        guard case .fetched(.memory(let body)) = result.outcome else { return order.outcome(of: result) }
        return await use(body, order, result.validators)
    }

    /// The validators for a conditional request. Empty if the last response is not in use, for example because it was
    /// set aside: a "not modified" would leave the feed without data.
    private func conditions(_ order: DatasetFetch) -> Validators {
        if let side = registry.snapshot(order.dataset.feed)?.live, side.told[order.dataset.kind] == nil {
            return Validators()
        }
        return order.validators ?? Validators()
    }

    /// What the demo city would send.
    private func demo(_ kind: DatasetKind) -> [UInt8] {
        let now = clock.now()
        let zone = zones.zone(named: DemoCity.defaultZone) ?? .utc
        return DemoRealtime(DemoCity(around: zone.civil(at: now).date), at: now, zone: zone).message(kind)
    }

    private func use(_ body: [UInt8], _ order: DatasetFetch, _ validators: Validators) async -> FetchOutcome {
        // The digest of a large body and the trim take milliseconds, which the two threads of the tasks do not have.
        await BlockingWork.run("live", CancellationFlag()) { [live, clock] in
            let now = clock.now()
            var outcome: FetchOutcome
            switch live.take(body, of: order.dataset, received: now, now: now) {
            case .used: outcome = order.outcome(.content(digest: ContentDigest.of(body), validators))
            case .outdated: outcome = order.outcome(.outdated)
            case .refused(let reason): outcome = order.outcome(.refused(reason))
            }
            ProcessMemory.trim()
            outcome.bytes = body.count
            outcome.status = 200
            return outcome
        }
    }
}

extension DatasetFetch {
    func outcome(_ result: FetchOutcome.Result) -> FetchOutcome {
        FetchOutcome(ticket: ticket, dataset: dataset, result: result)
    }

    /// What an answer without a body to use comes to.
    func outcome(of result: FetchResult) -> FetchOutcome {
        var outcome: FetchOutcome
        switch result.outcome {
        case .fetched: outcome = self.outcome(.refused("The body came where it cannot be used."))
        case .notModified:
            outcome = self.outcome(.notModified(result.validators))
            outcome.status = 304
        case .http(let status, let retryAfter):
            outcome = self.outcome(.failed(.status(status)))
            outcome.status = status
            outcome.retryAfter = retryAfter
        case .failed(.canceled): outcome = self.outcome(.canceled)
        case .failed(let failure): outcome = self.outcome(.failed(TransitEngine.FetchFailure(failure)))
        }
        outcome.bytes = Int(clamping: result.received)
        return outcome
    }

    /// What an attempt to update the timetable comes to.
    func outcome(of update: FeedImport.Outcome) -> FetchOutcome {
        let validators = Validators(etag: update.etag, lastModified: update.lastModified)
        var outcome: FetchOutcome
        switch update.outcome {
        case .updated, .unchanged:
            outcome = self.outcome(update.digest.map { .content(digest: $0, validators) } ?? .notModified(validators))
        case .refused: outcome = self.outcome(.refused(update.message))
        case .failed:
            let failure = update.status.map { .status($0) } ?? update.failure.map { TransitEngine.FetchFailure($0) }
            outcome = self.outcome(.failed(failure ?? .local(update.message)))
        case .canceled: outcome = self.outcome(.canceled)
        }
        outcome.status = update.status
        outcome.retryAfter = update.retryAfter
        outcome.bytes = Int(clamping: update.fetched)
        return outcome
    }
}

extension TransitEngine.FetchFailure {
    /// What a transport's failure says about the upstream.
    init(_ failure: TransitDaemon.FetchFailure) {
        switch failure {
        case .dns, .connect, .interrupted, .encoding, .other: self = .connection("\(failure)")
        case .tls: self = .security("\(failure)")
        case .timedOut, .tooSlow: self = .timeout
        case .tooLarge(let limit): self = .tooLarge(limit: Int(clamping: limit))
        case .redirection: self = .redirect("\(failure)")
        case .canceled, .file: self = .local("\(failure)")
        case .key, .address, .notRecorded, .unavailable: self = .unsent("\(failure)")
        }
    }
}
