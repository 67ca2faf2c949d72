import Foundation
import Glibc
import TransitControl
import TransitFeeds
import TransitModel
import TransitTestSupport
import TransitWire

/// A daemon process and its upstream, which serves the small feed and its trip updates over HTTPS. The daemon's clock
/// may run fast.
///
/// Trip `b1`, which leaves the harbor at 07:00 UTC, has a delay of 240 s.
final class UpstreamFixture {
    let daemon: DaemonProcess
    let server: UpstreamServer
    private let rate: Double

    /// The default start of the clock.
    static let start = "2026-03-27T05:30:00Z"
    /// A start for clocks that run fast: on a slow machine too, a test ends before the trip leaves.
    static let earlyStart = "2026-03-27T04:10:00Z"
    /// The upstream's default response for the trip updates.
    static let realtime = "/live?file=trip-updates.pb"
    static let isThere = UpstreamServer.isAvailable && DaemonProcess.executable != nil

    /// - Parameters:
    ///   - rate: The number of seconds on the daemon's clock per real second.
    ///   - files: The files in the upstream's folder.
    ///   - configuration: Returns the text of the configuration for the upstream.
    init(rate: Double, files: [String: [UInt8]], configuration: (UpstreamServer) -> String) throws {
        self.rate = rate
        daemon = try DaemonProcess()
        let folder = daemon.folder("upstream")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        server = try UpstreamServer(folder: folder)
        for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
        try daemon.configure(configuration(server))
    }

    /// - Parameters:
    ///   - feed: Additional lines for the `[[feed]]`.
    ///   - knowsAuthority: Whether the configuration trusts the authority of the upstream's certificate.
    ///   - interval: The interval of the trip updates. It is longer than a test lasts if no request may follow the first.
    convenience init(
        rate: Double = 1, feed: String = "", knowsAuthority: Bool = true, interval: String = "60s"
    ) throws {
        try self.init(
            rate: rate, files: ["city.zip": FeedBuilder.small.zip(), "trip-updates.pb": Self.tripUpdates]
        ) { server in
            """
            [[feed]]
            id = "city"
            provider = "gtfs"
            static = "\(server.url("/files/city.zip"))"
            trip_updates = "\(server.url("/trip-updates"))"
            \(knowsAuthority ? "ca_file = \"\(server.caFile)\"" : "")
            \(feed)
            [feed.refresh]
            trip_updates = "\(interval)"
            idle = "\(interval)"
            """
        }
        try answer(Self.realtime)
    }

    /// The server adds the header.
    private static let tripUpdates = RealtimeWriter.bytes(
        RealtimeHeader(version: "2.0"),
        [
            .tripUpdate(
                TripUpdate(
                    id: "1", trip: TripDescriptor(tripID: "b1"),
                    updates: [StopTimeUpdate(stopID: "harbor", departure: StopTimeEvent(delay: 240))]))
        ])

    /// Starts or restarts the daemon, and sets the upstream's clock to the daemon's clock.
    ///
    /// - Parameter rate: The number of seconds on the clock per real second, if it is not that of the fixture.
    func start(at time: String = start, rate: Double? = nil, arguments: [String] = []) throws {
        let rate = rate ?? self.rate
        // The upstream's clock is stopped until the daemon reports its time, because the daemon would flag a message
        // from the future.
        try server.setClock(Instant(rfc3339: time)?.secondsSince1970 ?? 0, rate: 0)
        try daemon.start(["--replay-clock", "\(time)/\(rate)"] + arguments)
        try server.setClock(now().secondsSince1970, rate: rate)
    }

    /// Stops the daemon and restarts it at the time at which it was stopped, with a clock of another rate.
    func continueAtRate(_ rate: Double) throws {
        let time = try now()
        daemon.signal(SIGTERM)
        _ = daemon.wait()
        try start(at: time.rfc3339(), rate: rate)
    }

    /// Kills the daemon and restarts it with its clock advanced by a minute.
    func killAndRestart() throws {
        let later = try now().advanced(by: 60)
        daemon.signal(SIGKILL)
        _ = daemon.wait()
        try start(at: later.rfc3339())
    }

    /// Sets the upstream's responses for trip updates to a scenario from `upstream.py`.
    func answer(_ scenario: String) throws { try server.answer("/trip-updates", with: scenario) }

    /// Returns the number of requests so far for a path.
    func requests(_ path: String = "/trip-updates") throws -> Int {
        try server.log().count { $0.target == path || $0.target.hasPrefix(path + "?") }
    }

    /// The daemon's time.
    func now() throws -> Instant { try instant(daemon.ask("status")["at"]) }

    func instant(_ value: JSONValue?) throws -> Instant {
        guard let instant = value?.text.flatMap({ Instant(rfc3339: $0) }) else {
            throw DaemonFailure(reason: "\(value.map { "\($0)" } ?? "nothing") is no time")
        }
        return instant
    }

    /// Returns the next departure at the harbor: `b1`.
    func departure() throws -> JSONValue {
        let answer = try daemon.ask("departures", ["stop": "harbor"])
        guard let first = answer["departures"]?.elements.first else {
            throw DaemonFailure(reason: "no departures: \(answer)")
        }
        return first
    }

    /// Returns the status of a dataset.
    func dataset(_ name: String = "trip_updates", updates: Bool = false) throws -> JSONValue {
        let status = try daemon.ask("status", ["updates": .bool(updates)])
        let datasets = status["feeds"]?.elements.first?["datasets"]?.elements
        guard let dataset = datasets?.first(where: { $0["dataset"]?.text == name }) else {
            throw DaemonFailure(reason: "no \(name): \(status)")
        }
        return dataset
    }

    func notices() throws -> [String] {
        try daemon.ask("status")["notices"]?.elements.compactMap { $0["message"]?.text } ?? []
    }

    /// See ``DaemonProcess/eventually(_:_:)``.
    @discardableResult
    func eventually<Value>(_ what: String, _ look: () throws -> Value?) throws -> Value {
        try daemon.eventually(what, look)
    }

    /// Waits until the departure shows the delay of the realtime data, and the response with it is on disk.
    func waitUntilLive() throws {
        try eventually("a live departure") {
            let first = try? departure()
            return first?["realtime_state"]?.text == "fresh" && first?["delay"]?.number == 240 ? true : nil
        }
        // A response is in use before it is on disk.
        try eventually("the cached response") {
            daemon.files.contains { $0.hasSuffix("city.trip_updates.live") } ? true : nil
        }
    }

    /// Runs the built transitctl until it exits, and returns the output.
    func transitctl(_ arguments: String..., environment: [String: String] = [:]) throws -> String {
        let environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let run = try daemon.transitctl(arguments, environment: environment)
        return run.output + run.error
    }
}

extension JSONValue {
    /// The elements of an array; empty for any other value.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    var number: Int64? { if case .int(let number) = self { number } else { nil } }
}
