import TransitModel

@testable import TransitRefresh

/// Carries out an engine's effects by hand: saves succeed, and fetches wait until a test ends them.
struct EngineDriver {
    var engine: RefreshEngine
    var now: ClockReading
    var ledger: RefreshLedger
    var canSave = true
    /// The fetches in flight.
    var orders: [DatasetFetch] = []
    /// All fetches, with the times in seconds at which they were ordered.
    var started: [(second: Int, order: DatasetFetch)] = []
    var notices: [RefreshNotice] = []
    var answers: [UInt64: [DatasetID: RefreshAnswer]] = [:]
    var canceled: [UInt64] = []
    var steps: [(ticket: UInt64, answer: StepPermission)] = []
    var wake: BootTime
    private let start: BootTime

    init(
        _ configuration: RefreshConfiguration, ledger: RefreshLedger = RefreshLedger(), boot: BootID = "a",
        at now: ClockReading = ClockReading(
            wall: Instant(rfc3339: "2026-03-23T12:00:00Z") ?? Instant(secondsSince1970: 0),
            boot: BootTime(milliseconds: 1_000_000))
    ) {
        self.now = now
        self.ledger = ledger
        start = now.boot
        wake = now.boot
        engine = RefreshEngine(configuration: configuration, ledger: ledger, boot: boot, seed: 7, now: now)
        send(.tick)
    }

    var second: Int { Int(start.milliseconds(to: now.boot) / 1000) }

    mutating func send(_ event: RefreshEvent) {
        var events = [event]
        while !events.isEmpty {
            for effect in engine.handle(events.removeFirst(), at: now) {
                switch effect {
                case .save(let changes):
                    if canSave { ledger.apply(changes) }
                    events.append(.saved(canSave))
                case .fetch(let order):
                    orders.append(order)
                    started.append((second, order))
                case .cancel(let ticket, _): canceled.append(ticket)
                case .wake(let moment): wake = moment
                case .notice(let notice): notices.append(notice)
                case .accepted: break
                case .step(let ticket, let answer): steps.append((ticket, answer))
                case .answered(let request, let dataset, let answer): answers[request, default: [:]][dataset] = answer
                }
            }
        }
    }

    /// Advances both clocks through all wake-up times, to the millisecond. The wall clock shows whole seconds.
    mutating func pass(_ seconds: Int, _ answer: ((DatasetFetch) -> FetchOutcome)? = nil) {
        let end = now.boot.advanced(by: seconds)
        while let answer, let order = orders.first { finish(answer(order)) }
        while wake <= end {
            move(to: max(wake, now.boot))
            send(.tick)
            while let answer, let order = orders.first { finish(answer(order)) }
        }
        move(to: end)
    }

    mutating func move(to moment: BootTime) {
        let offset = now.offset
        now.boot = moment
        now.wall = Instant(secondsSince1970: (offset + moment.milliseconds) / 1000)
    }

    mutating func finish(_ outcome: FetchOutcome) {
        orders.removeAll { $0.ticket == outcome.ticket }
        send(.fetchEnded(outcome))
    }

    func plan(_ id: DatasetID) -> DatasetPlan? { engine.plans(at: now).first { $0.id == id } }
}

extension FetchOutcome {
    static func content(_ order: DatasetFetch, _ digest: String = "1", etag: String? = nil) -> FetchOutcome {
        FetchOutcome(
            ticket: order.ticket, dataset: order.dataset, result: .content(digest: digest, Validators(etag: etag)),
            status: 200, bytes: 100)
    }

    static func notModified(_ order: DatasetFetch) -> FetchOutcome {
        FetchOutcome(ticket: order.ticket, dataset: order.dataset, result: .notModified(Validators()), status: 304)
    }

    static func failed(_ order: DatasetFetch, _ failure: FetchFailure, retryAfter: String? = nil) -> FetchOutcome {
        var status: Int?
        if case .status(let code) = failure { status = code }
        return FetchOutcome(
            ticket: order.ticket, dataset: order.dataset, result: .failed(failure), status: status,
            retryAfter: retryAfter)
    }
}

extension RefreshConfiguration {
    /// Returns a configuration of one feed on its own host.
    static func feed(_ feed: FeedID, _ kinds: [DatasetKind], key: KeyName? = nil) -> RefreshConfiguration {
        var configuration = RefreshConfiguration()
        configuration.add(feed, kinds, key: key)
        return configuration
    }

    mutating func add(_ feed: FeedID, _ kinds: [DatasetKind], key: KeyName? = nil) {
        for kind in kinds {
            datasets[DatasetID(feed, kind)] = Dataset(
                source: DatasetSource(
                    endpoint: EndpointID("https://\(feed)/\(kind.rawValue)"), host: HostID(feed.rawValue), key: key),
                policy: .standard(for: kind))
        }
    }
}
