internal import Glibc
internal import Logging
internal import Synchronization
internal import TransitModel
internal import TransitStore

/// Keeps one feed: owns its versions, asks its source when that is due or when somebody wants it, and says how it stands.
final class FeedService: Sendable {
    let id: FeedID
    private let folder: String
    private let downloadPath: String
    private let shared: FeedSurroundings
    private let desk = FeedDesk()
    private let state: Mutex<State>
    private let logger: Logger

    private struct State {
        /// `nil`: the feed was taken out of the configuration.
        var configuration: FeedConfiguration?
        var library: TimetableLibrary?
        /// Why the library could not be opened.
        var damage: String?
        var record: FeedRecord
    }

    /// The longest that the clock is not looked at: the configuration may have changed, or the clock been set.
    private static let longestSleep = 3600

    /// Opens the live version; the source is not asked before ``run()``.
    init(_ configuration: FeedConfiguration, _ shared: FeedSurroundings) {
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
        guard let file = library.live, let number = library.liveNumber else { return nil }
        if let known = shared.registry.snapshot(id)?.timetable, known.file === file { return known }
        return Timetable(feed: id, version: number, file: file, zones: shared.zones)
    }

    /// - Throws: why the folder cannot be opened.
    func library() throws(StoreError) -> TimetableLibrary {
        if let library = state.withLock({ $0.library }) { return library }
        let library = try TimetableLibrary(directory: folder)
        state.withLock { state in
            state.library = library
            state.damage = library.live == nil ? library.damages.first.map { "\($0)" } : nil
        }
        for damage in library.damages { logger.error("\(damage)") }
        return library
    }

    private func openLibrary() {
        do throws(StoreError) {
            let library = try library()
            if let file = library.live { warnIfExpired(file) }
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
    ///
    /// - Returns: whether its source is to be asked at once.
    func reconfigure(_ configuration: FeedConfiguration?) -> Bool {
        state.withLock { state in
            defer { state.configuration = configuration }
            guard let configuration, let old = state.configuration else { return configuration != nil }
            guard old.source == configuration.source, old.limits == configuration.limits else {
                state.record.nextAttempt = nil
                return true
            }
            return old.refreshInterval != configuration.refreshInterval
        }
    }

    /// Updates when it is due or asked for, until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.watchClock() }
            for await _ in desk.work { await performPending() }
            desk.close()
            group.cancelAll()
        }
    }

    /// Asks the source and waits for the outcome; joins an update that runs already.
    func update(
        isForced: Bool = false, progress: @escaping FeedImport.Report = { _ in }
    ) async -> FeedImport.Outcome {
        await desk.ask(isForced: isForced, progress: progress)
    }

    /// The same without waiting.
    func requestUpdate() { desk.request() }

    private func watchClock() async {
        while !Task.isCancelled {
            let now = shared.clock.now()
            if let due = due(at: now), due <= now {
                _ = await update()
            } else {
                let wake = min(due(at: now) ?? now.advanced(by: Self.longestSleep), now.advanced(by: Self.longestSleep))
                do { try await shared.clock.sleep(until: wake) } catch { return }
                ProcessMemory.giveBack()
            }
        }
    }

    /// When the source is to be asked; `nil` for a feed at rest.
    private func due(at now: Instant) -> Instant? {
        state.withLock { state in
            guard let configuration = state.configuration else { return nil }
            let isFromSource = state.library?.live?.summary.origin.url == "\(configuration.source)"
            return state.record.due(at: now, isFromSource: isFromSource, interval: configuration.refreshInterval)
        }
    }

    private func performPending() async {
        guard let (flag, isForced) = desk.begin() else { return }
        desk.end(await updateOnce(flag, isForced: isForced))
    }

    /// One update from its beginning to its end, whoever asks besides: ``run()`` sees to it that there is one at a time.
    @discardableResult
    func updateOnce(_ flag: CancellationFlag = CancellationFlag(), isForced: Bool) async -> FeedImport.Outcome {
        let began = Stopwatch()
        shared.registry.update(id) { $0.progress = .starting }
        let outcome = await perform(flag, isForced: isForced)
        finish(outcome, seconds: began.elapsed)
        ProcessMemory.giveBack()
        return outcome
    }

    private func perform(_ flag: CancellationFlag, isForced: Bool) async -> FeedImport.Outcome {
        let (configuration, record) = state.withLock { ($0.configuration, $0.record) }
        guard let configuration else {
            return FeedImport.Outcome(outcome: .cancelled, message: "The feed is not configured any more.")
        }
        let library: TimetableLibrary
        do throws(StoreError) { library = try self.library() } catch {
            return FeedImport.Outcome(outcome: .failed, message: "\(error)".asSentence, kind: .disk)
        }
        let work = FeedImport(
            configuration: configuration, library: library, record: record, downloadPath: downloadPath,
            transport: shared.transport, keys: shared.keys,
            zones: shared.zones, now: shared.clock.now(), isForced: isForced)
        logger.debug("The source is asked: \(configuration.source)")
        return await BlockingWork.run("import", flag) { [desk, registry = shared.registry, id] in
            work.run(flag) { progress in
                registry.update(id) { $0.progress = progress }
                desk.report(progress)
            }
        }
    }

    // MARK: Afterwards

    private func finish(_ outcome: FeedImport.Outcome, seconds: Double) {
        let now = shared.clock.now()
        let record = state.withLock { state in
            let interval = state.configuration?.refreshInterval ?? DaemonOptions.defaultRefreshInterval
            state.record.note(outcome, at: now, seconds: seconds, interval: interval)
            if outcome.version != nil { state.damage = nil }
            return state.record
        }
        log(outcome, seconds: seconds)
        do throws(StoreError) {
            try shared.state.setFeedRecord(record, of: id)
            if outcome.outcome == .refused || outcome.outcome == .updated {
                try shared.state.setRefusal(outcome.refusal, of: id)
            }
        } catch {
            logger.error("The ledger cannot be written: \(error)")
        }
        let snapshot = snapshot()
        shared.registry.update(id) { if let snapshot { $0 = snapshot } }
        if let file = snapshot?.timetable?.file, outcome.version != nil { warnIfExpired(file) }
        shared.changed()
    }

    private func log(_ outcome: FeedImport.Outcome, seconds: Double) {
        let level: Logger.Level =
            switch outcome.outcome {
            case .updated: .notice
            case .unchanged, .cancelled: .info
            case .refused, .failed: .error
            }
        logger.log(level: level, "\(outcome.message)", metadata: ["outcome": "\(outcome.outcome.rawValue)"])
    }

    /// Puts the live version out of use when a question found it damaged, and asks for a new one.
    func abandon(damagedFile path: String) {
        guard let library = state.withLock({ $0.library }), library.live?.path == path else { return }
        logger.error("The live version is damaged and is put aside: \(path)")
        do throws(StoreError) { try library.abandonLive() } catch {
            logger.error("The damaged version cannot be put aside: \(error)")
        }
        // What the source said belongs to the version that is gone.
        state.withLock { state in
            (state.record.etag, state.record.lastModified, state.record.nextAttempt) = (nil, nil, nil)
        }
        if let snapshot = snapshot() { shared.registry.update(id) { $0 = snapshot } }
        requestUpdate()
    }

    /// Makes another version live; see ``TimetableLibrary/rollback(to:)``.
    func rollback(to number: Int?) throws(StoreError) -> TimetableLibrary.Version {
        let version = try library().rollback(to: number)
        if let snapshot = snapshot() { shared.registry.update(id) { $0 = snapshot } }
        logger.notice("Version \(version.number) is live again.")
        shared.changed()
        return version
    }
}

/// What the services of all feeds share.
struct FeedSurroundings: Sendable {
    var directories: Directories
    var state: StateStore
    var registry: FeedRegistry
    var clock: any DaemonClock
    /// What asks the feeds' sources.
    var transport: any Transport
    var keys: FeedKeys
    var zones: ZoneDatabase
    var logger: Logger
    /// Called after a feed has changed: the daemon's status line tells of it.
    var changed: @Sendable () -> Void
}
