import Foundation
import Synchronization
import TransitTestTraits

/// A program that a test runs. It is ended when the object is released.
final class RunningProgram: Sendable {
    struct Failure: Error {
        var reason: String
    }

    private let process: Process
    private let input: Pipe
    private let collected: Collected

    /// The output that has arrived.
    private final class Collected: Sendable {
        let text = Mutex((bytes: Data(), isComplete: false))
    }

    /// - Parameters:
    ///   - arguments: The program, found in PATH unless it is a path, and its arguments.
    ///   - environment: The whole environment.
    init(_ arguments: [String], environment: [String: String] = TestPath.environment) throws {
        (process, input, collected) = (Process(), Pipe(), Collected())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = environment
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let (collected, handle) = (collected, output.fileHandleForReading)
        Thread.detachNewThread {
            while true {
                let more = handle.availableData
                collected.text.withLock {
                    $0.isComplete = more.isEmpty
                    $0.bytes += more
                }
                if more.isEmpty { return }
            }
        }
    }

    deinit { end() }

    var pid: Int32 { process.processIdentifier }

    /// What the program has written to standard output and standard error.
    var output: String { collected.text.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    /// The complete lines of ``output``.
    var lines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }

    var isRunning: Bool { process.isRunning }

    func send(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Waits until the program has written a text.
    func wait(for text: String) throws {
        eventually { output.contains(text) || collected.text.withLock { $0.isComplete } }
        guard output.contains(text) else { throw Failure(reason: "\(process.arguments ?? []): \(output)") }
    }

    /// Ends the program, and waits until it has ended.
    func end() {
        guard process.isRunning else { return }
        // A stopped program handles no other signal.
        kill(pid, SIGKILL)
        process.waitUntilExit()
    }
}

/// The outcome of a program that has ended.
struct ProgramOutcome {
    var status: Int32
    var output: String
    var error: String

    /// Runs a program until it ends.
    static func run(
        _ arguments: [String], environment: [String: String] = TestPath.environment, input: String = ""
    ) throws -> ProgramOutcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = environment
        let (output, error, standardInput) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        process.standardInput = standardInput
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        let bytes = Data(input.utf8)
        // A thread, because the program may fill its output before it reads.
        Thread.detachNewThread {
            try? standardInput.fileHandleForWriting.write(contentsOf: bytes)
            try? standardInput.fileHandleForWriting.close()
        }
        let texts = [output, error].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return ProgramOutcome(status: process.terminationStatus, output: texts[0], error: texts[1])
    }
}

/// Paths that tests use.
enum TestPath {
    static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    static let environment = ["PATH": path]

    /// The root of the repository.
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    /// The built hook, in the directory of the test executable.
    static let hook = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("transitd-notify-send").path

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
