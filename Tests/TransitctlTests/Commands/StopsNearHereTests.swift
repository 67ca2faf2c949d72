import Foundation
import Testing
import TransitControl
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import transitctl

/// Tests of `stops near --here` with a fake GeoClue on a private message bus.
@Suite(.enabled(if: PrivateDBus.isAvailable, "needs dbus-daemon and python3"), .ownThreads)
struct StopsNearHereTests {
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
