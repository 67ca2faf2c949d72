import Foundation
import Glibc
import Testing
import TransitFeeds
import TransitFetch
import TransitModel
import TransitRefresh
import TransitTestSupport

@testable import TransitDaemon

/// Settings of a `[[feed]]` for its provider, and the provider's defaults.
@Suite struct ProviderConfigurationTests {
    private func feed(_ lines: String) throws -> FeedConfiguration {
        let configuration = try Configuration(text: "[[feed]]\nid = \"a\"\n" + lines + "\n", file: "/srv/config.toml")
        return try #require(configuration.feeds.first)
    }

    @Test func providerSuppliesDefaultsOfFeed() throws {
        let feed = try feed("provider = \"siri511\"")
        #expect(feed.source == .provider("siri511"))
        #expect(feed.datasets == [.static, .tripUpdates, .alerts])
        #expect(feed.credential == FeedCredential(placement: .parameter("api_key")))
        #expect(feed.policy(for: .tripUpdates).interval == 90)
        #expect(feed.datasetSource(.tripUpdates)?.key == "a")
        #expect(
            FeedConfiguration.budgets(of: [feed]) == [
                BudgetPolicy(key: "a", limits: [BudgetLimit(60, per: .rolling(seconds: 3600))])
            ])
        var configuration = Configuration()
        configuration.feeds = [feed]
        #expect(RefreshConfiguration(configuration).startSpacing == ["api.511.org:443": 2])
    }

    @Test func feedOverridesProviderDefaults() throws {
        let feed = try feed(
            """
            provider = "siri511"
            agency = "BA"
            base_url = "http://127.0.0.1:8080/transit/"
            key_file = "my.key"
            key_header = "X-Key"
            budget = [{ requests = 5, seconds = 60 }]
            refresh.trip_updates = "120s"
            """)
        #expect((feed.agency, feed.base) == ("BA", "http://127.0.0.1:8080/transit"))
        #expect(feed.source == .provider("siri511:BA at http://127.0.0.1:8080/transit"))
        #expect(feed.credential == FeedCredential(placement: .header("X-Key"), file: "/srv/my.key"))
        #expect(feed.policy(for: .tripUpdates).interval == 120)
        #expect(FeedConfiguration.budgets(of: [feed]).map(\.limits) == [[BudgetLimit(5, per: .rolling(seconds: 60))]])
        let request = try #require(try feed.fetchRequest(for: .alerts, keys: FeedKeys(isReplay: true)))
        #expect(request.url.hasPrefix("http://127.0.0.1:8080/transit/"))
        #expect(request.url.contains("agency=BA"))
        #expect(request.accept == "application/json")
    }

    @Test func agenciesAreSeparateSources() throws {
        let agencies = try ["BA", "CT"].map { try feed("provider = \"siri511\"\nagency = \"\($0)\"") }
        for kind in agencies[0].datasets {
            #expect(agencies[0].datasetSource(kind)?.endpoint != agencies[1].datasetSource(kind)?.endpoint)
            #expect(agencies[0].datasetSource(kind)?.host == agencies[1].datasetSource(kind)?.host)
        }
    }

    @Test func providerKeyIsSentOnlyToProvider() throws {
        let folder = try TestFolder()
        let feed = try feed(
            """
            provider = "siri511"
            static = "https://mirror.example/gtfs.zip"
            key_file = "\(folder("a.key"))"
            """)
        try folder.write(secret: "k3y", as: "a.key")
        #expect(try feed.fetchRequest(for: .static, keys: FeedKeys())?.secrets == [])
        #expect(
            try feed.fetchRequest(for: .alerts, keys: FeedKeys())?.secrets == [.query(name: "api_key", Secret("k3y"))])
    }

    @Test(
        arguments: [
            (
                "provider = \"gtfs\"\nstatic = \"/a.zip\"\nagency = \"CT\"",
                "5:10: the provider \"gtfs\" has no `agency`; remove the line"
            ),
            (
                "provider = \"demo\"\nbase_url = \"https://a.example\"",
                "4:12: the provider \"demo\" has no `base_url`; remove the line"
            ),
            (
                "provider = \"siri511\"\nvehicles = \"/a.pb\"",
                "4:12: the provider \"siri511\" has no `vehicles`; remove the line"
            ),
            (
                "provider = \"siri511\"\nagency = \"a/b\"",
                "4:10: \"a/b\" is not a valid agency of 511.org; use letters, digits, `-`, `_` and `.`, as the provider writes it"
            ),
            (
                "provider = \"siri511\"\nbase_url = \"http://a.example\"",
                "4:12: `http` is not encrypted, and a.example is not this machine; use `https://`"
            ),
            (
                "provider = \"siri511\"\nbase_url = \"https://a.example/?a=1\"",
                "4:12: `base_url` is not a base URL; write it as `https://mirror.example.org`"
            ),
            (
                "provider = \"siri511\"\nbase_url = \"/srv\"",
                "4:12: `base_url` is not a base URL; write it as `https://mirror.example.org`"
            ),
        ])
    func mistakeIsReported(_ lines: String, _ expected: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: "[[feed]]\nid = \"a\"\n" + lines + "\n", file: "f")
        }
        #expect(error?.description == "f:" + expected)
    }

    @Test(arguments: ProviderCatalog.names)
    func catalogNameMatchesProviderName(_ name: String) throws {
        let traits = try #require(ProviderCatalog.provider(name)).traits
        #expect(traits.name == name)
        #expect(!traits.title.isEmpty)
        #expect(traits.datasets.contains(.static))
    }
}
