import Testing
import TransitFetch
import TransitModel
import TransitQueries
import TransitRefresh
import TransitTestSupport

@testable import TransitDaemon

@Suite struct ExternalDataConfigurationTests {
    private func configuration(_ text: String) throws -> Configuration {
        try Configuration(text: text, file: "/etc/transitd/config.toml", home: "/home/a")
    }

    @Test func nothingIsRequestedByDefault() throws {
        #expect(try configuration("").externalDataSources.isEmpty)
    }

    @Test func emptySectionsUseDefaults() throws {
        let configuration = try configuration("[weather]\n[events]\n")
        let refresh = RefreshConfiguration(configuration)
        #expect(refresh.datasets[.weather]?.policy.interval == 1800)
        #expect(refresh.datasets[.events]?.policy.interval == 6 * 3600)
        #expect(refresh.datasets[.weather]?.source.host == "api.open-meteo.com:443")
        #expect(refresh.datasets[.events]?.source.isKeyed == true)
        #expect(Set(refresh.budgets.keys) == ["open-meteo", "ticketmaster"])
        #expect(configuration.events?.venues == .standard)
    }

    @Test func sectionsAreRead() throws {
        let configuration = try configuration(
            """
            [weather]
            url = "http://127.0.0.1:8080/"
            refresh = "1h"
            [events]
            url = "http://localhost:8080"
            key_file = "keys/events.key"
            always_list = ["Arena"]
            large_venue = 5000
            [events.capacity]
            "Town Hall" = 6000
            """)
        #expect(configuration.weather?.url == "http://127.0.0.1:8080")
        #expect(configuration.weather?.interval == 3600)
        let events = try #require(configuration.events)
        #expect(events.keyFile == "/etc/transitd/keys/events.key")
        #expect(events.venues.isNotable("Town Hall") && events.venues.isNotable("Arena"))
        #expect(events.venues.isNotable("Oracle Park"), "the capacities are added to the built-in ones")
        #expect(!events.venues.isNotable("Small Club"))
    }

    @Test(arguments: [
        ("[weather]\nurl = \"http://weather.example\"\n", "2:7:"), ("[weather]\nrefresh = \"5m\"\n", "2:11:"),
        ("[weather]\nkey = \"x\"\n", "needs no key"), ("weather = 1\n", "not a table"),
        ("[events]\napi_key = \"x\"\n", "transitctl key set ticketmaster"), ("[events]\nalways_list = 3\n", "2:15:"),
        ("[events.capacity]\nArena = 0\n", "2:9:"), ("[events]\nradius = 1\n", "no key `radius`"),
        ("[context]\n", "[weather]"), ("[[feed]]\nid = \"ticketmaster\"\nprovider = \"demo\"\n", "reserved"),
    ])
    func mistakesAreReported(_ text: String, _ word: String) {
        let error = #expect(throws: ConfigurationError.self) { try configuration(text) }
        #expect(error.map { "\($0)".contains(word) } == true, "\(String(describing: error))")
    }

    @Test func missingKeyIsAWarning() throws {
        let folder = try TestFolder()
        let keys = FeedKeys(store: KeyStore(folder: folder("keys")))
        let configuration = try Configuration(text: "[events]\n", file: "/etc/c.toml", home: nil, keys: keys)
        #expect(configuration.warnings.map(\.message) == ["[events] has no key, and the source requires one"])
    }

    @Test func changesAreDescribed() throws {
        let changes = try configuration("[weather]\n[events]\n").changes(from: Configuration())
        #expect(changes == ["The source of events has changed.", "The weather source has changed."])
    }
}
