internal import Glibc
internal import Logging
package import TransitControl
internal import TransitEngine
internal import TransitFeeds
internal import TransitFetch
package import TransitModel
internal import TransitServer
internal import TransitStore
internal import TransitSystem
package import TransitWire

/// The daemon's request handlers without a socket, a refresh engine or a network, at a fixed time; used by `make fuzz`.
package final class InProcessDaemon: Sendable {
    /// The reason why the daemon could not be created.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    private let components: DaemonComponents
    private let handlers: RequestHandlers

    /// - Parameters:
    ///   - folder: The folder for all files. The caller creates and removes it.
    ///   - feeds: GTFS archives. Each feed also has every kind of realtime dataset, whose data
    ///     ``receive(_:of:feed:)`` sets.
    ///   - now: The fixed time.
    package init(folder: String, feeds: [FeedID: [UInt8]], now: Instant) throws {
        let clock = FixedClock(moment: now)
        let directories = Directories(under: folder)
        var configuration = Configuration()
        for (id, archive) in feeds.sorted(by: { $0.key < $1.key }) {
            let path = "\(folder)/\(id).zip"
            try Self.write(archive, to: path)
            var feed = FeedConfiguration(id: id, source: .file(path: path))
            for kind in DatasetKind.realtime { feed.realtime[kind] = .file(path: "\(folder)/\(id).\(kind.rawValue)") }
            configuration.feeds.append(feed)
        }
        let state = try StateStore(directory: directories.state, today: ServiceZone.utc.civil(at: now).date)
        let logger = Logger(label: "transitd") { _ in SwiftLogNoOpLogHandler() }
        components = try DaemonComponents(
            DaemonComponents.Environment(
                configurationFile: ConfigurationFile(path: folder + "/config.toml", directories: directories),
                configuration: configuration, directories: directories, state: state, clock: clock,
                boot: "in-process", transport: LocalFileTransport(fallback: CurlTransport()),
                keys: FeedKeys(store: KeyStore(folder: directories.keys)), uid: 0, socket: "none",
                threshold: LogThreshold(.critical), logger: logger))
        handlers = components.requestHandlers(limits: ControlLimits())
    }

    /// Imports the archive of every feed.
    package func importFeeds() async throws {
        for feed in components.feeds.all {
            let outcome = try await components.controller.service(of: feed.id).update(nil)
            guard outcome.outcome == .updated else { throw Failure(description: "\(feed.id): \(outcome.message)") }
        }
    }

    /// Applies a realtime response as if it came from its source.
    ///
    /// - Returns: `nil` if the response is used, otherwise the reason why it is not.
    package func receive(_ body: [UInt8], of kind: DatasetKind, feed: FeedID) -> String? {
        let now = components.clock.now()
        switch components.realtimeFeeds.receive(body, of: DatasetID(feed, kind), received: now, now: now) {
        case .used: return nil
        case .outdated: return "The response is older than the data in use."
        case .refused(let reason): return reason
        }
    }

    /// Drops all realtime responses of a feed, as if no source had responded yet.
    package func removeRealtimeData(of feed: FeedID) {
        guard let timetable = components.feeds.snapshot(feed)?.timetable else { return }
        let (realtimeFeeds, now) = (components.realtimeFeeds, components.clock.now())
        realtimeFeeds.removeCached(of: feed)
        realtimeFeeds.rematch(nil, of: feed, now: now)
        realtimeFeeds.rematch(timetable, of: feed, now: now)
    }

    /// Handles a request that is not long-running, and encodes the reply as the server does.
    ///
    /// - Returns: The reply encoded as JSON.
    @discardableResult
    package func answer(_ parameters: some ControlParameters, uid: UInt32 = 1000) throws(ControlError) -> [UInt8] {
        let caller = Caller(uid: uid, gid: uid, pid: nil, connection: 1)
        let reply = try handlers.answer(
            handlers.registry.request(parameters), from: caller, slowWork: SlowWorkSignal {})
        var writer = JSONWriter()
        reply.write(to: &writer)
        return writer.bytes
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "wb") else { throw Failure(description: "\(path): \(ErrnoMessage.text(errno))") }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw Failure(description: "\(path): \(ErrnoMessage.text(errno))")
        }
    }
}

/// A clock that always shows the same time.
private struct FixedClock: DaemonClock {
    var moment: Instant

    func now() -> Instant { moment }

    /// The boot time also counts from the start of 1970.
    func reading() -> ClockReading {
        ClockReading(wall: moment, boot: BootTime(milliseconds: moment.secondsSince1970 * 1000))
    }

    /// A time in the future is never reached.
    func sleep(until moment: BootTime) async throws {
        try await sleep(until: Instant(secondsSince1970: (moment.milliseconds + 999) / 1000))
    }

    func sleep(until moment: Instant) async throws {
        if moment <= self.moment { return }
        // Ends only when the task is canceled.
        let (never, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        throw CancellationError()
    }
}
