import Foundation
import Glibc
import Testing
import TransitTestSupport
import TransitTestTraits

/// Runs the commands that `doctor` and error messages suggest, as a user would who types them into a shell.
struct RemedyShell {
    let daemon: DaemonProcess

    /// One line of `transitctl doctor --plain`.
    struct Check {
        var name: String
        var outcome: String
        var message: String
        var remedy: String
    }

    /// The result of a command.
    struct Result: CustomStringConvertible {
        var code: Int32
        var output: String
        var error: String

        var description: String { "exit status \(code): \(output) \(error)" }
    }

    /// The folder of the built programs.
    private var programs: String {
        URL(fileURLWithPath: BuiltClient.path ?? "").deletingLastPathComponent().path
    }

    /// The environment of the user's shell. Tests change it as the user's shell start-up files would.
    var environment: [String: String] {
        daemon.environment.merging([
            "PATH": "\(programs):/usr/sbin:/usr/bin:/sbin:/bin", "TRANSITD_SOCKET": daemon.socket, "USER": "alice",
        ]) { $1 }
    }

    /// Runs a line with `/bin/sh`. Throws if it does not end within two minutes.
    func run(_ line: String, input: String = "", environment: [String: String]? = nil) throws -> Result {
        let process = TestProcess()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line]
        process.environment = environment ?? self.environment
        // Files, so that a program that the line leaves in the background keeps no pipe open.
        let paths = ["in", "out", "err"].map { daemon.folder("notify-shell-\($0)-\(UUID().uuidString)") }
        defer { for path in paths { unlink(path) } }
        try Data(input.utf8).write(to: URL(fileURLWithPath: paths[0]))
        for path in paths.dropFirst() { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: paths[0]))
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[1]))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[2]))
        try process.run()
        guard eventually({ !process.isRunning }) else {
            kill(process.processIdentifier, SIGKILL)
            throw DaemonFailure(reason: "this command did not end: \(line)")
        }
        let texts = try paths.dropFirst().map { try String(contentsOfFile: $0, encoding: .utf8) }
        return Result(code: process.terminationStatus, output: texts[0], error: texts[1])
    }

    /// Returns the checks of `doctor`.
    func doctor(environment: [String: String]? = nil) throws -> [Check] {
        let result = try run("transitctl doctor --plain", environment: environment)
        return result.output.split(separator: "\n").map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) + ["", "", ""]
            return Check(name: columns[0], outcome: columns[1], message: columns[2], remedy: columns[3])
        }
    }

    /// Returns a check of `doctor` that reports a problem; `nil` if the check is absent or reports none.
    func fault(_ name: String, environment: [String: String]? = nil) throws -> Check? {
        try doctor(environment: environment).first { $0.name == name && ["failed", "warning"].contains($0.outcome) }
    }

    /// Returns the command in a remedy or a hint. It follows "then run:", is quoted by backquotes, follows the last
    /// colon, or is the whole remedy. Text before "then run:" may quote something else, such as a key of the
    /// configuration.
    static func command(in text: String) -> String {
        let steps = text.components(separatedBy: ", then run: ")
        if steps.count > 1 { return steps[steps.count - 1] }
        let quoted = text.split(separator: "`", omittingEmptySubsequences: false)
        if quoted.count >= 3 { return String(quoted[1]) }
        let last = text.components(separatedBy: ": ").last ?? text
        return last.hasSuffix(".") ? String(last.dropLast()) : last
    }
}
