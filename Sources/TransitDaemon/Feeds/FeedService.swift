internal import Glibc
internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Keeps the timetable of one feed: owns its versions, asks its source when the refresh engine says so, and says how it
/// stands.
final class FeedService: Sendable {
    let id: FeedID
    private let folder: String
    private let downloadPath: String
    private let shared: FeedDependencies
    private let listeners = ProgressListeners()
    private let state: Mutex<State>
    private let logger: Logger

    private struct State {
        /// `nil`: the feed was taken out of the configuration.
        var configuration: FeedConfiguration?
        var library: TimetableLibrary?
        /// Why the library could not be opened.
        var damage: String?
        var record: FeedRecord
        /// How the last attempt of this run ended.
        var lastOutcome: FeedImport.Outcome?
        /// Whether the next update takes what comes, whatever it is.
        var isForced = false
    }

    /// Opens the live version; the source is not asked.
    init(_ configuration: FeedConfiguration, _ shared: FeedDependencies) {
        id = configuration.id
        folder = shared.directories.timetables + "/" + configuration.id.rawValue
        downloadPath = folder + ".download"
        self.shared = shared
        var logger = shared.logger
        logger[metadataKey: "feed"] = "\(configuration.id)"
        self.logger = logger
        let record: FeedRecord
        do throws(StoreError) { record = try shared.state.feedRecord(configuration.id) } catch {
            logger.error("The ledger cannot be read: \(error)")
            record = FeedRecord()
        }
        state = Mutex(State(configuration: configuration, record: record))
        // What a daemon that was killed was fetching.
        unlink(downloadPath)
        openLibrary()
    }

    // MARK: What is known

    /// How the feed stands, for the registry.
    func snapshot() -> FeedSnapshot? {
        let (configuration, library, damage, record) = state.withLock {
            ($0.configuration, $0.library, $0.damage, $0.record)
        }
        guard let configuration else { return nil }
        return FeedSnapshot(
            configuration: configuration, timetable: library.flatMap(timetable), damage: damage, record: record)
    }

    private func timetable(_ library: TimetableLibrary) -> Timetable? {
        guard let file = library.current, let number = library.currentNumber else { return nil }
        if let known = shared.registry.snapshot(id)?.timetable, known.file === file { return known }
        return Timetable(feed: id, version: number, file: file, zones: shared.zones)
    }

    /// - Throws: why the folder cannot be opened.
    func library() throws(StoreError) -> TimetableLibrary {
        if let library = state.withLock({ $0.library }) { return library }
        let library = try TimetableLibrary(directory: folder)
        state.withLock { state in
            state.library = library
            state.damage = library.current == nil ? library.openErrors.first.map { "\($0)" } : nil
        }
        for damage in library.openErrors {
            logger.error("\(damage)")
            let isLost = library.current == nil
            note(isLost ? .rebuilt : .restored, "\(damage)")
        }
        return library
    }

    private func note(_ remedy: CorruptFileLog.Remedy, _ damage: String) {
        let cure = remedy == .restored ? "the version before it is in use" : "it is fetched anew"
        shared.damages.add(
            CorruptFileLog.Entry(
                name: "\(id) timetable", remedy: remedy, message: "\(damage): \(cure)".asSentence,
                found: shared.clock.now()))
    }

    private func openLibrary() {
        do throws(StoreError) {
            let library = try library()
            if let file = library.current { warnIfExpired(file) }
        } catch {
            logger.error("The feed's folder cannot be opened: \(error)")
            state.withLock { $0.damage = "\(error)" }
        }
    }

    private func warnIfExpired(_ file: TimetableFile) {
        let zone = file.agencies.first.flatMap { shared.zones.zone(named: $0.timezone) } ?? .utc
        guard let last = file.summary.serviceDates?.upperBound, last < zone.civil(at: shared.clock.now()).date else {
            return
        }
        logger.warning("The timetable has EXPIRED: its last service date was \(last). Answers may not be true.")
    }

    // MARK: Working

    /// Takes a new configuration of the feed; `nil` puts it to rest.
    func reconfigure(_ configuration: FeedConfiguration?) { state.withLock { $0.configuration = configuration } }

    /// How the last attempt ended since the daemon started.
    var lastOutcome: FeedImport.Outcome? { state.withLock { $0.lastOutcome } }

    /// Tells how far updates are, from now on until the listener is let go.
    func listen(_ report: @escaping FeedImport.Report) -> ProgressListeners.Listener { listeners.add(report) }

    /// Lets the next update import what has not changed, and what would be refused beside the live version.
    func forceNext() { state.withLock { $0.isForced = true } }

    /// Asks the source once. The refresh engine sees to it that there is one update at a time.
    ///
    /// - Parameters:
    ///   - validators: To ask only for what changed; `nil`: the whole archive is wanted.
    ///   - permit: Asked before each further request, where it takes several.
    @discardableResult
    func update(
        _ validators: Validators?, _ flag: CancellationFlag = CancellationFlag(),
        permit: @escaping @Sendable () -> StepAnswer = { .allowed }
    ) async -> FeedImport.Outcome {
        let began = Stopwatch()
        shared.registry.update(id) { $0.progress = .starting }
        let outcome = await perform(validators, flag, permit)
        await finish(outcome, seconds: began.elapsed)
        ProcessMemory.releaseFreeMemory()
        return outcome
    }

    private func perform(
        _ validators: Validators?, _ flag: CancellationFlag, _ permit: @escaping @Sendable () -> StepAnswer
    ) async -> FeedImport.Outcome {
        let (configuration, isForced) = state.withLock { state in
            defer { state.isForced = false }
            return (state.configuration, state.isForced)
        }
        guard let configuration else {
            return FeedImport.Outcome(outcome: .canceled, message: "The feed is not configured any more.")
        }
        let library: TimetableLibrary
        do throws(StoreError) { library = try self.library() } catch {
            return FeedImport.Outcome(outcome: .failed, message: "\(error)".asSentence, kind: .disk)
        }
        let waker = BlockingTimer()
        let work = FeedImport(
            configuration: configuration, library: library, validators: validators, downloadPath: downloadPath,
            transport: shared.transport, keys: shared.keys,
            zones: shared.zones, now: shared.clock.now(), clock: shared.clock,
            collections: shared.directories.collections, permit: permit, wait: waker.wait,
            memory: MemoryLimit.ofProcess(), isForced: isForced)
        logger.debug("The source is asked: \(configuration.source)")
        return await withTaskGroup(of: Void.self) {
            [listeners, registry = shared.registry, clock = shared.clock, id] group in
            group.addTask { await waker.serve(clock) }
            defer { group.cancelAll() }
            return await BlockingWork.run("import", flag) {
                work.run(flag) { progress in
                    registry.update(id) { $0.progress = progress }
                    listeners.report(progress)
                }
            }
        }
    }

    // MARK: Afterwards

    private func finish(_ outcome: FeedImport.Outcome, seconds: Double) async {
        let now = shared.clock.now()
        let record = state.withLock { state in
            state.record.note(outcome, at: now, seconds: seconds)
            state.lastOutcome = outcome
            if outcome.version != nil { state.damage = nil }
            return state.record
        }
        log(outcome, seconds: seconds)
        await BlockingWork.run("feed record", CancellationFlag()) { self.keep(record, outcome) }
        publish(hasEnded: true)
        if let file = shared.registry.snapshot(id)?.timetable?.file, outcome.version != nil { warnIfExpired(file) }
        shared.changed(id)
    }

    private func keep(_ record: FeedRecord, _ outcome: FeedImport.Outcome) {
        do throws(StoreError) {
            try shared.state.setFeedRecord(record, of: id)
            if outcome.outcome == .refused || outcome.outcome == .updated {
                try shared.state.setRefusal(outcome.refusal, of: id)
            }
        } catch {
            logger.error("The ledger cannot be written: \(error)")
        }
    }

    /// Puts the feed as it stands now into the registry, and lets its live data be matched to the version that is in use.
    ///
    /// - Parameter hasEnded: whether an update has ended. The registry then reports no progress.
    func publish(hasEnded: Bool = false) {
        guard let snapshot = snapshot() else { return }
        shared.registry.update(id) {
            $0 = snapshot.continuing($0)
            if hasEnded { $0.progress = nil }
        }
        shared.live.follow(snapshot.timetable, of: id, now: shared.clock.now())
    }

    private func log(_ outcome: FeedImport.Outcome, seconds: Double) {
        let level: Logger.Level =
            switch outcome.outcome {
            case .updated: .notice
            case .unchanged, .canceled: .info
            case .refused, .failed: .error
            }
        logger.log(level: level, "\(outcome.message)", metadata: ["outcome": "\(outcome.outcome.rawValue)"])
    }

    /// Puts the live version out of use when a question found it damaged, and asks for a new one.
    func abandon(damagedFile path: String) {
        guard let library = state.withLock({ $0.library }), library.current?.path == path else { return }
        logger.error("The live version is damaged and is put aside: \(path)")
        do throws(StoreError) { try library.abandonCurrent() } catch {
            logger.error("The damaged version cannot be put aside: \(error)")
        }
        note(
            library.current == nil ? .rebuilt : .restored,
            "Version file \(path.split(separator: "/").last ?? "") is damaged")
        publish()
        shared.changed(id)
        shared.desk.want(DatasetID(id, .static), force: true)
    }

    /// Makes another version live; see ``TimetableLibrary/rollback(to:)``.
    func rollback(to number: Int?) throws(StoreError) -> TimetableLibrary.Version {
        let version = try library().rollback(to: number)
        publish()
        logger.notice("Version \(version.number) is live again.")
        shared.changed(id)
        return version
    }
}

/// What the services of all feeds share.
struct FeedDependencies: Sendable {
    var directories: Directories
    var state: StateStore
    var registry: FeedRegistry
    var live: RealtimeFeeds
    var clock: any DaemonClock
    /// What asks the feeds' sources.
    var transport: any Transport
    var keys: FeedKeys
    var zones: TimeZoneDatabase
    /// Where a refresh is wanted.
    var desk: RefreshWaiters
    var damages: CorruptFileLog
    var logger: Logger
    /// Called after a feed has changed.
    var changed: @Sendable (FeedID) -> Void
}
