internal import Foundation
internal import Glibc

/// A private dbus-daemon with a fake GeoClue. Both processes are stopped when the object is released.
package final class PrivateDBus {
    private struct Failure: Error {}

    package let address: String
    private let folder: URL
    private let daemon = TestProcess()
    private let geoclue = TestProcess()
    private let lifeline = Pipe()
    private let output = Pipe()
    private var transcript = ""

    package static let isAvailable: Bool = {
        let missing = ["dbus-daemon", "python3"].filter { program in
            !(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
            }
        }
        if !missing.isEmpty { print("SKIPPED: tests of GeoClue: missing \(missing)") }
        return missing.isEmpty
    }()

    /// - Parameter mode: The mode of fake_geoclue.py; `nil` for a bus without GeoClue.
    package init(_ mode: String?) throws {
        folder = URL(fileURLWithPath: "/tmp/transitctl-bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let socket = folder.appendingPathComponent("bus").path
        address = "unix:path=\(socket)"
        let configuration = folder.appendingPathComponent("bus.conf")
        try Data(Self.configuration(address).utf8).write(to: configuration)
        let ready = Pipe()
        daemon.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        daemon.arguments = ["dbus-daemon", "--nofork", "--print-address", "--config-file=\(configuration.path)"]
        daemon.standardOutput = ready
        try daemon.run()
        // The daemon prints its address once it is listening.
        guard !ready.fileHandleForReading.availableData.isEmpty else { throw Failure() }
        guard let mode else { return }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Upstream/fake_geoclue.py").standardizedFileURL.path
        geoclue.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        geoclue.arguments = ["python3", script, socket, mode]
        geoclue.standardInput = lifeline
        geoclue.standardOutput = output
        try geoclue.run()
        while !transcript.contains("ready\n") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw Failure() }
            transcript += String(decoding: more, as: UTF8.self)
        }
    }

    deinit {
        for process in [geoclue, daemon] where process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Stops the fake GeoClue and returns the log of its calls.
    package func end() -> String {
        try? lifeline.fileHandleForWriting.close()
        transcript += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return transcript
    }

    private static func configuration(_ address: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>custom</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/>
            <allow own="*"/>
            <allow send_destination="*"/>
            <allow receive_sender="*"/>
          </policy>
        </busconfig>
        """
    }
}
