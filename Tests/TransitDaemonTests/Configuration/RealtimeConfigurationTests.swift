import Testing
import TransitFeeds
import TransitModel

@testable import TransitDaemon

/// The keys of a `[[feed]]` for realtime datasets, API key, budget and certificates.
@Suite struct RealtimeConfigurationTests {
    static let text = """
        [daemon]
        ca_file = "all.pem"

        [[feed]]
        id = "bay"
        provider = "gtfs"
        static = "https://api.example/gtfs.zip?operator_id=CT"
        trip_updates = "https://api.example:8443/tripupdates?agency=CT"
        vehicles = "/run/vehicles.pb"
        alerts = "http://127.0.0.1:8080/alerts"
        key_file = "bay.key"
        key_parameter = "api_key"
        ca_file = "/etc/bay.pem"
        budget = [{ requests = 60, seconds = 3600 }]

        [feed.refresh]
        static = "2d"
        trip_updates = "90s"
        idle = "10m"
        download_hour = 2

        [[feed]]
        id = "city"
        provider = "gtfs"
        static = "/city.zip"
        key_header = "X-API-KEY"
        """

    private static func feeds(_ text: String = text) throws -> [FeedConfiguration] {
        try Configuration(text: text, file: "/srv/config.toml").feeds
    }

    @Test func allKeysAreRead() throws {
        let feeds = try Self.feeds()
        #expect(
            feeds[0].realtime == [
                .tripUpdates: .remote(url: "https://api.example:8443/tripupdates?agency=CT"),
                .vehicles: .file(path: "/run/vehicles.pb"), .alerts: .remote(url: "http://127.0.0.1:8080/alerts"),
            ])
        #expect(feeds[0].credential == FeedCredential(placement: .parameter("api_key"), file: "/srv/bay.key"))
        #expect(feeds[0].budget == [BudgetLimit(60, per: .rolling(seconds: 3600))])
        #expect(feeds[0].caFile == "/etc/bay.pem")
        #expect(feeds[0].datasets == [.static, .tripUpdates, .vehicles, .alerts])
        #expect(feeds[1].credential == FeedCredential(placement: .header("X-API-KEY")))
        #expect(feeds[1].caFile == "/srv/all.pem")
        #expect(feeds[1].datasets == [.static])
    }

    /// A key for some hosts is not sent to others, whatever the header.
    @Test func keyIsForItsHostsOnly() throws {
        let feed = try Self.feeds(
            """
            [[feed]]
            id = "bay"
            provider = "gtfs"
            static = "https://files.example/gtfs.zip"
            trip_updates = "https://API.example:8443/tu"
            key_header = "Authorization: Bearer"
            key_hosts = ["Api.Example"]
            """)[0]
        #expect(
            feed.credential
                == FeedCredential(placement: .authorization(scheme: "Bearer"), hosts: ["api.example"]))
        #expect(!feed.isKeyed("https://files.example/gtfs.zip"))
        #expect(feed.isKeyed("https://API.example:8443/tu"))
        #expect(feed.datasetSource(.tripUpdates)?.isKeyed == true && feed.datasetSource(.static)?.isKeyed == false)
    }

    @Test func configurationDeterminesRefreshPolicies() throws {
        let feeds = try Self.feeds()
        let policy = feeds[0].policy(for: .tripUpdates)
        #expect(policy.interval == 90)
        #expect(policy.idleInterval == 600)
        #expect(feeds[0].policy(for: .vehicles).interval == 60)
        #expect(feeds[0].policy(for: .static).interval == 2 * 24 * 3600)
        #expect(feeds[0].policy(for: .static).quietHours?.start == 2 * 3600)
        for kind in DatasetKind.refreshed {
            #expect(feeds[1].policy(for: kind) == RefreshPolicy.standard(for: kind))
        }
    }

    @Test func configurationDeterminesDatasetSources() throws {
        let feeds = try Self.feeds()
        #expect(
            feeds[0].datasetSource(.tripUpdates)
                == DatasetSource(
                    endpoint: "https://api.example:8443/tripupdates", host: "api.example:8443", key: "bay.key",
                    isKeyed: true))
        #expect(feeds[0].datasetSource(.static)?.host == "api.example:443")
        #expect(feeds[0].datasetSource(.vehicles) == DatasetSource(endpoint: "file:/run/vehicles.pb", host: nil))
        #expect(feeds[1].datasetSource(.alerts) == nil)
        #expect(
            FeedConfiguration.budgets(of: feeds) == [
                BudgetPolicy(key: "bay.key", limits: [BudgetLimit(60, per: .rolling(seconds: 3600))])
            ])
    }

    @Test func feedsWithOneKeyShareItsBudget() throws {
        var feeds = try Self.feeds()
        feeds[1].credential?.file = "/srv/bay.key"
        feeds[1].budget = feeds[0].budget + [BudgetLimit(1000, per: .rolling(seconds: 86_400))]
        #expect(FeedConfiguration.budgets(of: feeds).map(\.limits) == [feeds[1].budget])
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var line: String
        /// The expected problem. `line` is line 5 of the file, after the feed's other lines.
        var expected: String
        var testDescription: String { line }
    }

    @Test(arguments: [
        Mistake(
            line: "vehicles = \"http://a.example/\"",
            expected: "5:12: `http` is not encrypted, and a.example is not this machine; use `https://`"),
        Mistake(line: "alerts = \"\"", expected: "5:10: `alerts` is empty; set a URL or the path of a file"),
        Mistake(
            line: "key_file = \"/a.key\"",
            expected: "5:12: `key_file` is set, but `key_parameter` and `key_header` are missing; "
                + "add `key_parameter = \"api_key\"` or `key_header = \"X-API-KEY\"`"),
        Mistake(
            line: "key_header = \"X KEY\"",
            expected: "5:14: \"X KEY\" is not a valid parameter or header name; use letters, digits, `-`, `_` and `.`, "
                + "or write `Authorization: Bearer`"),
        Mistake(
            line: "key_hosts = \"a.example\"",
            expected:
                "5:13: `key_hosts` is set, but the feed has no key; add `key_parameter` or `key_header`, or remove the "
                + "line"),
        Mistake(
            line: "key_parameter = \"key\"\nkey_hosts = [\"https://a.example\"]",
            expected: "6:13: \"https://a.example\" is not the name of a host; write it as `api.example.org`"),
        Mistake(
            line: "key_parameter = \"key\"\nalerts = \"https://a.example/?key=1\"",
            expected: "6:10: the URL already contains `key`; remove it from the URL; the key comes from the key file"),
        Mistake(
            line: "key_parameter = \"a\"\nkey_header = \"b\"",
            expected: "6:14: `key_parameter` already sets how the key is sent; remove one of the two"),
        Mistake(
            line: "budget = [{ requests = 60 }]",
            expected: "5:11: a window of `budget` has no `seconds`; write `{ requests = 60, seconds = 3600 }`"),
        Mistake(
            line: "budget = [{ requests = 0, seconds = 1 }]",
            expected: "5:24: `requests` is 0; use a value from 1 to 1000000 requests"),
        Mistake(
            line: "refresh.idle = \"soon\"",
            expected:
                "5:16: `idle` is \"soon\", which is not a duration; write `idle = \"5m\"`, with the unit s, m, h or d"
        ),
        Mistake(line: "refresh.vehicles = \"1s\"", expected: "5:20: `vehicles` is \"1s\"; use a value from 5s to 7d"),
        Mistake(
            line: "refresh.static = \"9000000000000000000d\"",
            expected: "5:18: `static` is \"9000000000000000000d\"; use a value from 1h to 7d"),
        Mistake(
            line: "refresh.download_hour = 24",
            expected: "5:25: `download_hour` is 24; use a value from 0 to 23 (the hour of the day)"),
        Mistake(
            line: "refresh_hours = 5\nrefresh.static = \"5h\"",
            expected: "6:18: `refresh_hours` already sets how often the archive is checked; remove one of the two"),
        Mistake(
            line: "ca_file = 5",
            expected: "5:11: `ca_file` is a whole number, not a string; write `ca_file = \"/etc/ssl/private-ca.pem\"`"),
    ])
    func mistakeIsReported(_ mistake: Mistake) {
        let feed = "[[feed]]\nid = \"a\"\nprovider = \"gtfs\"\nstatic = \"/a.zip\"\n"
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: feed + mistake.line + "\n", file: "f")
        }
        #expect(error?.description == "f:" + mistake.expected)
    }

    @Test func demoProviderRejectsRealtimeURLs() {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(
                text: "[[feed]]\nid = \"a\"\nprovider = \"demo\"\nalerts = \"https://a.example/\"\n", file: "f")
        }
        #expect(error?.description == "f:4:10: the provider \"demo\" has no `alerts`; remove the line")
    }
}
