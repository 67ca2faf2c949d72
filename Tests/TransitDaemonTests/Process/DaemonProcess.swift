import Foundation
import Glibc
import Synchronization
import Testing
import TransitControl
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// The built `transitd`, in its own process and temporary folder, with a client.
final class DaemonProcess {
    let folder: TestFolder
    private var process: TestProcess?
    /// The path of the file with the output of the last process. A file is used so that the process never blocks on a
    /// full pipe.
    private var log = ""
    private var starts = 0
    /// The socket for state messages. It is new for each start, so that messages from an earlier process are ignored.
    private var notifications: NotifySocket

    /// `transitd` next to the test bundle; `nil` if `transitd` was not built.
    static let executable: String? = {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        for _ in 0..<4 {
            let candidate = folder.appendingPathComponent("transitd").path
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    init(folder: TestFolder? = nil) throws {
        self.folder = try folder ?? TestFolder()
        notifications = try NotifySocket(self.folder("notify-\(NotifySocket.nextNumber())"))
    }

    deinit {
        if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Environment variables in addition to those that every test daemon gets.
    var addedEnvironment: [String: String] = [:]

    /// A program with arguments that starts the daemon, whose path and arguments follow.
    var launcher: [String] = []
    /// The standard input; `nil` for that of the tests.
    var standardInput: FileHandle?
    /// Variables that replace those of every test daemon.
    var replacedEnvironment: [String: String] = [:]

    var socket: String { folder("run/transitd.sock") }
    var environment: [String: String] {
        addedEnvironment.merging([
            "STATE_DIRECTORY": folder("state"), "CACHE_DIRECTORY": folder("cache"), "RUNTIME_DIRECTORY": folder("run"),
            "CONFIGURATION_DIRECTORY": folder("config"), "HOME": folder.path, "TZDIR": "/usr/share/zoneinfo",
            "NOTIFY_SOCKET": notifications.path,
        ]) { $1 }.merging(replacedEnvironment) { $1 }
    }

    func configure(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: folder("config"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder("config/config.toml")))
    }

    /// Appends to the configuration.
    func append(_ text: String) throws {
        let path = folder("config/config.toml")
        try configure(try String(contentsOfFile: path, encoding: .utf8) + text)
    }

    /// Starts the daemon and waits until it reports that it is ready.
    func start(_ arguments: [String] = []) throws {
        try launch(arguments)
        try wait(for: "READY=1")
    }

    /// Waits for a state message to the service manager.
    func wait(for state: String) throws {
        while let message = notifications.receive() {
            if message.split(separator: "\n").contains(Substring(state)) { return }
        }
        throw DaemonFailure(reason: "transitd did not report \(state): \(output())")
    }

    @discardableResult
    private func launch(_ arguments: [String]) throws -> TestProcess {
        let process = TestProcess()
        starts += 1
        log = folder("log-\(starts)")
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        notifications = try NotifySocket(folder("notify-\(NotifySocket.nextNumber())"))
        let command = launcher + [try #require(Self.executable)] + arguments
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        if let standardInput { process.standardInput = standardInput }
        process.environment = environment
        process.standardError = file
        process.standardOutput = file
        process.terminationHandler = { [notifications] _ in notifications.interrupt() }
        try process.run()
        self.process = process
        return process
    }

    /// Runs the daemon until it exits, and returns the exit code and the output. Throws if it runs for two minutes.
    func run(_ arguments: [String]) throws -> (code: Int32, output: String) {
        let process = try launch(arguments)
        guard TransitTestTraits.eventually({ !process.isRunning }) else {
            throw DaemonFailure(reason: "transitd did not exit: \(output())")
        }
        return (process.terminationStatus, output())
    }

    func ask(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONValue {
        try DaemonClient(socket).ask(method, parameters)
    }

    /// Polls until a value is available, for at most two minutes.
    @discardableResult
    func eventually<Value>(_ what: String, _ look: () throws -> Value?) throws -> Value {
        let end = ContinuousClock.now.advanced(by: .seconds(120))
        while ContinuousClock.now < end {
            if let value = try look() { return value }
            usleep(50_000)
        }
        throw DaemonFailure(reason: "no \(what): \(try ask("status")) \(output())")
    }

    func signal(_ number: Int32) { if let process { kill(process.processIdentifier, number) } }

    /// Waits until the process exits. Returns the exit code, or the negated number of the signal that ended the
    /// process, and the duration in seconds. A process that does not exit within two minutes is killed.
    func wait() -> (code: Int32, seconds: Double) {
        let began = DispatchTime.now()
        if let process, !TransitTestTraits.eventually({ !process.isRunning }) {
            Issue.record("transitd did not exit: \(output())")
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e9
        let status = process?.terminationStatus ?? 0
        return (process?.terminationReason == .uncaughtSignal ? -status : status, seconds)
    }

    /// The output of the last process so far.
    func output() -> String {
        String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
    }

    /// The files in the daemon's folder, without those of the tests.
    var files: [String] {
        (FileManager.default.subpaths(atPath: folder.path) ?? []).filter { path in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder(path), isDirectory: &isFolder)
            return !isFolder.boolValue && !path.hasPrefix("notify-") && !path.hasPrefix("log-")
        }.sorted()
    }
}

/// The socket of a service manager (sd_notify(3)), which lets a test wait until the daemon is ready.
final class NotifySocket: Sendable {
    let path: String
    private let descriptor: Int32
    private static let lastNumber = Atomic<Int>(0)

    /// Returns a number that no other socket of this process has.
    static func nextNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

    init(_ path: String) throws {
        self.path = path
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let result = DaemonClient.withAddress(path) { Int(bind(descriptor, $0, $1)) }
        guard result == 0 else { throw DaemonFailure(reason: "there is no socket \(path)") }
        var timeout = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Returns the next message; `nil` if the process has ended or no message arrives within two minutes.
    func receive() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var count = recv(descriptor, &buffer, buffer.count, 0)
        // A process that was stopped and continues (signal(7)).
        while count < 0, errno == EINTR { count = recv(descriptor, &buffer, buffer.count, 0) }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// Makes ``receive()`` return by sending an empty message.
    func interrupt() {
        let sender = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(sender) }
        _ = DaemonClient.withAddress(path) { sendto(sender, "", 0, Int32(MSG_NOSIGNAL), $0, $1) }
    }
}

struct DaemonFailure: Error {
    var reason: String
}

/// A connection to a control socket.
final class DaemonClient {
    private let descriptor: Int32
    private var received: [UInt8] = []

    init(_ path: String) throws {
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let result = Self.withAddress(path) { Int(connect(descriptor, $0, $1)) }
        guard result == 0 else { throw DaemonFailure(reason: "no daemon listens on \(path)") }
        // A daemon that does not respond fails the test instead of blocking it.
        var timeout = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int) -> Int {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Returns the result of a method. Notifications before the result are skipped.
    func ask(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONValue {
        try send(method, parameters)
        while true {
            let line = try JSONValue(parsing: try readLine())
            if let result = line["result"] { return result }
            if let error = line["error"] { throw DaemonFailure(reason: "\(error)") }
        }
    }

    func send(_ method: String, _ parameters: JSONObject = [:]) throws {
        let request: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .object(parameters)]
        let bytes = request.encoded + [0x0A]
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw DaemonFailure(reason: "the daemon does not accept requests")
        }
    }

    func readLine() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                defer { received.removeFirst(end + 1) }
                return Array(received[..<end])
            }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            // A process that was stopped and continues (signal(7)).
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw DaemonFailure(reason: "the daemon closed the connection") }
            received += buffer[..<count]
        }
    }
}
