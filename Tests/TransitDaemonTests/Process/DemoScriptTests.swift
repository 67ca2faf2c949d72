import Foundation
import Glibc
import Testing
import TransitTestSupport
import TransitTestTraits

/// Tests of `make demo` with a reader that stops early.
@Suite(.enabled(if: DaemonProcess.executable != nil && BuiltClient.path != nil), .ownThreads) struct DemoScriptTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../scripts/demo").standardizedFileURL

    /// Runs a shell and returns its standard output.
    private func run(_ arguments: [String], _ environment: [String: String]) throws -> String {
        let shell = TestProcess()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = arguments
        shell.environment = environment
        let output = Pipe()
        shell.standardOutput = output
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        shell.waitUntilExit()
        return text
    }

    /// Programs that record their arguments take the place of the daemon and the client.
    @Test func printedCommandsCanBeTyped() throws {
        let folder = try TestFolder()
        let programs = [
            "transitd": "exec sleep 60",
            "transitctl": #"""
            printf '%s|' "$@" >>"$CALLS"
            echo >>"$CALLS"
            case "$*" in *--plain*) printf '0\t0\t0\t0\t0\tscheduled\tlive\t90\t0\t0\t0\t0\t0\t0\t0\t0\tdemo:a b@2026-03-27/1\n' ;; esac
            """#,
        ]
        for (name, text) in programs {
            let path = folder.path + "/" + name
            try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let calls = folder.path + "/calls"
        let environment = [
            "TMPDIR": folder.path, "PATH": "\(folder.path):/usr/bin:/bin", "HOME": folder.path, "CALLS": calls,
        ]
        let text = try run([Self.script.path, folder.path], environment)
        let printed = text.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
        #expect(printed.count > 15)
        let made = Set(try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\n"))
        for line in printed {
            try Data().write(to: URL(fileURLWithPath: calls))
            _ = try run(["-c", line], environment)
            let typed = try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\n")
            #expect(typed.count == 1 && made.isSuperset(of: typed), "\(line): \(typed)")
        }
        #expect(printed.contains(#"transitctl next --at "tomorrow 07:30""#))
    }

    @Test func namedSectionOfTheManualExists() throws {
        let script = try String(contentsOf: Self.script, encoding: .utf8)
        let readme = try String(
            contentsOf: Self.script.deletingLastPathComponent().appendingPathComponent("../README.md"), encoding: .utf8)
        let section = try #require(script.firstMatch(of: #/see "([^"]+)" in README.md/#)).1
        #expect(readme.contains("# \(section)\n"))
    }

    @Test func closedPipeLeavesNothingBehind() throws {
        let folder = try TestFolder()
        let binaries = try #require(DaemonProcess.executable).split(separator: "/").dropLast().joined(separator: "/")
        let script = Self.script.path
        let shell = TestProcess()
        // Restores the default disposition of SIGPIPE, which this process may ignore.
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Saves the exit status of the script, which `head` hides.
        let pipeline = "{ \"$0\" \"$1\"; echo $? >\"$TMPDIR/status\"; } | head -n 3"
        shell.arguments = ["--default-signal=PIPE", "/bin/sh", "-c", pipeline, script, "/" + binaries]
        shell.environment = ["TMPDIR": folder.path, "PATH": "/usr/bin:/bin", "HOME": folder.path]
        let output = Pipe()
        shell.standardOutput = output
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(text.split(separator: "\n").count >= 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["status"])
        let daemons = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter { id in
            let words = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
            return words.range(of: Data(folder.path.utf8)) != nil
        }
        for daemon in daemons { kill(daemon, SIGKILL) }
        #expect(daemons.isEmpty)
    }
}
