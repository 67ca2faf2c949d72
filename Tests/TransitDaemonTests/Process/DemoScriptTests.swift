import Foundation
import Glibc
import Testing
import TransitTestSupport
import TransitTestTraits

/// Tests of `make demo` with a reader that stops early.
@Suite(.enabled(if: DaemonProcess.executable != nil && BuiltClient.path != nil), .ownThreads) struct DemoScriptTests {
    @Test func closedPipeLeavesNothingBehind() throws {
        let folder = try TestFolder()
        let binaries = try #require(DaemonProcess.executable).split(separator: "/").dropLast().joined(separator: "/")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../scripts/demo").standardizedFileURL.path
        let shell = Process()
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
