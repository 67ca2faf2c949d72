import Foundation
import Testing
import TransitControl
import TransitTestSupport
import TransitTestTraits

@testable import TransitClient

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
}
