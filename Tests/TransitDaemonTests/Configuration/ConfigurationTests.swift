import Testing
import TransitModel
import TransitQueries
import TransitSystem

@testable import TransitDaemon

@Suite struct ConfigurationTests {
    static let file = "/srv/transit/config.toml"

    @Test func allKeysAreRead() throws {
        let text = """
            [[feed]]
            id = "caltrain"
            provider = "gtfs"
            static = "https://a.example/caltrain.zip?key=1"
            refresh_hours = 48

            [feed.limits]
            download_mib = 10
            total_mib = 20
            member_mib = 15
            ratio = 300
            members = 50

            [[feed]]
            id = "demo"
            provider = "demo"

            [place.home]
            lat = 37.3942
            lon = -122
            walk_minutes = 7.5

            [place.work]
            stop = "caltrain:a:b"

            [commute.zoo]
            from = "home"
            to = "demo:zoo"

            [commute.home-to-work]
            from = "home"
            to = "work"

            [insights]
            co2_pounds_per_mile = 0.5
            units = "metric"

            [queries]
            next_count = 5
            departures_count = 20
            return_hour = 14
            walking_radius = 500
            max_walking_radius = 2000
            walking_speed = 3.5
            max_change_walk = 800
            arrivals_wait = 1
            change_uncertainty = 90

            [daemon]
            log_level = "debug"
            """
        let configuration = try Configuration(text: text, file: Self.file)
        var limits = FeedLimits()
        (limits.download, limits.total, limits.member) = (10 << 20, 20 << 20, 15 << 20)
        (limits.ratio, limits.members) = (300, 50)
        let demo = FeedConfiguration(id: "demo", source: .demo)
        #expect(
            configuration.feeds == [
                FeedConfiguration(
                    id: "caltrain", source: .remote(url: "https://a.example/caltrain.zip?key=1"),
                    refreshInterval: 48 * 3600, limits: limits),
                demo,
            ])
        let home = try #require(Coordinate(latitude: 37.3942, longitude: -122))
        #expect(configuration.places["home"] == PlaceConfiguration(location: .coordinate(home), walk: 450))
        let stop = QualifiedStop(feed: "caltrain", stop: "a:b")
        #expect(configuration.places["work"] == PlaceConfiguration(location: .stop(stop)))
        #expect(
            configuration.commutes == [
                CommuteConfiguration(name: "home-to-work", from: "home", to: "work"),
                CommuteConfiguration(name: "zoo", from: "home", to: "demo:zoo"),
            ])
        #expect(configuration.insights.co2PoundsPerMile == 0.5)
        #expect(configuration.insights.units == .metric)
        #expect(configuration.queries.nextCount == 5)
        #expect(configuration.queries.departuresCount == 20)
        #expect(configuration.queries.returnHour == 14)
        #expect(configuration.queries.walkingRadius == 500)
        #expect(configuration.queries.maxWalkingRadius == 2000)
        #expect(configuration.queries.walkingSpeed == 3.5)
        #expect(configuration.queries.maxChangeWalk == 800)
        #expect(configuration.queries.arrivalsWait == 1)
        #expect(configuration.queries.changeUncertainty == 90)
        #expect(configuration.daemon.logLevel == .debug)
    }

    @Test func emptyFileYieldsDefaults() throws {
        #expect(try Configuration(text: "", file: Self.file) == Configuration())
        #expect(try Configuration(text: "\u{FEFF}# nothing\r\n", file: Self.file) == Configuration())
    }

    @Test(arguments: [
        ("https://a.example/x.zip", StaticSource.remote(url: "https://a.example/x.zip")),
        ("HTTP://127.0.0.1:8080/x", .remote(url: "HTTP://127.0.0.1:8080/x")),
        ("http://[::1]:9/x", .remote(url: "http://[::1]:9/x")),
        ("http://localhost/x", .remote(url: "http://localhost/x")),
        ("/data/x.zip", .file(path: "/data/x.zip")),
        ("x.zip", .file(path: "/srv/transit/x.zip")),
        ("~/x.zip", .file(path: "/home/me/x.zip")),
        ("file:///data/a%20b.zip", .file(path: "/data/a b.zip")),
        ("file:/data/x.zip", .file(path: "/data/x.zip")),
        ("file://localhost/data/x.zip", .file(path: "/data/x.zip")),
    ])
    func sourceIsURLOrPath(_ text: String, _ expected: StaticSource) throws {
        let toml = "[[feed]]\nid = \"a\"\nprovider = \"gtfs\"\nstatic = \"\(text)\"\n"
        let configuration = try Configuration(text: toml, file: Self.file, home: "/home/me")
        #expect(configuration.feeds.first?.source == expected)
    }

    @Test(arguments: [
        "http://127.0.0.1.a.example/x", "http://localhost.a.example/", "http://128.0.0.1/",
        "http://127.0.0.1@a.example/",
        "https:///x", "https://", "file://host/x", "file:x", "file:///a%zz", "", "https://a.example/a b",
    ])
    func unsafeSourceIsRejected(_ text: String) {
        let toml = "[[feed]]\nid = \"a\"\nprovider = \"gtfs\"\nstatic = \"\(text)\"\n"
        #expect(throws: ConfigurationError.self) { try Configuration(text: toml, file: Self.file) }
    }

    @Test func sourceDescriptionOmitsQuery() {
        #expect("\(StaticSource.remote(url: "https://a.example/x?key=secret"))" == "https://a.example/x?…")
        #expect("\(StaticSource.file(path: "/a/x.zip"))" == "file:/a/x.zip")
    }

    @Test func systemdDirectoriesTakePrecedenceOverXDG() throws {
        let systemd = try Directories(environment: [
            "STATE_DIRECTORY": "/var/lib/transitd:/var/lib/other", "CACHE_DIRECTORY": "/var/cache/transitd",
            "RUNTIME_DIRECTORY": "/run/transitd", "CONFIGURATION_DIRECTORY": "/etc/transitd", "HOME": "/h",
            "XDG_STATE_HOME": "/x",
        ])
        #expect(
            systemd
                == Directories(
                    state: "/var/lib/transitd", cache: "/var/cache/transitd", runtime: "/run/transitd",
                    configuration: ["/etc/transitd"], home: "/h"))
        let xdg = try Directories(environment: ["HOME": "/h", "XDG_CACHE_HOME": "/c", "XDG_RUNTIME_DIR": "/run/user/7"])
        #expect(
            xdg
                == Directories(
                    state: "/h/.local/state/transitd", cache: "/c/transitd", runtime: "/run/user/7/transitd",
                    configuration: ["/h/.config/transitd", "/etc/transitd"], home: "/h"))
        // A path that is not absolute is ignored (XDG Base Directory Specification, "Basics").
        #expect(
            try Directories(environment: ["HOME": "/h", "XDG_STATE_HOME": "x"]).state == "/h/.local/state/transitd")
    }

    @Test(arguments: [
        ("2026-03-29T00:30:00Z", 1.0), ("2026-03-29T01:30:00+01:00/60", 60), ("2026-03-29T00:30:00Z/0.5", 0.5),
    ])
    func replayClockIsParsed(_ text: String, _ rate: Double) {
        let replay = SystemClock.Replay(text)
        #expect(replay?.start == Instant(rfc3339: "2026-03-29T00:30:00Z"))
        #expect(replay?.rate == rate)
    }

    @Test(arguments: ["", "noon", "2026-03-29T00:30:00Z/0", "2026-03-29T00:30:00Z/-1", "2026-03-29T00:30:00Z/1/2"])
    func invalidReplayClockIsRejected(_ text: String) {
        #expect(SystemClock.Replay(text) == nil)
    }
}
