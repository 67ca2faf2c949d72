import Foundation
import Logging
import Testing
import TransitControl
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitDaemon

/// A daemon without a socket: the handlers over feeds that a test writes, by a clock that it moves.
final class TestDaemon: Sendable {
    let folder: TestFolder
    let clock: SleepingClock
    let handlers: RequestHandlers
    let controller: FeedController

    var daemon: DaemonContext { handlers.daemon }

    /// The configuration of a feed that is read from a file in the daemon's folder.
    private static func configuration(_ id: FeedID, _ folder: TestFolder) -> FeedConfiguration {
        FeedConfiguration(id: id, source: .file(path: folder("\(id).zip")))
    }

    /// - Parameters:
    ///   - feeds: Their files are written at once; they are imported by ``update(_:force:)`` or ``imported(_:at:_:)``.
    ///   - at: The clock's beginning, RFC 3339.
    init(
        feeds: [FeedID: FeedBuilder] = [:], at: String = "2026-03-27T06:30:00Z",
        _ change: (inout Configuration) -> Void = { _ in }
    ) throws {
        folder = try TestFolder()
        clock = SleepingClock(at)
        let directories = Directories(under: folder.path)
        let state = try StateStore(directory: directories.state, today: ServiceZone.utc.civil(at: clock.now()).date)
        let registry = FeedRegistry()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        controller = FeedController(
            FeedSurroundings(
                directories: directories, state: state, registry: registry, clock: clock,
                transport: CurlTransport(), keys: FeedKeys(), zones: ZoneDatabase(), logger: logger, changed: {}))
        var configuration = Configuration()
        for (id, feed) in feeds.sorted(by: { $0.key < $1.key }) {
            try Data(feed.zip()).write(to: URL(fileURLWithPath: folder("\(id).zip")))
            configuration.feeds.append(Self.configuration(id, folder))
        }
        change(&configuration)
        controller.apply(configuration.feeds)
        handlers = RequestHandlers(
            daemon: DaemonContext(
                clock: clock, isReplay: false, uid: 0, directories: directories, socket: "test",
                configuration: ConfigurationHolder(
                    file: ConfigurationFile(path: folder("config.toml"), directories: directories),
                    configuration: configuration),
                state: state, feeds: registry, connections: ConnectionCount(), controller: controller,
                threshold: LogThreshold(.critical), notifier: ServiceNotifier(), logger: logger))
    }

    /// With all feeds imported.
    static func imported(
        _ feeds: [FeedID: FeedBuilder], at: String = "2026-03-27T06:30:00Z",
        _ change: (inout Configuration) -> Void = { _ in }
    ) async throws -> TestDaemon {
        let daemon = try TestDaemon(feeds: feeds, at: at, change)
        for id in feeds.keys.sorted() { #expect(try await daemon.update(id).outcome == .updated) }
        return daemon
    }

    /// Writes a feed's file, as its publisher would.
    func publish(_ feed: FeedBuilder, as id: FeedID) throws {
        try Data(feed.zip()).write(to: URL(fileURLWithPath: folder("\(id).zip")))
    }

    /// Runs the feeds' services while `body` runs.
    func running<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [controller] in try await controller.run() }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Asks a feed's source once, without its service.
    @discardableResult
    func update(_ id: FeedID, force: Bool = false) async throws -> FeedImport.Outcome {
        try await daemon.service(of: id).updateOnce(isForced: force)
    }

    func caller(_ uid: UInt32) -> Caller { Caller(uid: uid, gid: uid, pid: 1, connection: 1) }

    /// Asks as a client would: the parameters go through their form on the wire.
    func ask<Call: ControlCall>(_ call: Call, uid: UInt32 = 1000) throws -> Call.Reply {
        let reply = try handlers.answer(request(call), from: caller(uid), pace: AnswerPace {})
        return try #require(reply as? Call.Reply)
    }

    func askLengthy<Call: ControlCall>(
        _ call: Call, uid: UInt32 = 0, progress: @escaping @Sendable (TransitControl.Progress) -> Void = { _ in }
    ) async throws -> Call.Reply {
        let reply = try await handlers.answerLengthy(
            request(call), from: caller(uid), progress: ProgressReporter(progress))
        return try #require(reply as? Call.Reply)
    }

    /// The error that a request ends in.
    func error(of call: some ControlCall, uid: UInt32 = 1000) -> ControlError? {
        #expect(throws: ControlError.self) { _ = try self.ask(call, uid: uid) }
    }

    private func request(_ call: some ControlCall) throws -> ControlRequest {
        var writer = JSONWriter()
        call.write(to: &writer)
        return try ControlRequest(type(of: call).method, parameters: JSONValue(parsing: writer.bytes))
    }
}

extension Departure {
    /// `24 08:00 harbor`, and where and when it arrives: `24 08:00 harbor > central:1 08:20`.
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
