import Dispatch
import Foundation
import Glibc
import Logging
import Synchronization
import TransitControl
import TransitModel
import TransitSystem
import TransitWire

@testable import TransitDaemon

/// Replies with the stop or feed of the request, immediately or when a test permits it.
final class EchoHandler: RequestHandling {
    private let gates = Mutex<[String: CancelSignal]>([:])
    /// A request for the stop `slow` or `stuck` waits for this semaphore on the server's thread. `slow` signals slow
    /// work first; `stuck` does not.
    let slowReply = DispatchSemaphore(value: 0)
    /// The names of the threads that answered `departures`.
    let threads = Mutex<Set<String>>([])
    private let boards = Mutex<[String: JSONValue]>([:])

    /// Sets the result of `departures` for a stop.
    func set(_ stop: String, to board: JSONValue) { boards.withLock { $0[stop] = board } }

    /// Returns the signal that a long-running request for a feed waits for. Each signal applies to a single request.
    func gate(_ feed: String) -> CancelSignal {
        gates.withLock { gates in
            if let gate = gates[feed] { return gate }
            let gate = CancelSignal()
            gates[feed] = gate
            return gate
        }
    }

    func greeting(for caller: Caller) -> HelloInfo {
        HelloInfo(
            at: Timestamp(Instant(secondsSince1970: 0)), daemonVersion: "1.2.3", features: ["echo"],
            allowedMethods: caller.uid == getuid() ? ControlMethod.allCases : [])
    }

    /// The name of the calling thread.
    private static var threadName: String {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .newlines) ?? ""
    }

    /// `departures` returns the stop of the request, or a string of the given size for the stop `big:BYTES`.
    func answer(
        _ request: ControlRequest, from caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> any WireValue {
        guard case .departures(let parameters) = request else {
            throw ControlError(.stopNotFound, "There is no \(request.method.rawValue).", hint: "Try another.")
        }
        threads.withLock { _ = $0.insert(Self.threadName) }
        if parameters.stop.hasPrefix("big:"), let size = Int(parameters.stop.dropFirst(4)) {
            return String(repeating: "x", count: size)
        }
        if parameters.stop == "slow" {
            slowWork.beginSlowWork()
            slowReply.wait()
        }
        if parameters.stop == "stuck" { slowReply.wait() }
        if let board = boards.withLock({ $0[parameters.stop] }) { return board }
        return parameters.stop
    }

    /// The feeds whose `feed.update` was canceled.
    let canceledUpdates = Mutex<[FeedID]>([])

    /// The names of places in the order in which they were set.
    let written = Mutex<[String]>([])

    /// `place.set` waits for the gate of its name, and `feed.update` for the gate of its feed. The feed `steps` reports
    /// progress and needs no gate.
    func answerLongRunning(
        _ request: ControlRequest, from caller: Caller, progress: ProgressReporter
    ) async throws(ControlError) -> any WireValue {
        if case .placeSet(let parameters) = request {
            await gate(parameters.place).wait()
            written.withLock { $0.append(parameters.place) }
            return parameters.place
        }
        guard case .feedUpdate(let parameters) = request else { return JSONValue.null }
        if parameters.feed == "steps" {
            for done in 1...3 { progress.report(RequestProgress(phase: "write", done: done, total: 3, unit: "rows")) }
            return parameters.feed
        }
        await gate(parameters.feed.rawValue).wait()
        if Task.isCancelled {
            canceledUpdates.withLock { $0.append(parameters.feed) }
            throw ControlError(.canceled, "The update was canceled.")
        }
        return parameters.feed
    }
}

/// A server on a socket in a temporary folder, with a handler that tests control.
struct ServerFixture: Sendable {
    let handler = EchoHandler()
    let server: ControlServer
    let count = ConnectionCount()
    /// Signaled each time the server becomes idle.
    let idle = DispatchSemaphore(value: 0)
    let path: String

    /// Runs the server while `body` uses it, then stops it. `body` may block, so the suite needs ``OwnThreads``.
    static func run(
        _ limits: ControlLimits = ControlLimits(), _ body: @escaping @Sendable (ServerFixture) throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let fixture = try ServerFixture(limits, folder.path + "/control/transitd.sock")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await fixture.server.run() }
            try body(fixture)
            group.cancelAll()
        }
    }

    private init(_ limits: ControlLimits, _ path: String) throws {
        self.path = path
        server = try ControlServer(
            listeners: [try ControlListener.own(path: path)], handler: handler, limits: limits, count: count,
            logger: .silent, onIdle: { [idle] in idle.signal() })
    }

    func connect() throws -> TestClient { try TestClient(path) }
}

extension Logger {
    static let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
}

/// A folder that is removed with its contents when it is no longer referenced.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/transitd-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemFailure("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { remove(path + "/" + name) }
            }
            closedir(directory)
        }
        _ = Glibc.remove(path)
    }
}
