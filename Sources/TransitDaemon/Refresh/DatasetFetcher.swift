internal import Logging
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

/// Performs the fetches that the refresh engine orders, and applies the responses.
struct DatasetFetcher: Sendable {
    var controller: FeedController
    var registry: FeedRegistry
    var realtimeFeeds: RealtimeFeeds
    var transport: any Transport
    var keys: FeedKeys
    var zones: TimeZoneDatabase
    var clock: any DaemonClock
    /// Grants permission for the further requests of a fetch.
    var permits: FetchPermits
    /// The streaming connections, which deliver changes without polling.
    var streams: RealtimeStreams
    var rejected: RejectedKeys
    /// Fetches the data that belongs to no feed.
    var externalData: ExternalDataFetcher

    func fetch(_ order: DatasetFetch, _ flag: CancellationFlag) async -> FetchOutcome {
        if order.dataset.kind.isExternal { return await externalData.fetch(order, flag) }
        // If no request is sent, the status of the key does not change.
        guard order.dataset.kind == .static || streams.mustFetch(order) else {
            let outcome = order.unsent(.notModified(Validators()))
            recordFailure(order, outcome)
            return outcome
        }
        let key = order.source.isKeyed ? rejected.fingerprint(of: order.dataset.feed) : nil
        let outcome =
            order.dataset.kind == .static ? await fetchTimetable(order, flag) : await fetchRealtime(order, flag)
        recordKeyStatus(order, outcome, key)
        recordFailure(order, outcome)
        return outcome
    }

    /// Records the failure of a realtime source, or its recovery, so that replies can report it.
    private func recordFailure(_ order: DatasetFetch, _ outcome: FetchOutcome) {
        guard order.dataset.kind.isRealtime, outcome.result != .canceled else { return }
        var failure = RealtimeSourceFailure(outcome, at: clock.now())
        registry.update(order.dataset.feed) { snapshot in
            if let known = snapshot.sourceFailures[order.dataset.kind] { failure?.since = known.since }
            snapshot.sourceFailures[order.dataset.kind] = failure
        }
    }

    /// Records that a key is rejected or is accepted again, so that replies can report it.
    ///
    /// - Parameter key: The fingerprint of the key at the start of the fetch.
    private func recordKeyStatus(_ order: DatasetFetch, _ outcome: FetchOutcome, _ key: String?) {
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
        guard let service = controller.service(order.dataset.feed) else { return order.unsent(.canceled) }
        let recordImport: FeedImport.ImportRecorder = { [permits] in permits.recordImport(order, isReading: $0) }
        let update = await service.update(order.validators, flag, recordImport: recordImport) { [permits] in
            // Unmetered, or already charged to the budget.
            order.source.key == nil ? .allowed : permits.request(order)
        }
        return order.outcome(of: update)
    }

    // MARK: Realtime data

    private func fetchRealtime(_ order: DatasetFetch, _ flag: CancellationFlag) async -> FetchOutcome {
        guard let configuration = registry.snapshot(order.dataset.feed)?.configuration else {
            return order.unsent(.canceled)
        }
        if configuration.source == .demo {
            return await use(demo(order.dataset.kind), order, Validators())
        }
        let request: FetchRequest
        do throws(TransportFailure) {
            guard
                var conditional = try configuration.fetchRequest(
                    for: order.dataset.kind, keys: keys, validators: conditions(order))
            else { return order.unsent(.canceled) }
            conditional.deadline = Double(order.deadline)
            conditional.bodyLimit = UInt64(clamping: order.bodyLimit)
            request = conditional
        } catch {
            return order.unsent(.failed(FetchFailure(error)))
        }
        let result = await transport.fetch(request, until: flag)
        guard case .fetched(.memory(let body)) = result.outcome else { return order.outcome(of: result) }
        var outcome = await use(body, order, result.validators)
        outcome.requests = result.requests
        return outcome
    }

    /// The validators for a conditional request. They are empty if the last response is not in use, for example
    /// because it was set aside. A "not modified" response would then leave the feed without data.
    private func conditions(_ order: DatasetFetch) -> Validators {
        if let side = registry.snapshot(order.dataset.feed)?.realtime, side.responses[order.dataset.kind] == nil {
            return Validators()
        }
        return order.validators ?? Validators()
    }

    /// Returns the current realtime message of the demo city.
    private func demo(_ kind: DatasetKind) -> [UInt8] {
        let now = clock.now()
        let zone = zones.zone(named: DemoCity.defaultZone) ?? .utc
        return DemoRealtime(DemoCity(around: zone.civil(at: now).date), at: now, zone: zone).message(kind)
    }

    private func use(_ body: [UInt8], _ order: DatasetFetch, _ validators: Validators) async -> FetchOutcome {
        // Computing the digest of a large body and trimming memory take milliseconds and would block one of the two
        // task threads.
        do throws(SystemFailure) {
            return try await BlockingWork.run("live", CancellationFlag()) { [realtimeFeeds, clock] in
                let now = clock.now()
                var outcome: FetchOutcome
                switch realtimeFeeds.receive(body, of: order.dataset, received: now, now: now) {
                case .used: outcome = order.outcome(.content(digest: ContentHash.of(body), validators))
                case .outdated: outcome = order.outcome(.outdated)
                case .refused(let reason): outcome = order.outcome(.refused(reason))
                }
                ProcessMemory.trim()
                outcome.bytes = body.count
                outcome.status = 200
                return outcome
            }
        } catch { return order.outcome(.failed(.local("\(error)"))) }
    }
}

extension DatasetFetch {
    func outcome(_ result: FetchOutcome.Result) -> FetchOutcome {
        FetchOutcome(ticket: ticket, dataset: dataset, result: result)
    }

    /// Returns an outcome without a request: nothing is charged.
    func unsent(_ result: FetchOutcome.Result) -> FetchOutcome {
        var outcome = outcome(result)
        outcome.requests = 0
        return outcome
    }

    /// Returns the outcome of a response without a usable body.
    func outcome(of result: FetchResult) -> FetchOutcome {
        var outcome: FetchOutcome
        switch result.outcome {
        case .fetched: outcome = self.outcome(.refused("The response was stored in an unexpected place."))
        case .notModified:
            outcome = self.outcome(.notModified(result.validators))
            outcome.status = 304
        case .http(let status, let retryAfter):
            outcome = self.outcome(.failed(.status(status)))
            outcome.status = status
            outcome.retryAfter = retryAfter
        case .failed(.canceled): outcome = self.outcome(.canceled)
        case .failed(let failure): outcome = self.outcome(.failed(FetchFailure(failure)))
        }
        outcome.bytes = Int(clamping: result.received)
        outcome.requests = result.requests
        return outcome
    }

    /// Returns the outcome of an attempt to update the timetable.
    func outcome(of update: FeedImport.Outcome) -> FetchOutcome {
        let validators = Validators(etag: update.etag, lastModified: update.lastModified)
        var outcome: FetchOutcome
        switch update.outcome {
        case .updated, .unchanged:
            outcome = self.outcome(update.digest.map { .content(digest: $0, validators) } ?? .notModified(validators))
        case .refused: outcome = self.outcome(.refused(update.message))
        case .failed:
            let failure = update.status.map { .status($0) } ?? update.failure.map { FetchFailure($0) }
            outcome = self.outcome(.failed(failure ?? .local(update.message)))
        case .canceled: outcome = self.outcome(.canceled)
        }
        outcome.status = update.status
        outcome.retryAfter = update.retryAfter
        outcome.bytes = Int(clamping: update.fetched)
        outcome.requests = update.requests
        outcome.madeProgress = update.madeProgress
        return outcome
    }
}

extension FetchFailure {
    /// Classifies a transport failure for the refresh engine.
    init(_ failure: TransportFailure) {
        switch failure {
        case .dns, .connect, .interrupted, .encoding, .headerTooLong, .other: self = .connection("\(failure)")
        case .tls: self = .security("\(failure)")
        case .timedOut, .tooSlow: self = .timeout
        case .tooLarge(let limit): self = .tooLarge(limit: Int(clamping: limit))
        case .redirection: self = .redirect("\(failure)")
        case .canceled, .file: self = .local("\(failure)")
        case .key, .address, .notRecorded, .unavailable: self = .unsent("\(failure)")
        }
    }
}
