import Foundation
import Testing
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `transitctl setup` and `feed add` with feeds of the catalog, whose server and timetables are on loopback.
@Suite(.enabled(if: BuiltClient.path != nil), .ownThreads) struct SetupCatalogTests {
    private let daemon: DaemonProcess
    private let server: LoopbackServer

    init() throws {
        daemon = try DaemonProcess()
        let zip = FeedBuilder.small.zip()
        server = try LoopbackServer(
            readingBodies: false,
            bytes: { request in
                let catalog = Self.catalog(host: request.headers["host"] ?? "")
                let body: [UInt8]? =
                    switch request.path {
                    case "/feeds.csv": Array(catalog.utf8)
                    case "/city.zip", "/copy.zip", "/keyed.zip?token=secret": Array(zip)
                    default: nil
                    }
                let status = body == nil ? "404 Not Found" : "200 OK"
                let header = "HTTP/1.1 \(status)\r\nContent-Length: \(body?.count ?? 0)\r\nConnection: close\r\n\r\n"
                return Array(header.utf8) + (body ?? [])
            })
        try daemon.configure(text)
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
    }

    private var text: String { "[catalog]\nurl = \"\(server.url("/feeds.csv"))\"\n" }

    private static func catalog(host: String) -> String {
        "id,data_type,location.municipality,location.country_code,provider,urls.direct_download,status,redirect.id,"
            + "urls.authentication_type,urls.authentication_info,urls.api_key_parameter_name,urls.license,"
            + "urls.latest,static_reference,entity_type\n"
            + "mdb-1,gtfs,Munich,DE,MVV,http://\(host)/city.zip,active,,,,,https://license.example,,,\n"
            + "mdb-2,gtfs,Munich,DE,Old Bus,http://\(host)/old.zip,deprecated,mdb-1,,,,,,,\n"
            + "mdb-3,gtfs,Augsburg,DE,AVV,http://\(host)/keyed.zip,active,,1,https://key.example,token,,,,\n"
            + "mdb-30,gtfs,Ulm,DE,SWU,http://\(host)/gone.zip,active,,,,,,http://\(host)/copy.zip,,\n"
            + "mdb-31,gtfs,Bonn,DE,Bonn Bus,http://\(host)/city.zip,active,,,,,,,,\n"
            + "mdb-32,gtfs-rt,,,Bonn Bus,https://keys.example/rt,active,,2,https://key.example,X-Key,,,mdb-31,tu\n"
            + "mdb-33,gtfs,Kiel,DE,KVG,http://\(host)/gone.zip,active,,,,,,,,\n"
            + "mdb-34,gtfs,Jena,DE,Jenah,http://\(host)/city.zip,active,,,,,,,,\n"
            + "mdb-35,gtfs-rt,,,Jenah,http://\(host)/gone,active,,,,,,,mdb-34,vp\n"
            + (4..<20).map { "mdb-\($0),gtfs,,,Filler \($0),,active,,,,,,,,\n" }.joined()
    }

    private var configuration: String? {
        try? String(contentsOfFile: daemon.folder("config/config.toml"), encoding: .utf8)
    }

    private var table: String {
        "\n[[feed]]\nid = \"mvv\"\nprovider = \"gtfs\"\nstatic = \"\(server.url("/city.zip"))\"\n"
    }

    @Test func cityIsFoundByItsOtherName() throws {
        let answers = ["Atlantis", "münchen", "1", "", "n", "y", "53.5405,9.9805", "Central Station", "n"]
        let setup = try daemon.transitctl(["setup"], answers: answers)
        #expect(setup.code == 0, "\(setup.error)")
        #expect(setup.error.contains("Where do you travel?"))
        #expect(setup.error.contains("has nothing for \"Atlantis\""), "\(setup.error)")
        #expect(setup.error.contains("1  MVV, Munich, DE"), "\(setup.error)")
        #expect(setup.error.contains("License: https://license.example"))
        #expect(setup.output.hasPrefix("Bus 24 in "), "\(setup.output)")
        #expect(configuration == text + table)
    }

    @Test func everyAnswerIsAnOption() throws {
        let options = [
            "setup", "--city", "mdb-2", "--id", "munich", "--set", "refresh_hours=12", "--home", "53.5405,9.9805",
            "--work", "Central Station", "--notifications", "--geocoder", "",
        ]
        let setup = try daemon.transitctl(options)
        #expect(setup.code == 0, "\(setup.error)")
        #expect(setup.output.hasPrefix("Bus 24 in "), "\(setup.output)")
        #expect(!setup.error.contains("Where do you travel?") && !setup.error.contains("Where is"), "\(setup.error)")
        let expected = text + table.replacing("\"mvv\"", with: "\"munich\"") + "refresh_hours = 12\n"
        #expect(configuration == expected)
        #expect(try daemon.ask("notify.list")["is_on"] == .bool(true))
        // An interrupted setup is repeated with the same command.
        let again = try daemon.transitctl(options)
        #expect(again.code == 0 && again.error.contains("Already configured: munich."), "\(again)")
        #expect(configuration == expected)
    }

    /// The option is not accepted, and no input follows, so nothing is written.
    @Test func unknownCityChangesNothing() throws {
        let setup = try daemon.transitctl(["setup", "--city", "Atlantis"])
        #expect(setup.code == 64 && setup.error.contains("has nothing for \"Atlantis\""), "\(setup)")
        #expect(configuration == text)
        let wrong = try daemon.transitctl(["setup", "--city", "mdb-1", "--id", "a", "--set", "refresh_huors=12"])
        #expect(wrong.code == 78 && wrong.error.contains("refresh_hours"), "\(wrong)")
        #expect(configuration == text)
        let missing = try daemon.transitctl(["setup", "--key-file", daemon.folder("none")])
        #expect(missing.code != 0 && missing.error.contains("No such file"), "\(missing)")
    }

    @Test func feedWithKeyIsAdded() throws {
        let file = daemon.folder("key")
        try Data("secret\n".utf8).write(to: URL(fileURLWithPath: file))
        let setup = try daemon.transitctl(
            ["setup", "--city", "mdb-3", "--key-file", file, "--home", "53.5405,9.9805", "--work", "", "--id", "avv"],
            answers: ["y", "n"])
        #expect(setup.code == 0 && setup.error.contains("To get a key: https://key.example"), "\(setup)")
        #expect(configuration?.contains("key_parameter = \"token\"") == true, "\(configuration ?? "")")
        #expect(configuration?.contains("secret") == false)
        let departures = try daemon.transitctl(["departures", "Central Station"])
        #expect(departures.code == 0 && departures.output.contains("Tram T1"), "\(departures)")
    }

    @Test func retiredFeedIsReplacedBySuccessor() throws {
        let added = try daemon.transitctl(["feed", "add", "mdb-2"])
        #expect(added.code == 0 && added.error.contains("replaced mdb-2 with mdb-1"), "\(added)")
        #expect(configuration == text + table)
        let unknown = try daemon.transitctl(["feed", "add", "mdb-999"])
        #expect(unknown.code == 64 && unknown.error.contains("feed find"), "\(unknown)")
        #expect(configuration == text + table)
    }

    /// Runs the command that `doctor` names, and finds that the problem is gone.
    @Test func retiredURLIsChangedByOneCommand() throws {
        try daemon.configure(text + table.replacing("/city.zip", with: "/old.zip"))
        #expect(try daemon.transitctl(["config", "reload"]).code == 0)
        _ = try daemon.transitctl(["feed", "find", "Munich"])
        let doctor = try daemon.transitctl(["doctor"])
        let command = "transitctl feed edit mvv static=mdb-1"
        #expect((doctor.output + doctor.error).contains(command), "\(doctor)")
        let edit = try daemon.transitctl(command.split(separator: " ").dropFirst().map(String.init))
        #expect(edit.code == 0, "\(edit)")
        let after = try daemon.transitctl(["doctor"])
        #expect(!(after.output + after.error).contains("feed edit mvv"), "\(after)")
        #expect(configuration == text + table)
    }

    /// The realtime sources and the key of the former source do not belong to the successor.
    @Test func successorReplacesTheRealtimeSources() throws {
        let old = table.replacing("/city.zip", with: "/old.zip")
        let former = "vehicles = \"https://old.example/vp\"\nkey_header = \"X\"\nkey_hosts = [\"old.example\"]\n"
        try daemon.configure(text + old + former)
        #expect(try daemon.transitctl(["config", "reload"]).code == 0)
        let edit = try daemon.transitctl(["feed", "edit", "mvv", "static=mdb-31", "refresh_hours=12"])
        #expect(edit.code == 0, "\(edit)")
        let updates = "trip_updates = \"https://keys.example/rt\"\n"
        let key = "key_header = \"X-Key\"\nkey_hosts = [\"keys.example\"]\n"
        #expect(configuration == text + table + key + updates + "refresh_hours = 12\n", "\(configuration ?? "")")
        let unknown = try daemon.transitctl(["feed", "edit", "mvv", "static=mdb-999"])
        #expect(unknown.code == 64 && unknown.error.contains("feed find"), "\(unknown)")
    }

    /// A key file belongs to the hosts and the place of the key for which it was configured.
    @Test(arguments: [
        ("mdb-31", "key_header = \"X-Key\"\nkey_hosts = [ \"KEYS.example\" ]\n", true),
        ("mdb-31", "key_header = \"X-Key\"\nkey_hosts = [\"old.example\"]\n", false),
        ("mdb-31", "key_parameter = \"X-Key\"\nkey_hosts = [\"keys.example\"]\n", false),
        ("mdb-1", "key_header = \"X-Key\"\nkey_hosts = [\"keys.example\"]\n", false),
    ])
    func keyFileStaysOnlyForTheSameKey(successor: String, former: String, stays: Bool) throws {
        let file = daemon.folder("city.key")
        try Data("secret\n".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let old = table.replacing("/city.zip", with: "/old.zip") + "vehicles = \"https://keys.example/vp\"\n"
        try daemon.configure(text + old + former + "key_file = \"\(file)\"\n")
        #expect(try daemon.transitctl(["config", "reload"]).code == 0)
        let edit = try daemon.transitctl(["feed", "edit", "mvv", "static=\(successor)"])
        #expect(edit.code == 0, "\(edit)")
        #expect(configuration?.contains("key_file") == stays, "\(configuration ?? "")")
        #expect(edit.error.contains("`key_file` has the key of the former source") == !stays, "\(edit.error)")
        let isAsked = edit.error.contains("To set it: transitctl key set mvv")
        #expect(isAsked == (!stays && successor == "mdb-31"), "\(edit.error)")
        #expect(FileManager.default.fileExists(atPath: file))
    }

    /// The successor needs no key.
    @Test func storedKeyIsRemovedWithItsSource() throws {
        let keyed = "key_header = \"X-Key\"\nkey_hosts = [\"keys.example\"]\n"
        try daemon.configure(text + table.replacing("/city.zip", with: "/old.zip") + keyed)
        let file = daemon.folder("state/keys/mvv.key")
        try FileManager.default.createDirectory(
            atPath: daemon.folder("state/keys"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data("secret\n".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(try daemon.transitctl(["config", "reload"]).code == 0)
        #expect(try daemon.transitctl(["feed", "edit", "mvv", "static=mdb-1"]).code == 0)
        #expect(configuration == text + table && !FileManager.default.fileExists(atPath: file))
    }

    @Test func copyOfTheCatalogReplacesASourceThatFails() throws {
        let added = try daemon.transitctl(["feed", "add", "mdb-30"])
        #expect(added.code == 0 && added.error.contains("copy"), "\(added)")
        #expect(configuration?.contains("/copy.zip\"") == true && configuration?.contains("gone") == false)
        #expect(try daemon.transitctl(["feed", "remove", "swu", "--yes"]).code == 0)
        let setup = try daemon.transitctl(
            [
                "setup", "--city", "mdb-30", "--id", "swu", "--home", "", "--work", "", "--no-notifications",
                "--geocoder", "",
            ])
        #expect(setup.code == 0 && setup.error.contains("copy"), "\(setup)")
        #expect(configuration?.contains("/copy.zip\"") == true)
    }

    @Test func sourceWithoutACopyThatFailsIsRefused() throws {
        let added = try daemon.transitctl(["feed", "add", "mdb-33"])
        #expect(added.code == 64 && added.error.contains("404"), "\(added)")
        let setup = try daemon.transitctl(["setup", "--city", "mdb-33"])
        #expect(setup.code == 64 && setup.error.contains("404"), "\(setup)")
        #expect(configuration == text)
    }

    @Test func realtimeSourceThatFailsIsLeftOut() throws {
        let added = try daemon.transitctl(["feed", "add", "mdb-34"])
        #expect(added.code == 0 && added.error.contains("vehicles: ") && added.error.contains("left out"), "\(added)")
        #expect(configuration == text + table.replacing("\"mvv\"", with: "\"jenah\""))
    }

    /// Only the realtime data needs the key.
    @Test func timetableIsImportedBeforeTheKeyOfItsRealtimeDataIsSet() throws {
        let added = try daemon.transitctl(["feed", "add", "mdb-31"])
        #expect(added.code == 0 && added.error.contains("transitctl key set bonn-bus"), "\(added)")
        #expect(added.error.contains("Version 1 is in use"), "\(added)")
    }

    /// The question before that about the key is which feed is meant.
    @Test func backReturnsToTheChoiceOfTheFeed() throws {
        let setup = try daemon.transitctl(["setup"], answers: ["Augsburg", "1", "back", "2", "quit"])
        #expect(setup.code == 0 && setup.error.components(separatedBy: "none of these").count == 3, "\(setup.error)")
        #expect(configuration == text)
    }
}
