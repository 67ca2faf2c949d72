import Foundation
import Glibc
import TransitTestSupport

/// A running `transitd-notify`.
final class Program {
    /// The path of the program.
    static let url: URL? = BuiltProgram.agent.map { URL(fileURLWithPath: $0) }

    private let process = TestProcess()
    private let errorPath: String

    /// Starts the program with folders below `folder`: `config` with the user's configuration, `state`, and the socket
    /// `socket` unless `arguments` name another.
    init(_ arguments: [String] = [], in folder: TemporaryFolder, environment: [String: String] = [:]) throws {
        errorPath = folder.path + "/stderr-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: errorPath, contents: nil)
        process.executableURL = Self.url
        process.arguments = arguments
        process.environment = [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder.path + "/config", "XDG_STATE_HOME": folder.path + "/state",
            "XDG_RUNTIME_DIR": folder.path + "/run",
        ].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = Pipe()
        process.standardError = FileHandle(forWritingAtPath: errorPath)
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var identifier: pid_t { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    var error: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

    /// Sends a signal, waits for the end of the program, and returns its status.
    func end(_ signal: CInt = SIGTERM) -> Int32 {
        kill(identifier, signal)
        return wait()
    }

    /// Waits for the end of the program, and returns its status.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Returns the standard output of a program that has ended.
    func output() -> String {
        let pipe = process.standardOutput as? Pipe
        return String(decoding: pipe?.fileHandleForReading.readDataToEndOfFile() ?? Data(), as: UTF8.self)
    }
}
