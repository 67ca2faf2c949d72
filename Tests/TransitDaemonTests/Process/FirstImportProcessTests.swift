import Foundation
import Testing
import TransitControl
import TransitTestSupport

/// The first question may be what starts the daemon: the client waits for the first timetable, the daemon does not.
@Suite(
    .enabled(
        if: UpstreamFixture.isThere && BuiltClient.path != nil,
        "needs transitd and transitctl beside the tests, python3 and openssl"), .serialized)
struct FirstImportProcessTests {
    private let scene: UpstreamFixture

    init() throws { scene = try UpstreamFixture() }

    /// Starts the daemon; its first timetable comes after two seconds.
    private func start() throws {
        try scene.server.answer("/files/city.zip", with: "/slow-file?file=city.zip&seconds=2")
        try scene.start()
    }

    private func departures(_ options: String...) throws -> (code: Int32, output: String, error: String) {
        try scene.daemon.transitctl(["departures", "harbor"] + options)
    }

    @Test func `the client waits and shows how far it is`() throws {
        try start()
        // The daemon answers at once.
        #expect(throws: DaemonFailure.self) { try scene.daemon.ask("departures", ["stop": "harbor"]) }
        let (code, output, error) = try departures()
        #expect(code == 0, "\(error)")
        #expect(output.contains("Bus 24"), "\(output)")
        #expect(error.contains("city: "), "\(error)")
    }

    @Test func `it shows nothing where it is to be quiet`() throws {
        try start()
        let (code, output, error) = try departures("-q")
        #expect(code == 0)
        #expect(!output.isEmpty)
        #expect(error.isEmpty, "\(error)")
    }

    @Test func `it does not wait for an import that has failed`() throws {
        try scene.server.answer("/files/city.zip", with: "/status?code=404")
        try scene.start()
        try scene.daemon.eventually("the failure") {
            let feed = try scene.daemon.ask("feed.list")["feeds"]?.elements.first
            return feed?["last_attempt"]?["outcome"]?.text == "failed" ? true : nil
        }
        let (code, _, error) = try departures()
        #expect(code == 75)
        #expect(error.contains("There is no timetable of city"), "\(error)")
    }
}
