import Foundation
import Logging
import Synchronization
import Testing
import TransitControl
import TransitFetch
import TransitModel
import TransitNotifications
import TransitReplies
import TransitServer
import TransitStore
import TransitSystem
import TransitTestSupport
import TransitWire

@testable import TransitDaemon

/// A whole daemon under a virtual clock: its handlers, its realtime data and its notification service with the outbox.
/// Only the socket, the refresh engine and the agent are missing; the simulation receives the messages and reads the
/// outbox in their place.
final class CommuterDaemon {
    /// A clock that only the simulation advances.
    private final class VirtualClock: DaemonClock {
        private let clock: ManualClock

        init(_ start: Instant) { clock = ManualClock(start) }

        func now() -> Instant { clock.now() }
        func set(_ now: Instant) { clock.set(now) }
        func reading() -> ClockReading {
            ClockReading(wall: now(), boot: BootTime(milliseconds: now().secondsSince1970 * 1000))
        }
        func sleep(until moment: BootTime) async throws { throw CancellationError() }
        func sleep(until moment: Instant) async throws { throw CancellationError() }
    }

    static let feed: FeedID = "caltrain"

    private let folder: TestFolder
    private let clock: VirtualClock
    private let components: DaemonComponents
    private let handlers: RequestHandlers

    /// - Parameter archive: The path of the timetable.
    init(archive: String, at now: Instant) throws {
        folder = try TestFolder()
        clock = VirtualClock(now)
        let directories = Directories(under: folder.path)
        var configuration = Configuration()
        var feed = FeedConfiguration(id: Self.feed, source: .file(path: archive))
        for kind in [DatasetKind.tripUpdates, .vehicles, .alerts] { feed.realtime[kind] = .file(path: "") }
        configuration.feeds = [feed]
        components = try DaemonComponents(
            DaemonComponents.Environment(
                configurationFile: ConfigurationFile(path: folder("config.toml"), directories: directories),
                configuration: configuration, directories: directories,
                state: StateStore(directory: directories.state, today: ServiceZone.utc.civil(at: now).date),
                clock: clock, boot: "simulation", transport: LocalFileTransport(fallback: CurlTransport()),
                keys: FeedKeys(store: KeyStore(folder: directories.keys)), uid: 0, socket: "none",
                threshold: LogThreshold(.critical),
                logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }))
        handlers = components.requestHandlers(limits: ControlLimits())
    }

    var now: Instant { clock.now() }

    func importTimetable() async throws {
        let outcome = await (try components.controller.service(of: Self.feed)).update(nil)
        #expect(outcome.outcome == .updated, "\(outcome.message)")
    }

    func set(_ now: Instant) { clock.set(now) }

    /// The moment of the next pass without new data.
    var plannedPass: Instant? {
        components.notifications.plannedPass.map { Instant(secondsSince1970: ($0.milliseconds + 999) / 1000) }
    }

    /// Decides about all users.
    func pass() { components.notifications.pass() }

    /// Applies a message of the source. Returns why it was refused; `nil` if it is used.
    func receive(_ body: [UInt8], of kind: DatasetKind) -> String? {
        switch components.realtimeFeeds.receive(body, of: DatasetID(Self.feed, kind), received: now, now: now) {
        case .used:
            // As the refresh engine does after a fetch.
            components.feedChanges.notify(Self.feed)
            return nil
        case .outdated: return "outdated"
        case .refused(let reason): return reason
        }
    }

    @discardableResult
    func ask<Call: ControlParameters>(_ call: Call, uid: UInt32) throws -> Call.Reply {
        let caller = Caller(uid: uid, gid: uid, pid: 1, connection: 1)
        let reply = try handlers.answer(handlers.registry.request(call), from: caller, slowWork: SlowWorkSignal {})
        return try #require(reply as? Call.Reply)
    }

    /// The events whose hooks have to run now.
    func unfinished(of uid: UInt32) -> [NotificationEvent] {
        let (events, unfinished) = components.notifications.outbox.current(of: uid, at: now)
        return events.filter { unfinished.contains($0.id) }
    }

    func acknowledge(_ events: [NotificationEvent], of uid: UInt32) throws {
        for stage in [NotificationStage.handedOut, .done] {
            try ask(NotifyAckParameters(ids: events.map(\.id), stage: stage), uid: uid)
        }
    }

    /// All decisions since an instant, with those that were suppressed.
    func decisions(of uid: UInt32, since: Instant) throws -> [SavedNotificationEvent] {
        try components.state.notificationEvents(of: uid, since: since)
    }

    /// Why subjects cannot be watched.
    func problems(of uid: UInt32) -> [String] {
        components.notifications.overview(of: uid).problems.map { "\($0.name): \($0.reason)" }
    }
}

extension CommuterDaemon {
    /// Reads an event from the state file.
    static func event(_ json: String) -> NotificationEvent? { NotificationEvent(json: json) }
}
