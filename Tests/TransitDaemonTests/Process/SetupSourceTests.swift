import Foundation
import Glibc
import Synchronization
import Testing
import TransitControl
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of `transitctl setup` with sources that require keys, and with sources that are the wrong ones.
@Suite(.enabled(if: BuiltClient.path != nil, "the programs are not built"), .ownThreads) struct SetupSourceTests {
    private let daemon: DaemonProcess
    private static let offer = "A timetable whose URL or file you have (GTFS)"
    private static let places = ["53.5405,9.9805", "Central Station", "n"]

    init() throws {
        daemon = try DaemonProcess()
        try Data(FeedBuilder.small.zip()).write(to: URL(fileURLWithPath: daemon.folder("city.zip")))
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
    }

    private var configuration: String {
        (try? String(contentsOfFile: daemon.folder("config/config.toml"), encoding: .utf8)) ?? ""
    }

    private static func response(_ status: String, _ body: [UInt8] = []) -> [UInt8] {
        Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8) + Array(body)
    }

    /// A server with the timetable, which it sends only if a request satisfies a condition.
    private func server(_ isAllowed: @escaping @Sendable (LoopbackServer.Request) -> Bool) throws -> LoopbackServer {
        let archive = Array(FeedBuilder.small.zip())
        return try LoopbackServer(
            readingBodies: true,
            bytes: { isAllowed($0) ? Self.response("200 OK", archive) : Self.response("401 Unauthorized") })
    }

    /// A server with realtime data in JSON, one entity for each trip.
    private func realtimeServer(_ entity: String, _ trips: [String]) throws -> LoopbackServer {
        let entities = trips.map { #"{"id":"\#($0)","\#(entity)":{"trip":{"trip_id":"\#($0)"}}}"# }
        let text =
            #"{"header":{"gtfs_realtime_version":"2.0"},"entity":[\#(entities.joined(separator: ","))]}"#
        return try LoopbackServer(readingBodies: true, bytes: { _ in Self.response("200 OK", Array(text.utf8)) })
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    // MARK: Keys

    @Test func keyIsAskedForAndSentToItsHostOnly() throws {
        let keyed = try server { $0.headers["x-api-key"] == "s3cret" }
        let other = try realtimeServer("alert", [])
        let alerts = other.url("/alerts").replacingOccurrences(of: "127.0.0.1", with: "localhost")
        // The first key is wrong.
        let answers = [
            Self.offer, keyed.url("/city.zip"), "wr0ng", "header x-api-key", "s3cret", "1", "", "", alerts, "My City",
            "n", "y",
        ]
        let setup = try daemon.transitctl(["setup"], answers: answers + Self.places)
        #expect(setup.code == 0, "\(setup.error)")
        #expect(setup.error.contains("It requires a key."), "\(setup.error)")
        #expect(setup.error.contains("Ocp-Apim-Subscription-Key") && setup.error.contains("api_key"))
        #expect(setup.output.hasPrefix("Bus 24 in "), "\(setup)")
        #expect(
            configuration.contains("key_header = \"x-api-key\"\nkey_hosts = [\"127.0.0.1\"]\n"), "\(configuration)")
        #expect(!configuration.contains("s3cret") && !setup.error.contains("s3cret"))
        #expect(mode(daemon.folder("state/keys/my-city.key")) == 0o600)
        #expect(keyed.requests.last?.headers["x-api-key"] == "s3cret")
        _ = try daemon.ask("refresh", ["feed": "my-city", "dataset": "alerts", "force": true])
        #expect(other.requests.count >= 2 && other.requests.allSatisfy { $0.headers["x-api-key"] == nil })
    }

    /// The feed of host A is removed again, and a feed of the same name gets its data from host B.
    @Test func keyOfARemovedFeedIsNotSentToAnotherHost() throws {
        let first = try server { $0.headers["x-api-key"] == "keyOfA" }
        let second = try server { $0.headers["x-api-key"] == "keyOfB" }
        let url = second.url("/city.zip").replacingOccurrences(of: "127.0.0.1", with: "localhost")
        let answers = [
            Self.offer, first.url("/city.zip"), "keyOfA", "1", "", "", "", "My City", "n", "n", "y",
            Self.offer, url, "keyOfB", "1", "", "", "", "My City", "n", "y",
        ]
        let setup = try daemon.transitctl(["setup"], answers: answers + Self.places)
        #expect(setup.code == 0 && setup.output.hasPrefix("Bus 24 in "), "\(setup)")
        #expect(configuration.contains("key_hosts = [\"localhost\"]\n"), "\(configuration)")
        #expect(!second.requests.contains { $0.headers["x-api-key"] == "keyOfA" })
        let key = try String(contentsOfFile: daemon.folder("state/keys/my-city.key"), encoding: .utf8)
        #expect(key == "keyOfB\n")
    }

    @Test func keyOfAURLThatIsReplacedIsForgotten() throws {
        let first = try server { $0.headers["x-api-key"] == "keyOfA" }
        let second = try server { $0.headers["x-api-key"] == "keyOfB" }
        let url = second.url("/city.zip").replacingOccurrences(of: "127.0.0.1", with: "localhost")
        let answers = [
            Self.offer, first.url("/city.zip"), "keyOfA", "1", "back", url, "keyOfB", "1", "", "", "", "My City", "n",
            "y",
        ]
        let setup = try daemon.transitctl(["setup"], answers: answers + Self.places)
        #expect(setup.code == 0 && setup.output.hasPrefix("Bus 24 in "), "\(setup)")
        #expect(configuration.contains("key_hosts = [\"localhost\"]\n"), "\(configuration)")
    }

    @Test func rejectedKeyIsAskedForAgainAfterTheFeedIsConfigured() throws {
        // The server accepts the key when the URL is entered, and rejects it once after that.
        let count = Mutex(0)
        let keyed = try server { request in
            guard request.headers["x-api-key"] == "s3cret" else { return false }
            return count.withLock { count in
                count += 1
                return count != 2
            }
        }
        let answers = [
            Self.offer, keyed.url("/city.zip"), "s3cret", "1", "", "", "", "My City", "n", "s3cret", "y",
        ]
        let setup = try daemon.transitctl(["setup"], answers: answers + Self.places)
        #expect(setup.error.contains("The source of my-city rejects this key (HTTP status 401)."), "\(setup.error)")
        #expect(setup.code == 0 && setup.output.hasPrefix("Bus 24 in "), "\(setup)")
    }

    @Test func backAfterTheImportRepeatsTheQuestion() throws {
        let answers = [Self.offer, daemon.folder("city.zip"), "", "", "", "My City", "n", "back", "y"]
        let setup = try daemon.transitctl(["setup"], answers: answers + Self.places)
        #expect(setup.error.components(separatedBy: "Is this the right data?").count == 3, "\(setup.error)")
        #expect(setup.code == 0 && setup.output.hasPrefix("Bus 24 in "), "\(setup)")
    }

    @Test func furtherKeyInAURLStaysOnlyIfConfirmed() throws {
        let keyed = try server { $0.path.contains("token=A") && $0.path.contains("key=B") }
        let url = keyed.url("/city.zip?token=A&key=B")
        let answers = [Self.offer, url, "n", url, "y", "", "", "", "My City", "n", "y"]
        let setup = try daemon.transitctl(["setup"], answers: answers + Self.places)
        #expect(setup.error.contains("The URL also contains `key`, which would stay in the configuration."))
        #expect(setup.code == 0 && configuration.contains("key=B"), "\(setup.error)")
    }

    @Test func keyInAURLMovesToTheKeyFile() throws {
        let keyed = try server { $0.path.contains("api_key=s3%2Fcret") || $0.path.contains("api_key=s3/cret") }
        let answers = [
            Self.offer, keyed.url("/city.zip?api_key=s3%2Fcret&v=2"), "", "", "", "My City", "n", "y",
        ]
        let setup = try daemon.transitctl(["setup"], answers: answers + Self.places)
        #expect(setup.code == 0, "\(setup.error)")
        #expect(configuration.contains("static = \"\(keyed.url("/city.zip?v=2"))\""), "\(configuration)")
        #expect(configuration.contains("key_parameter = \"api_key\"\nkey_hosts = [\"127.0.0.1\"]\n"))
        #expect(!configuration.contains("cret"))
        let file = daemon.folder("state/keys/my-city.key")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "s3/cret\n")
        #expect(mode(file) == 0o600)
        #expect(setup.output.hasPrefix("Bus 24 in "), "\(setup)")
    }

    @Test func bearerTokenIsSentInTheAuthorizationHeader() throws {
        let keyed = try server { $0.headers["authorization"] == "Bearer s3cret" }
        let answers = [
            Self.offer, keyed.url("/city.zip"), "s3cret", "header Authorization: Bearer", "", "", "", "My City", "n",
            "y",
        ]
        let setup = try daemon.transitctl(["setup"], answers: answers + Self.places)
        #expect(setup.code == 0 && setup.output.hasPrefix("Bus 24 in "), "\(setup)")
        #expect(configuration.contains("key_header = \"Authorization: Bearer\"\n"))
        #expect(try daemon.transitctl(["key", "check", "my-city"]).output.contains("accepts the key"))
    }

    @Test func sourceWithoutAKeyCanBeReplaced() throws {
        let keyed = try server { _ in false }
        let answers = [
            Self.offer, keyed.url("/city.zip"), "", daemon.folder("city.zip"), "", "", "", "My City", "n", "y",
        ]
        let setup = try daemon.transitctl(["setup"], answers: answers + Self.places)
        #expect(setup.code == 0 && setup.output.hasPrefix("Bus 24 in "), "\(setup)")
        #expect(!configuration.contains("key_"))
    }

    // MARK: Wrong data

    @Test func realtimeDataOfAnotherKindIsRejected() throws {
        let updates = try realtimeServer("trip_update", ["b1", "b2"])
        let answers = [
            Self.offer, daemon.folder("city.zip"), updates.url("/tu"), updates.url("/tu"), "", "", "My City", "n", "y",
        ]
        let setup = try daemon.transitctl(["setup"], answers: answers + Self.places)
        #expect(setup.code == 0, "\(setup.error)")
        #expect(setup.error.contains("It has 2 trip updates, but no vehicle positions."), "\(setup.error)")
        #expect(configuration.contains("trip_updates = ") && !configuration.contains("vehicles = "))
    }

    @Test func agencyRegionDatesAndShareOfTripsAreShown() throws {
        let updates = try realtimeServer("trip_update", ["b1", "b2", "t1", "x9"])
        let answers = [
            Self.offer, daemon.folder("city.zip"), updates.url("/tu"), "", "", "My City", "n", "",
        ]
        let setup = try daemon.transitctl(["setup"], answers: answers + Self.places)
        #expect(setup.code == 0, "\(setup.error)")
        for text in [
            "Agency: City Lines", "time zone Europe/Berlin", "stops such as Harbor",
            "Service: 2026-01-01 to 2026-12-31",
            "3 of 4 trips (75 %) are in the timetable", "Is this the right data? (y/n, Enter: y, back, quit): ",
        ] {
            #expect(setup.error.contains(text), "\(text): \(setup.error)")
        }
        #expect(configuration.contains("my-city"))
    }

    @Test func realtimeDataOfAnotherCityIsNotAcceptedWithoutAQuestion() throws {
        let updates = try realtimeServer("trip_update", ["x1", "x2", "b1"])
        let answers = [
            Self.offer, daemon.folder("city.zip"), updates.url("/tu"), "", "", "My City", "n", "", "n",
        ]
        let setup = try daemon.transitctl(["setup"], answers: answers + ["", "", "n"])
        #expect(
            setup.error.contains("1 of 3 trips (33 %) are in the timetable; the data is probably for another city"))
        #expect(setup.error.contains("Is this the right data? (y/n, Enter: n, back, quit): "), "\(setup.error)")
        #expect(setup.error.contains("Removed my-city from the configuration."))
        #expect(configuration.isEmpty)
    }

    @Test(arguments: [(option: "--accept-data", isKept: true), (option: "--no-accept-data", isKept: false)])
    func questionAboutTheDataIsAnOption(option: String, isKept: Bool) throws {
        let options = [
            "setup", "--city", Self.offer, "--set", "static=\(daemon.folder("city.zip"))", "--set", "trip_updates=",
            "--set", "vehicles=", "--set", "alerts=", "--id", "my-city", option, "--geocoder", "", "--home", "",
            "--work", "", "--no-notifications",
        ]
        let setup = try daemon.transitctl(options)
        #expect(setup.code == 0 && setup.error.contains("Agency: City Lines"), "\(setup)")
        #expect(!setup.error.contains("Is this the right data?"), "\(setup.error)")
        #expect(configuration.contains("my-city") == isKept, "\(setup.error)")
    }

    /// A timetable whose last service date has passed.
    private static let expired = FeedBuilder.small.file(
        "calendar.txt",
        """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        weekday,1,1,1,1,1,0,0,20190101,20191231

        """
    ).file("calendar_dates.txt", "service_id,date,exception_type\n")

    /// Without an answer to the next question, the end of the standard input ends the setup.
    @Test(arguments: [
        (options: ["--accept-unverified", "--accept-data"], isKept: true, code: 0),
        (options: ["--accept-unverified", "--no-accept-data", "--no-choose-again"], isKept: false, code: 0),
        (options: ["--accept-unverified", "--no-accept-data", "--choose-again"], isKept: false, code: 64),
        (options: ["--no-accept-unverified"], isKept: false, code: 64),
    ])
    func questionsAboutADoubtfulSourceAreOptions(options: [String], isKept: Bool, code: Int32) throws {
        let archive = Array(Self.expired.zip())
        let web = try LoopbackServer(readingBodies: true, bytes: { _ in Self.response("200 OK", archive) })
        let setup = try daemon.transitctl(
            [
                "setup", "--city", Self.offer, "--set", "static=\(web.url("/old.zip"))", "--set", "trip_updates=",
                "--set", "vehicles=", "--set", "alerts=", "--id", "old", "--geocoder", "", "--home", "", "--work", "",
                "--no-notifications",
            ] + options)
        #expect(setup.code == code, "\(setup)")
        #expect(setup.error.contains("It has expired: its last service date was 2019-12-31."), "\(setup.error)")
        for question in ["Use it anyway?", "Is this the right data?", "Choose another source?"] {
            #expect(!setup.error.contains(question), "\(setup.error)")
        }
        #expect(configuration.contains("old") == isKept, "\(setup.error)")
    }

    @Test(arguments: [(option: "--remove-failed", isKept: false), (option: "--no-remove-failed", isKept: true)])
    func questionAboutAFailedImportIsAnOption(option: String, isKept: Bool) throws {
        let empty = daemon.folder("empty.zip")
        try Data(FeedBuilder.small.file("stop_times.txt", "trip_id\n").zip()).write(to: URL(fileURLWithPath: empty))
        let setup = try daemon.transitctl([
            "setup", "--city", Self.offer, "--set", "static=\(empty)", "--set", "trip_updates=", "--set", "vehicles=",
            "--set", "alerts=", "--id", "empty", option, "--no-choose-again", "--geocoder", "", "--home", "", "--work",
            "", "--no-notifications",
        ])
        #expect(!setup.error.contains("from the configuration?"), "\(setup.error)")
        #expect(configuration.contains("empty") == isKept, "\(setup.error)")
    }

    @Test func expiredArchiveIsNotAcceptedWithoutAQuestion() throws {
        let archive = Array(Self.expired.zip())
        let web = try LoopbackServer(readingBodies: true, bytes: { _ in Self.response("200 OK", archive) })
        let file = daemon.folder("old.zip")
        try Data(archive).write(to: URL(fileURLWithPath: file))
        // By URL, it is doubted when it is entered; as a file, after the import.
        let answers = [Self.offer, web.url("/old.zip"), "", file, "", "", "", "Old", "n", "", "n"]
        let setup = try daemon.transitctl(["setup"], answers: answers + ["", "", "n"])
        #expect(setup.error.contains("It has expired: its last service date was 2019-12-31."), "\(setup.error)")
        #expect(setup.error.contains("Service: 2019-01-01 to 2019-12-31, which is over"), "\(setup.error)")
        #expect(configuration.isEmpty)
    }

    // MARK: Servers and agencies

    @Test func serverOfWarsawIsAskedFor() throws {
        let wrong = try LoopbackServer(readingBodies: true, bytes: { _ in Self.response("404 Not Found") })
        let page = try LoopbackServer(
            readingBodies: true, bytes: { _ in Self.response("200 OK", Array("<html></html>".utf8)) })
        let setup = try daemon.transitctl(
            ["setup"], answers: ["Warsaw (WaBus)", wrong.url(""), page.url(""), "quit"])
        #expect(setup.error.contains("URL of your server for Warsaw (WaBus)"), "\(setup.error)")
        #expect(setup.error.contains("The server is not that of Warsaw (WaBus) (HTTP status 404)."), "\(setup.error)")
        #expect(setup.error.contains("The server's response is not that of Warsaw (WaBus)."))
        #expect(wrong.requests.count == 1 && page.requests.count == 1 && configuration.isEmpty)
    }

    @Test func agencyOfTranzyIsChecked() throws {
        let silent = try LoopbackServer(
            readingBodies: true, bytes: { _ in Self.response("503 Service Unavailable") })
        let setup = try daemon.transitctl(
            ["setup", "--base-url", silent.url("")], answers: ["Tranzy", "k3y", "abc", "quit"])
        #expect(setup.error.contains("\"abc\" is not an agency of Tranzy."), "\(setup.error)")
        #expect(configuration.isEmpty)
        // The configuration refuses it too.
        try daemon.configure("[[feed]]\nid = \"cluj\"\nprovider = \"tranzy\"\nagency = \"abc\"\n")
        let check = try daemon.transitctl(["config", "check"])
        #expect(check.code == 78 && check.output.contains("use the agency's number"), "\(check)")
    }

    @Test func geocoderIsCheckedBeforeItIsSaved() throws {
        let photon = try LoopbackServer(
            readingBodies: true, bytes: { _ in Self.response("200 OK", Array(#"{"features":[]}"#.utf8)) })
        let page = try LoopbackServer(
            readingBodies: true, bytes: { _ in Self.response("200 OK", Array("<html></html>".utf8)) })
        func state(_ kind: String, _ url: String) throws -> String? {
            try daemon.ask("provider.check", ["provider": .string(kind), "url": .string(url)])["state"]?.text
        }
        #expect(try state("photon", photon.url("")) == "accepted")
        #expect(try state("photon", page.url("")) == "rejected")
        #expect(try state("nominatim", photon.url("")) == "rejected")
        #expect(try state("photon", "http://127.0.0.1:1") == "unverified")
    }
}
