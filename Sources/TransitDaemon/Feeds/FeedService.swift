internal import Glibc
internal import Logging
internal import Synchronization
internal import TransitFetch
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitStore
internal import TransitSystem

/// Manages the timetable of one feed: owns its versions, updates it when the refresh engine orders a fetch, and
/// reports its state.
final class FeedService: Sendable {
    let id: FeedID
    private let folder: String
    private let downloadPath: String
    private let dependencies: FeedDependencies
    private let listeners = ProgressListeners()
    private let state: Mutex<State>
    /// Held while the state is published, so that an older one never replaces a newer one.
    private let publishing = Mutex<Void>(())
    private let logger: Logger

    private struct State {
        /// `nil` if the feed was removed from the configuration.
        var configuration: FeedConfiguration?
        var library: TimetableLibrary?
        /// The reason why the library could not be opened.
        var openFailure: String?
        var record: FeedRecord
        /// The outcome of the last attempt since the daemon started.
        var lastOutcome: FeedImport.Outcome?
        /// Whether the next update is forced.
        var isForced = false
    }

    /// Opens the current version without fetching anything.
    init(_ configuration: FeedConfiguration, _ dependencies: FeedDependencies) {
        id = configuration.id
        folder = dependencies.directories.timetables + "/" + configuration.id.rawValue
        downloadPath = folder + ".download"
        self.dependencies = dependencies
        var logger = dependencies.logger
        logger[metadataKey: "feed"] = "\(configuration.id)"
        self.logger = logger
        let record: FeedRecord
        do throws(StoreError) { record = try dependencies.state.feedRecord(configuration.id) } catch {
            logger.error("The record of the feed's updates cannot be read: \(error)")
            record = FeedRecord()
        }
        state = Mutex(State(configuration: configuration, record: record))
        // A partial download left behind by a daemon that was killed.
        unlink(downloadPath)
        openLibrary()
    }

    // MARK: State

    /// Returns the feed's state for the registry.
    func snapshot() -> FeedSnapshot? {
        let (configuration, library, openFailure, record) = state.withLock {
            ($0.configuration, $0.library, $0.openFailure, $0.record)
        }
        guard let configuration else { return nil }
        var snapshot = FeedSnapshot(
            configuration: configuration, timetable: library.flatMap(timetable), openFailure: openFailure,
            record: record)
        snapshot.failure = lastOutcome.flatMap { AttemptFailure($0) }
        return snapshot
    }

    private func timetable(_ library: TimetableLibrary) -> Timetable? {
        guard let file = library.current, let number = library.currentNumber else { return nil }
        if let known = dependencies.registry.snapshot(id)?.timetable, known.file === file { return known }
        return Timetable(feed: id, version: number, file: file, zones: dependencies.zones) {
            [networks = dependencies.networks] in networks.request($0, walkingDistance: $1, in: library)
        }
    }

    /// - Throws: An error if the folder cannot be opened.
    func library() throws(StoreError) -> TimetableLibrary {
        if let library = state.withLock({ $0.library }) { return library }
        let library = try TimetableLibrary(directory: folder)
        state.withLock { state in
            state.library = library
            state.openFailure = library.current == nil ? library.openErrors.first.map { "\($0)" } : nil
        }
        for damage in library.openErrors {
            logger.error("\(damage)")
            let isLost = library.current == nil
            recordCorruption(isLost ? .rebuilt : .restored, "\(damage)")
        }
        return library
    }

    private func recordCorruption(_ remedy: CorruptFileLog.Remedy, _ damage: String) {
        let remedyText = remedy == .restored ? "the previous version is in use" : "the timetable is fetched again"
        dependencies.corruptFiles.add(
            CorruptFileLog.Entry(
                name: "\(id) timetable", remedy: remedy, message: "\(damage): \(remedyText)".asSentence,
                found: dependencies.clock.now()))
    }

    private func openLibrary() {
        do throws(StoreError) {
            let library = try library()
            if let file = library.current { warnIfExpired(file) }
        } catch {
            logger.error("The feed's folder cannot be opened: \(error)")
            state.withLock { $0.openFailure = "\(error)" }
        }
    }

    private func warnIfExpired(_ file: TimetableFile) {
        let zone = file.agencies.first.flatMap { dependencies.zones.zone(named: $0.timezone) } ?? .utc
        guard let last = file.summary.serviceDates?.upperBound, last < zone.civil(at: dependencies.clock.now()).date
        else {
            return
        }
        logger.warning("The timetable has EXPIRED: its last service date was \(last). Its times may be wrong.")
    }

    // MARK: Updates

    /// Applies a new configuration of the feed; `nil` deactivates it.
    func reconfigure(_ configuration: FeedConfiguration?) { state.withLock { $0.configuration = configuration } }

    /// The outcome of the last attempt since the daemon started.
    var lastOutcome: FeedImport.Outcome? { state.withLock { $0.lastOutcome } }

    /// Forgets that the last attempts failed, because the feed's key has changed. Until the next attempt, nothing is known
    /// about the new key.
    func forgetFailure() {
        state.withLock { state in
            if state.record.lastAttempt?.outcome == .failed { state.record.lastAttempt = nil }
            if state.lastOutcome?.outcome == .failed { state.lastOutcome = nil }
        }
        publish()
        dependencies.registry.update(id) { $0.sourceFailures = [:] }
    }

    /// Reports the progress of updates until the listener is deallocated.
    func listen(_ report: @escaping FeedImport.Report) -> ProgressListeners.Listener { listeners.add(report) }

    /// Makes the next update import the timetable even if it is unchanged or would be refused in comparison with the
    /// current version.
    func forceNext() { state.withLock { $0.isForced = true } }

    /// Fetches the source and imports its timetable. The refresh engine ensures that only one update runs at a
    /// time.
    ///
    /// - Parameters:
    ///   - validators: The validators of a conditional request; `nil` requests the whole archive.
    ///   - recordImport: See ``FeedImport/recordImport``.
    ///   - permit: Called for permission before each further request of a collection.
    @discardableResult
    func update(
        _ validators: Validators?, _ flag: CancellationFlag = CancellationFlag(),
        recordImport: @escaping FeedImport.ImportRecorder = { _ in .allowed },
        permit: @escaping @Sendable () -> StepPermission = { .allowed }
    ) async -> FeedImport.Outcome {
        let began = Stopwatch()
        dependencies.registry.update(id) { $0.progress = .starting }
        let outcome = await perform(validators, flag, recordImport, permit)
        await finish(outcome, seconds: began.elapsed)
        ProcessMemory.releaseFreeMemory()
        return outcome
    }

    private func perform(
        _ validators: Validators?, _ flag: CancellationFlag, _ recordImport: @escaping FeedImport.ImportRecorder,
        _ permit: @escaping @Sendable () -> StepPermission
    ) async -> FeedImport.Outcome {
        let (configuration, isForced) = state.withLock { state in
            defer { state.isForced = false }
            return (state.configuration, state.isForced)
        }
        guard let configuration else {
            return FeedImport.Outcome(outcome: .canceled, message: "The feed was removed from the configuration.")
        }
        let library: TimetableLibrary
        do throws(StoreError) { library = try self.library() } catch {
            return FeedImport.Outcome(outcome: .failed, message: "\(error)".asSentence, kind: .disk)
        }
        let waker = BlockingTimer()
        let work = FeedImport(
            configuration: configuration, library: library, validators: validators, downloadPath: downloadPath,
            transport: dependencies.transport, keys: dependencies.keys,
            zones: dependencies.zones, now: dependencies.clock.now(), clock: dependencies.clock,
            collections: dependencies.directories.collections, permit: permit, wait: waker.wait,
            memory: dependencies.memory, recordImport: recordImport, isForced: isForced)
        logger.debug("Fetching \(configuration.source)")
        return await withTaskGroup(of: Void.self) { [listeners, dependencies, id] group in
            group.addTask { await waker.serve(dependencies.clock) }
            defer { group.cancelAll() }
            do throws(SystemFailure) {
                return try await BlockingWork.run("import", flag) {
                    let outcome = work.run(flag) { progress in
                        dependencies.registry.update(id) { $0.progress = progress }
                        listeners.report(progress)
                    }
                    // Before the version is published, so that journeys can be searched without interruption.
                    if outcome.version != nil { dependencies.networks.build(of: id, in: library, until: flag) }
                    return outcome
                }
            } catch { return FeedImport.Outcome(outcome: .failed, message: "\(error)".asSentence, kind: .thread) }
        }
    }

    // MARK: Completion

    private func finish(_ outcome: FeedImport.Outcome, seconds: Double) async {
        let now = dependencies.clock.now()
        let record = state.withLock { state in
            state.record.apply(outcome, at: now, seconds: seconds)
            state.lastOutcome = outcome
            if outcome.version != nil { state.openFailure = nil }
            return state.record
        }
        log(outcome, seconds: seconds)
        do throws(SystemFailure) {
            try await BlockingWork.run("feed record", CancellationFlag()) { self.save(record, outcome) }
        } catch { logger.error("The record of the feed's updates cannot be written: \(error)") }
        publish(hasEnded: true)
        if let file = dependencies.registry.snapshot(id)?.timetable?.file, outcome.version != nil {
            warnIfExpired(file)
        }
        dependencies.changed(id)
    }

    private func save(_ record: FeedRecord, _ outcome: FeedImport.Outcome) {
        do throws(StoreError) {
            try dependencies.state.setFeedRecord(record, of: id)
            if outcome.outcome == .refused || outcome.outcome == .updated {
                try dependencies.state.setRefusal(outcome.refusal, of: id)
            }
        } catch {
            logger.error("The record of the feed's updates cannot be written: \(error)")
        }
    }

    /// Publishes the feed's state to the registry, and matches its realtime data to the version in use.
    ///
    /// - Parameter hasEnded: Whether an update has ended. The registry then reports no progress.
    func publish(hasEnded: Bool = false) {
        publishing.withLock { _ in
            guard let snapshot = snapshot() else { return }
            dependencies.memory.record(snapshot.timetable?.file.memoryEstimate ?? 0, as: .timetable(id))
            dependencies.registry.update(id) {
                $0 = snapshot.continuing($0)
                if hasEnded { $0.progress = nil }
            }
            dependencies.realtimeFeeds.rematch(snapshot.timetable, of: id, now: dependencies.clock.now())
        }
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

    /// Stops using the current version, which a request has found to be corrupt, and requests a new one.
    func abandon(damagedFile path: String) {
        guard let library = state.withLock({ $0.library }) else { return }
        do throws(StoreError) {
            guard try library.abandonCurrent(at: path) else { return }
            logger.error("The current version is corrupt and was set aside: \(path)")
        } catch {
            logger.error("The current version is corrupt and cannot be set aside: \(path): \(error)")
        }
        recordCorruption(
            library.current == nil ? .rebuilt : .restored,
            "Version file \(path.split(separator: "/").last ?? "") is corrupt")
        publish()
        dependencies.changed(id)
        dependencies.waiters.replaceLostContent(of: DatasetID(id, .static))
    }

    /// Makes another version current; see ``TimetableLibrary/rollback(to:)``.
    func rollback(to number: Int?) throws(StoreError) -> TimetableLibrary.Version {
        let version = try library().rollback(to: number)
        publish()
        logger.notice("Version \(version.number) is in use again.")
        dependencies.changed(id)
        return version
    }
}

/// The dependencies that the services of all feeds share.
struct FeedDependencies: Sendable {
    var directories: Directories
    var state: StateStore
    var registry: FeedRegistry
    var realtimeFeeds: RealtimeFeeds
    var clock: any DaemonClock
    /// Fetches the feeds' sources.
    var transport: any Transport
    var keys: FeedKeys
    var zones: TimeZoneDatabase
    var memory: MemoryReservations
    /// Builds the networks for journeys.
    var networks: JourneyNetworkBuilds
    /// Receives refresh requests.
    var waiters: RefreshWaiters
    var corruptFiles: CorruptFileLog
    var logger: Logger
    /// Called after a feed has changed.
    var changed: @Sendable (FeedID) -> Void
}

/// The listeners for the progress of a feed's updates.
final class ProgressListeners: Sendable {
    /// A listener that receives progress until it is deallocated.
    final class Listener: Sendable {
        private let leave: @Sendable () -> Void
        fileprivate init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
        deinit { leave() }
    }

    private struct State {
        var reports: [Int: FeedImport.Report] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    func add(_ report: @escaping FeedImport.Report) -> Listener {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            state.reports[state.lastTicket] = report
            return state.lastTicket
        }
        return Listener { [weak self] in self?.remove(ticket) }
    }

    private func remove(_ ticket: Int) { state.withLock { $0.reports[ticket] = nil } }

    func report(_ progress: UpdateProgress) {
        for report in state.withLock({ Array($0.reports.values) }) { report(progress) }
    }
}

extension AttemptFailure {
    /// Returns `nil` for an attempt that did not fail.
    init?(_ outcome: FeedImport.Outcome) {
        guard outcome.outcome == .failed else { return nil }
        if case .key? = outcome.failure {
            self = .key
        } else {
            self = outcome.kind == .diskFull ? .diskFull : .other
        }
    }
}

extension FeedRecord {
    /// Records the outcome of an update attempt.
    mutating func apply(_ outcome: FeedImport.Outcome, at now: Instant, seconds: Double) {
        lastAttempt = RecordedFeedAttempt(
            ended: now, outcome: outcome.outcome, message: outcome.message, seconds: seconds)
        guard outcome.outcome == .updated || outcome.outcome == .unchanged else { return }
        confirmed = now
    }
}
