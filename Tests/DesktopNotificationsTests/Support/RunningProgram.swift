import Foundation
import Synchronization
import TransitTestSupport
import TransitTestTraits

/// A program that a test runs, with all that it writes. It is ended when the object is released.
final class RunningProgram: Sendable {
    struct Failure: Error {
        var reason: String
    }

    private let process = TestProcess()
    /// The streams of this program: standard input, standard output, and standard error.
    private let streams: [Stream]

    /// One end of a pair of sockets, with what has arrived at it.
    private final class Stream: Sendable {
        let descriptor: Int32
        private let arrived = Mutex((bytes: Data(), isComplete: false))

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        /// Reads on a thread of its own until the other end is closed.
        func collect() {
            Thread.detachNewThread { [self] in
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = read(descriptor, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    arrived.withLock {
                        $0.bytes += buffer.prefix(max(count, 0))
                        $0.isComplete = count <= 0
                    }
                    if count <= 0 { return }
                }
            }
        }

        var text: String { arrived.withLock { String(decoding: $0.bytes, as: UTF8.self) } }
        var isComplete: Bool { arrived.withLock { $0.isComplete } }
    }

    /// - Parameters:
    ///   - arguments: The program, found in PATH unless it is a path, and its arguments.
    ///   - environment: The whole environment.
    init(_ arguments: [String], environment: [String: String] = TestPath.environment) throws {
        var pairs: [(own: Int32, other: Int32)] = []
        for _ in 0..<3 {
            var pair: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
                throw Failure(reason: "socketpair")
            }
            pairs.append((pair[0], pair[1]))
        }
        streams = pairs.map { Stream($0.own) }
        let handles = pairs.map { FileHandle(fileDescriptor: $0.other, closeOnDealloc: true) }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = environment
        (process.standardInput, process.standardOutput, process.standardError) = (handles[0], handles[1], handles[2])
        try process.run()
        for handle in handles { try handle.close() }
        for stream in streams.dropFirst() { stream.collect() }
    }

    deinit { stop() }

    /// What the program has written to standard output.
    var output: String { streams[1].text }
    /// What the program has written to standard error.
    var error: String { streams[2].text }
    /// The complete lines of ``output``.
    var lines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }

    var pid: pid_t { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    func send(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(streams[0].descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Failure(reason: "send: \(errno)")
            }
        }
    }

    func closeInput() { shutdown(streams[0].descriptor, Int32(SHUT_WR)) }

    /// Waits until the program has written a text.
    func wait(for text: String) throws {
        func all() -> String { output + error }
        eventually { all().contains(text) || !isRunning && streams[1].isComplete && streams[2].isComplete }
        guard all().contains(text) else { throw Failure(reason: "\(process.arguments): \(all())") }
    }

    /// Waits until the program has ended and all of its output has arrived.
    func outcome() -> ProgramOutcome {
        process.waitUntilExit()
        eventually { streams[1].isComplete && streams[2].isComplete }
        return ProgramOutcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: output, error: error)
    }

    /// Ends the program, and waits until it has ended.
    func stop() {
        // A stopped program handles no other signal.
        if isRunning { kill(pid, SIGKILL) }
        process.waitUntilExit()
        for stream in streams { shutdown(stream.descriptor, Int32(SHUT_RDWR)) }
    }
}

/// The outcome of a program that has ended.
struct ProgramOutcome {
    /// The exit status, or the negative number of the signal that ended it.
    var status: Int32
    var output: String
    var error: String

    /// Runs a program until it ends.
    static func run(
        _ arguments: [String], environment: [String: String] = TestPath.environment, input: String = ""
    ) throws -> ProgramOutcome {
        let program = try RunningProgram(arguments, environment: environment)
        // The program may end without reading.
        try? program.send(input)
        program.closeInput()
        return program.outcome()
    }
}

/// Paths that tests use.
enum TestPath {
    static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    static let environment = ["PATH": path]

    /// The root of the repository.
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    /// The built hook.
    static let hook = BuiltProgram.hook ?? ""

    static func upstream(_ name: String) -> String {
        repository.appendingPathComponent("Tests/Upstream/\(name)").path
    }

    static func contributed(_ name: String) -> String {
        repository.appendingPathComponent("contrib/hooks/\(name)").path
    }

    /// Whether the programs are installed. Prints the missing ones.
    static func has(_ programs: [String], for tests: String) -> Bool {
        let missing = programs.filter { program in
            !path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
        }
        if !missing.isEmpty {
            print("SKIPPED: tests of \(tests): missing \(missing); run: scripts/install-dependencies check")
        }
        return missing.isEmpty
    }
}

/// A temporary folder that only its owner can use, removed when the object is released.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = "/tmp/transitd-hooks-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String, permissions: Int = 0o600) throws -> String {
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
        return file.path
    }

    func read(_ name: String) -> String? { try? String(contentsOfFile: path + "/" + name, encoding: .utf8) }
}
