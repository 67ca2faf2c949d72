import Foundation
import Testing
import TransitControl
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitClient
@testable import transitctl

/// Tests of GeoClue with a fake service on a private message bus.
@Suite(.enabled(if: PrivateDBus.isAvailable, "needs dbus-daemon and python3"), .ownThreads)
struct GeoClueTests {
    private func locate(_ bus: PrivateDBus) throws(LocationFailure) -> LocationFix {
        var geoclue = try GeoClue(address: bus.address, interrupt: .none)
        return try geoclue.locate()
    }

    @Test func waitsForAccurateLocation() throws {
        let bus = try PrivateDBus("good")
        let found = try locate(bus)
        #expect(found == LocationFix(position: Position(lat: 53.5405, lon: 9.9805), accuracy: 25))
        let log = bus.end()
        #expect(log.contains("org.freedesktop.GeoClue2.Client.DesktopId = transitctl"))
        #expect(log.contains("org.freedesktop.GeoClue2.Client.RequestedAccuracyLevel = 8"))
    }

    @Test func returnsInaccurateLocationAfterTimeout() throws {
        let bus = try PrivateDBus("rough")
        #expect(try locate(bus).accuracy == 40_000)
    }

    @Test func failuresHaveCauseAndRemedy() throws {
        let refusing = try PrivateDBus("refuse")
        #expect(throws: LocationFailure.refused("'transitctl' disallowed, no agent for UID")) { try locate(refusing) }
        let odd = try PrivateDBus("odd")
        #expect(throws: LocationFailure.broken) { try locate(odd) }
        let nobody = try PrivateDBus(nil)
        #expect(throws: LocationFailure.noGeoClue) { try locate(nobody) }
        #expect(throws: LocationFailure.noBus("No such file or directory")) {
            _ = try GeoClue(address: "unix:path=/nonexistent/bus", interrupt: .none)
        }
        for failure in [LocationFailure.noBus("x"), .noGeoClue, .refused("x"), .timedOut, .broken] {
            #expect(failure.message.contains("LAT,LON"))
        }
    }

    @Test func nearbyStopsPrintAccuracy() async throws {
        let bus = try PrivateDBus("good")
        var writer = JSONWriter()
        let result = StopsNearResult(
            at: try Sample.time("08:00"), center: Position(lat: 53.5405, lon: 9.9805), radius: 1000,
            stops: [Sample.near],
            total: 1)
        OutgoingLine.write(.success(result), id: .number(1), to: &writer)
        let daemon = try FakeDaemon([.read, .send(String(decoding: writer.bytes, as: UTF8.self)), .wait])
        let ran = try await Program.run(
            ["stops", "near", "--here", "--socket", daemon.path], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        #expect(ran.status == 0, "\(ran.error)")
        #expect(ran.output.contains("Mill Lane"))
        #expect(ran.error == "within 25 m of 53.5405,9.9805, according to GeoClue\n")
        #expect(await daemon.received.first?.contains(#""position":{"lat":53.5405,"lon":9.9805}"#) == true)
        let nowhere = try await Program.run(
            ["stops", "near", "--here"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
        #expect(nowhere.status == 69)
        #expect(nowhere.error.contains("message bus cannot be reached"))
    }

    @Test func silentServiceTimesOut() async throws {
        let bus = try PrivateDBus("silent")
        let ran = try await Program.run(
            ["stops", "near", "--here"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        #expect(ran.status == 75)
        #expect(ran.error.contains("within 10 s"))
    }
}

/// A private dbus-daemon with a fake GeoClue. Both processes are stopped when the object is released.
final class PrivateDBus {
    struct Failure: Error {}

    let address: String
    private let folder: URL
    private let daemon = TestProcess()
    private let geoclue = TestProcess()
    private let lifeline = Pipe()
    private let output = Pipe()
    private var transcript = ""

    static let isAvailable: Bool = {
        let missing = ["dbus-daemon", "python3"].filter { program in
            !(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
            }
        }
        if !missing.isEmpty { print("SKIPPED: tests of GeoClue: missing \(missing)") }
        return missing.isEmpty
    }()

    /// - Parameter mode: The mode of fake_geoclue.py; `nil` for a bus without GeoClue.
    init(_ mode: String?) throws {
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
            .appendingPathComponent("../../Upstream/fake_geoclue.py").standardizedFileURL.path
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
    func end() -> String {
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
