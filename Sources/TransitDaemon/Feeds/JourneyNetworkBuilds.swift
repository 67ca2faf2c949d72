internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitStore
internal import TransitSystem

/// Builds the networks of timetables for journeys and writes them beside the timetable files: after an import, and when a
/// request finds none. At most one is built at a time, on a thread with a low priority, which exists only in the meantime.
final class JourneyNetworkBuilds: Sendable {
    private struct Job: Sendable {
        var feed: FeedID
        var file: TimetableFile
        var library: TimetableLibrary
        /// The greatest distance of a walk between two stops, in meters.
        var walkingDistance: Double
        /// Ends the build early.
        var flag: CancellationFlag
        /// Called with the network, or with `nil` if it could not be built.
        var end: @Sendable (JourneyNetwork?) -> Void
        /// Called if the build has to wait for memory, maybe for minutes.
        var isDelayed: @Sendable () -> Void = {}
    }

    /// A failed build.
    private struct Failure {
        var path: String
        /// A sentence without paths.
        var reason: String
        /// The earliest time of the next attempt.
        var next: BootTime
    }

    private struct State {
        var waiting: [Job] = []
        var isRunning = false
        /// The last build of each feed, if it failed.
        var failures: [FeedID: Failure] = [:]
    }

    private let memory: MemoryReservations
    private let clock: any DaemonClock
    private let walkingDistance: @Sendable () -> Double
    private let changed: @Sendable (FeedID) -> Void
    private let logger: Logger
    private let state = Mutex(State())
    private let waiters = ConditionWaiters()

    /// The pause after a failed build in seconds.
    static let pauseAfterFailure = 600
    /// The number of seconds that a request waits for networks that are being built.
    private static let patience = 2

    /// - Parameters:
    ///   - walkingDistance: Returns the greatest distance of a walk between two stops in meters, as configured.
    ///   - changed: Called after the network of a feed that a request asked for was built.
    init(
        memory: MemoryReservations, clock: any DaemonClock, logger: Logger,
        walkingDistance: @escaping @Sendable () -> Double, changed: @escaping @Sendable (FeedID) -> Void
    ) {
        (self.memory, self.clock, self.logger) = (memory, clock, logger)
        (self.walkingDistance, self.changed) = (walkingDistance, changed)
    }

    // MARK: Requests

    /// Begins to build the network of a timetable that a request needs. Returns the reason if it does not begin.
    func request(_ timetable: Timetable, walkingDistance: Double, in library: TimetableLibrary) -> String? {
        let now = clock.reading().boot
        let failure = state.withLock { $0.failures[timetable.feed] }
        if let failure, failure.path == timetable.file.path, failure.next > now { return failure.reason }
        return enqueue(
            Job(
                feed: timetable.feed, file: timetable.file, library: library, walkingDistance: walkingDistance,
                flag: CancellationFlag(),
                end: { [changed, waiters] network in
                    timetable.finishJourneyNetwork(network, walkingDistance: walkingDistance)
                    waiters.resumeSatisfied()
                    changed(timetable.feed)
                }))
    }

    /// Opens the networks of timetables, and waits a short time for those that have to be built.
    func waitForNetworks(of timetables: [Timetable], walkingDistance: Double) async {
        @Sendable func isBuilt() -> Bool {
            !timetables.contains {
                if case .building = $0.journeyNetwork(walkingDistance: walkingDistance) { true } else { false }
            }
        }
        if isBuilt() { return }
        await waiters.wait(until: clock.reading().boot.advanced(by: Self.patience), clock) { isBuilt() }
    }

    /// Builds the network of the current version of a feed after an import. Returns when it is written or has failed, and
    /// earlier if it has to wait for memory that other imports use.
    func build(of feed: FeedID, in library: TimetableLibrary, until flag: CancellationFlag) {
        guard let file = library.current else { return }
        let hasEnded = ResultBox<Void>()
        let reason = enqueue(
            Job(
                feed: feed, file: file, library: library, walkingDistance: walkingDistance(), flag: flag,
                end: { _ in hasEnded.fulfill(()) },
                isDelayed: { hasEnded.fulfill(()) }))
        if reason == nil { hasEnded.wait() }
    }

    /// Adds a job. Returns the reason if no thread can be started for it.
    private func enqueue(_ job: Job) -> String? {
        let isFirst = state.withLock { state in
            state.waiting.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return nil }
        do throws(SystemFailure) {
            try NamedThread.start("networks") { [self] in runJobs() }
            return nil
        } catch {
            let waiting = state.withLock { state in
                defer { (state.waiting, state.isRunning) = ([], false) }
                return state.waiting
            }
            // Others were added meanwhile.
            for other in waiting where other.file !== job.file { other.end(nil) }
            return "The network for journeys cannot be built: \(error)".asSentence
        }
    }

    private func runJobs() {
        NamedThread.lowerPriority()
        while let job = takeNext() { job.end(perform(job)) }
        ProcessMemory.releaseFreeMemory()
    }

    private func takeNext() -> Job? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.isRunning = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    // MARK: Building

    private func perform(_ job: Job) -> JourneyNetwork? {
        do {
            let network = try network(of: job)
            state.withLock { $0.failures[job.feed] = nil }
            return network
        } catch StoreError.canceled, FeedError.canceled {
            return nil
        } catch {
            let reason = Self.reason(for: error)
            let failure = Failure(
                path: job.file.path, reason: reason,
                next: clock.reading().boot.advanced(by: Self.pauseAfterFailure))
            state.withLock { $0.failures[job.feed] = failure }
            logger.error("\(reason)", metadata: ["feed": "\(job.feed)", "error": "\(error)"])
            return nil
        }
    }

    private static func reason(for error: any Error) -> String {
        switch error {
        case let error as StoreError: JourneyNetwork.reason(for: error)
        default: "The network for journeys cannot be built: \(error)".asSentence
        }
    }

    /// Returns the network of a timetable from its file, which is written first if there is none.
    private func network(of job: Job) throws -> JourneyNetwork {
        let source = JourneyNetwork.Source(of: job.file, walkingDistance: job.walkingDistance)
        do throws(StoreError) {
            if let network = try JourneyNetworkFile.open(of: job.file, from: source) { return network }
        } catch {
            logger.warning("The network for journeys is built again: \(error)", metadata: ["feed": "\(job.feed)"])
        }
        try write(job)
        guard let network = try JourneyNetworkFile.open(of: job.file, from: source) else {
            throw StoreError.notFound("file that was just written")
        }
        return network
    }

    private func write(_ job: Job) throws {
        // The network of a version that was replaced meanwhile would be removed.
        guard job.library.current === job.file else { throw StoreError.canceled }
        let reservation = try memory.reserve(
            DerivedJourneyNetwork.memoryEstimate(of: job.file), for: job.feed, until: job.flag,
            waits: { reportDelay(of: job) })
        defer { reservation.release() }
        // A connection of its own: requests do not wait for it, and its page cache is freed with it.
        let derived = try DerivedJourneyNetwork(
            TimetableFile(path: job.file.path, cacheSize: 0), walkingDistance: job.walkingDistance
        ) { job.flag.isSet }
        for finding in derived.omissions.findings {
            logger.warning(
                "\(finding.examples.first?.message ?? finding.rule)",
                metadata: ["feed": "\(job.feed)", "count": "\(finding.count)"])
        }
        guard try job.library.writeNetwork(derived.bytes, of: job.file) else { throw StoreError.canceled }
    }

    private func reportDelay(of job: Job) {
        let waiting = state.withLock { $0.waiting }
        for job in [job] + waiting { job.isDelayed() }
    }
}
