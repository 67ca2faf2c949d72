import Foundation
import Logging
import Testing
import TransitControl
import TransitFeeds
import TransitFetch
import TransitModel
import TransitServer
import TransitStore
import TransitSystem
import TransitTestSupport
import TransitWire

@testable import TransitDaemon
@testable import TransitRefresh

/// A daemon without a socket: the handlers, with feeds that a test writes and a clock that it advances.
final class TestDaemon: Sendable {
    let folder: TestFolder
    let clock: SleepingClock
    let handlers: RequestHandlers
    let daemon: DaemonComponents

    var controller: FeedController { daemon.controller }

    /// Returns the configuration of a feed whose file is in the daemon's folder.
    private static func configuration(_ id: FeedID, _ folder: TestFolder) -> FeedConfiguration {
        FeedConfiguration(id: id, source: .file(path: folder("\(id).zip")))
    }

    /// - Parameters:
    ///   - feeds: The feeds. Their files are written immediately, and imported by ``update(_:whole:force:)`` or
    ///     ``imported(_:at:_:)``.
    ///   - at: The start time of the clock in RFC 3339 format.
    ///   - before: A function that prepares the folders.
    ///   - folder: The folder of a daemon that was killed; by default, a new one.
    ///   - lockTimeout: See ``StateStore/init(directory:today:lockTimeout:)``.
    init(
        feeds: [FeedID: FeedBuilder] = [:], at: String = "2026-03-27T06:30:00Z",
        _ change: (inout Configuration) -> Void = { _ in }, arrivals: ArrivalsService.Source? = nil,
        memory: MemoryReservations = MemoryReservations(), before: (Directories) throws -> Void = { _ in },
        folder former: TestFolder? = nil, lockTimeout: Int32 = 5000
    ) throws {
        folder = try former ?? TestFolder()
        clock = SleepingClock(at)
        let directories = Directories(under: folder.path)
        try before(directories)
        let state = try StateStore(
            directory: directories.state, today: ServiceZone.utc.civil(at: clock.now()).date, lockTimeout: lockTimeout)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var configuration = Configuration()
        for (id, feed) in feeds.sorted(by: { $0.key < $1.key }) {
            // Otherwise, the restarted daemon finds another file of the same content.
            if former == nil { try Data(feed.zip()).write(to: URL(fileURLWithPath: folder("\(id).zip"))) }
            configuration.feeds.append(Self.configuration(id, folder))
        }
        change(&configuration)
        daemon = try DaemonComponents(
            DaemonComponents.Environment(
                configurationFile: ConfigurationFile(path: folder("config.toml"), directories: directories),
                configuration: configuration, directories: directories, state: state, clock: clock, boot: "test",
                transport: LocalFileTransport(fallback: CurlTransport()),
                keys: FeedKeys(store: KeyStore(folder: directories.keys)), uid: 0, socket: "test",
                threshold: LogThreshold(.critical), memory: memory,
                arrivals: arrivals ?? { $0.resolvedProvider.arrivals },
                logger: logger))
        handlers = daemon.requestHandlers(limits: ControlLimits())
    }

    /// Creates a daemon with all feeds imported.
    static func imported(
        _ feeds: [FeedID: FeedBuilder], at: String = "2026-03-27T06:30:00Z",
        _ change: (inout Configuration) -> Void = { _ in }
    ) async throws -> TestDaemon {
        let daemon = try TestDaemon(feeds: feeds, at: at, change)
        for id in feeds.keys.sorted() { #expect(try await daemon.update(id).outcome == .updated) }
        return daemon
    }

    /// Writes a feed's file.
    func publish(_ feed: FeedBuilder, as id: FeedID) throws {
        try Data(feed.zip()).write(to: URL(fileURLWithPath: folder("\(id).zip")))
    }

    /// Runs the refresh engine while `body` runs.
    func running<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [daemon] in try await daemon.refresh.run() }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Fetches and imports a feed's timetable once, without the refresh engine. The request is conditional unless
    /// `whole` is set.
    ///
    /// - Parameter force: Also imports a timetable that is unchanged or would be refused.
    @discardableResult
    func update(_ id: FeedID, whole: Bool = false, force: Bool = false) async throws -> FeedImport.Outcome {
        let service = try controller.service(of: id)
        if force { service.forceNext() }
        let known = service.lastOutcome.map { Validators(etag: $0.etag, lastModified: $0.lastModified) }
        return await service.update(whole || force ? nil : known)
    }

    /// Fetches a realtime source once, without the refresh engine.
    @discardableResult
    func refresh(_ dataset: DatasetID) async throws -> FetchOutcome {
        let order = DatasetFetch(
            ticket: 0, dataset: dataset, source: DatasetSource(endpoint: "test", host: nil, isKeyed: true),
            validators: nil, deadline: 10, bodyLimit: 32 << 20, priority: .user)
        return await daemon.fetcher.fetch(order, CancellationFlag())
    }

    /// Advances the clock until a condition holds. If it does not hold after two minutes, returns so that the test
    /// fails.
    func wait(until isTrue: () -> Bool) { clock.advance(until: isTrue) }

    /// A request to a method, without the conversion to the wire format.
    func made(_ call: some ControlParameters) -> ControlRequest { handlers.registry.request(call) }

    /// The preloader of arrivals, which the daemon runs as a service.
    var preloader: ArrivalsPreloader {
        daemon.arrivalsPreloader(
            handlers.registry, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Whether a request has to wait for arrivals.
    func waits(_ request: ControlRequest) -> Bool {
        var request = request
        return handlers.prepare(&request, from: caller(1000), slowWork: SlowWorkSignal {})
    }

    func caller(_ uid: UInt32) -> Caller { Caller(uid: uid, gid: uid, pid: 1, connection: 1) }

    /// Handles a request with its parameters converted to the wire format and back.
    func ask<Call: ControlParameters>(_ call: Call, uid: UInt32 = 1000) throws -> Call.Reply {
        let reply = try handlers.answer(request(call), from: caller(uid), slowWork: SlowWorkSignal {})
        return try #require(reply as? Call.Reply)
    }

    func askLengthy<Call: ControlParameters>(
        _ call: Call, uid: UInt32 = 0, progress: @escaping @Sendable (TransitControl.RequestProgress) -> Void = { _ in }
    ) async throws -> Call.Reply {
        let reply = try await handlers.answerLongRunning(
            request(call), from: caller(uid), progress: ProgressReporter(progress))
        return try #require(reply as? Call.Reply)
    }

    /// Returns the error with which a request fails.
    func error(of call: some ControlParameters, uid: UInt32 = 1000) -> ControlError? {
        #expect(throws: ControlError.self) { _ = try self.ask(call, uid: uid) }
    }

    private func request<Call: ControlParameters>(_ call: Call) throws -> ControlRequest {
        handlers.registry.request(try Call(reading: JSONValue(parsing: call.encoded), as: .parameters))
    }
}

extension Departure {
    /// The departure as text, such as `24 08:00 harbor`; for a direct trip, with the arrival: `24 08:00 harbor >
    /// central:1 08:20`.
    var line: String {
        let end = arrival.map { " > \($0.stop.id) \($0.scheduled?.clock ?? "-")" } ?? ""
        return "\(route.shortName ?? route.id.rawValue) \(scheduled?.clock ?? "-") \(stop.id)\(end)"
    }
}

extension Timestamp {
    /// RFC 3339.
    var text: String { instant.rfc3339(offset: offset) }
    /// The time of day, without seconds.
    var clock: String { String(text.dropFirst(11).prefix(5)) }
}
