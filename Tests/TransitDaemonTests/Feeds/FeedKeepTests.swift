import Foundation
import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitQueries
import TransitRefresh
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Imports of a part of a feed (`[feed.keep]`).
@Suite(.ownThreads) struct FeedKeepTests {
    private static func subset(_ latitude: Double, _ longitude: Double) throws -> FeedSubset {
        FeedSubset(
            places: [.coordinate(try #require(Coordinate(latitude: latitude, longitude: longitude)))], radius: 300)
    }

    /// Changes `keep` as a reload does.
    private func keep(_ subset: FeedSubset?, _ daemon: TestDaemon) {
        var feeds = daemon.daemon.configuration.current.feeds
        feeds[0].keep = subset
        daemon.controller.apply(feeds)
    }

    @Test func partIsListedAndItsStopsHaveBoards() async throws {
        let harbor = try Self.subset(53.54, 9.98)
        let daemon = try await TestDaemon.imported(["city": .small]) { $0.feeds[0].keep = harbor }
        let feed = try #require(try daemon.ask(FeedListParameters()).feeds.first)
        let kept = try #require(feed.kept)
        #expect(kept.rule == "stops within 300 m of 53.54,9.98")
        #expect((kept.stops, kept.stopsInSource) == (1, 6))
        #expect((kept.trips, kept.tripsInSource) == (4, 6))
        #expect(try daemon.ask(DeparturesParameters(stop: "Harbor")).departures.first?.scheduled?.clock == "08:00")
        let error = daemon.error(of: DeparturesParameters(stop: "Market Square"))
        #expect(error?.kind == .stopOutside)
        #expect(
            error?.hint
                == "To keep it, add `\"53.545,9.99\"` to `places` of [feed.keep] of city, or increase `radius`.")
    }

    @Test func keepWithoutStopsIsRefused() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        keep(try Self.subset(10, 10), daemon)
        let outcome = try await daemon.update("city")
        #expect(outcome.outcome == .refused)
        #expect(outcome.message == "No stop of the feed is within 300 m of the places of `keep`.")
        keep(FeedSubset(routes: ["no such route"]), daemon)
        let without = try await daemon.update("city")
        #expect(without.outcome == .refused)
        #expect(without.message == "No trip of the feed belongs to the routes that `keep` names.")
        #expect(try daemon.ask(FeedVersionsParameters(feed: "city")).versions.map(\.number) == [1])
        #expect(try daemon.ask(DeparturesParameters(stop: "Harbor")).departures.isEmpty == false)
    }

    /// A smaller part is not a broken export, and the source's validators do not apply to it.
    @Test func changedKeepIsImportedFromUnchangedSource() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        #expect(try await daemon.update("city").outcome == .unchanged)
        keep(FeedSubset(routes: ["T1"]), daemon)
        let part = try await daemon.update("city")
        #expect(part.outcome == .updated, "\(part.message)")
        #expect(part.version?.summary.counts.trips == 2)
        #expect(try await daemon.update("city").outcome == .unchanged)
        keep(nil, daemon)
        let whole = try await daemon.update("city")
        #expect(whole.outcome == .updated)
        #expect(whole.version?.summary.counts.trips == 6)
    }

    @Test func reloadWithChangedKeepFetchesSoonAndUnconditionally() async throws {
        let archive = FeedBuilder.small.zip()
        let server = try LoopbackServer(
            readingBodies: true,
            bytes: { request in
                if request.headers["if-none-match"] == "\"v1\"" {
                    return Array("HTTP/1.1 304 Not Modified\r\n\r\n".utf8)
                }
                let header =
                    "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(archive.count)\r\nConnection: close\r\n\r\n"
                return Array(header.utf8) + archive
            })
        let feed = "[[feed]]\nid = \"net\"\nprovider = \"gtfs\"\nstatic = \"\(server.url("/gtfs.zip"))\"\n"
        let daemon = try TestDaemon { configuration in
            configuration.feeds = [FeedConfiguration(id: "net", source: .remote(url: server.url("/gtfs.zip")))]
        }
        let config = URL(fileURLWithPath: daemon.folder("config.toml"))
        try await daemon.running {
            let service = try daemon.controller.service(of: "net")
            daemon.wait { daemon.daemon.refresh.record(DatasetID("net", .static))?.lastSuccess != nil }
            #expect(service.snapshot()?.timetable?.version == 1)
            try Data((feed + "[feed.keep]\nplaces = \"53.54,9.98\"\nradius = 300\n").utf8).write(to: config)
            let reloaded = try await daemon.askLengthy(ConfigReloadParameters())
            #expect(reloaded.changes.contains("The feed net has changed."))
            let before = daemon.clock.now()
            daemon.wait { service.snapshot()?.timetable?.version == 2 }
            #expect(service.snapshot()?.timetable?.version == 2)
            #expect(before.seconds(to: daemon.clock.now()) < 600)
            #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil])
            #expect(service.snapshot()?.timetable?.file.summary.counts.trips == 4)
        }
        // Without a change, the next request has the validators.
        #expect(try await daemon.update("net").outcome == .unchanged)
        #expect(server.requests.last?.headers["if-none-match"] == "\"v1\"")
    }
}

/// `[feed.keep]` in the configuration.
@Suite struct KeepConfigurationTests {
    private static let feed = "[[feed]]\nid = \"city\"\nprovider = \"gtfs\"\nstatic = \"/a.zip\"\n[feed.keep]\n"

    @Test func placesAreResolved() throws {
        let text = """
            \(Self.feed)places = ["home", "54.5, -3.25", "stop"]
            radius = 2500
            routes = ["U1"]
            agencies = "Metro"
            [place.home]
            lat = 53.5
            lon = 10.0
            [place.stop]
            stop = "city:central"
            """
        let keep = try #require(try Configuration(text: text, file: "config.toml").feeds.first?.keep)
        let home = try #require(Coordinate(latitude: 53.5, longitude: 10))
        let other = try #require(Coordinate(latitude: 54.5, longitude: -3.25))
        #expect(
            keep
                == FeedSubset(
                    places: [.coordinate(home), .coordinate(other), .stop("central")], radius: 2500, routes: ["U1"],
                    agencies: ["Metro"]))
    }

    @Test(arguments: [
        ("places = [\"hom\"]\n[place.home]\nlat = 1\nlon = 1\n", "there is no place \"hom\"; did you mean \"home\"?"),
        (
            "places = [\"91,7\"]\n",
            "\"91,7\" is not a position; write latitude and longitude in degrees, such as \"37.3942,-122.0764\""
        ),
        (
            "routes = []\n",
            "[feed.keep] keeps nothing; add `places = [\"home\"]`, `routes = [\"24\"]` or `agencies = [\"City Transit\"]`"
        ),
        (
            "radius = 500\nroutes = [\"1\"]\n",
            "`radius` applies to `places`, which is missing; add `places = [\"home\"]`, or remove `radius`"
        ),
        ("places = [\"1,1\"]\nradius = 5\n", "`radius` is 5; use a value from 100 to 1000000 meters"),
        (
            "stops = [\"a\"]\nroutes = \"1\"\n",
            "[feed.keep] has no key `stops`; write the positions of the stops in `places`"
        ),
        (
            "places = \"far\"\n[[feed]]\nid = \"b\"\nprovider = \"gtfs\"\nstatic = \"/b.zip\"\n[place.far]\nstop = \"b:1\"\n",
            "the place \"far\" is a stop of another feed, \"b\"; write its position instead, such as \"37.3942,-122.0764\""
        ),
    ])
    func mistakeIsReported(text: String, expected: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: Self.feed + text, file: "config.toml")
        }
        #expect(error?.problems.map { "\($0.message); \($0.remedy)" } == [expected])
    }

    @Test func providerWithoutArchiveKeepsNoPart() {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(
                text: "[[feed]]\nid = \"d\"\nprovider = \"demo\"\n[feed.keep]\nroutes = \"1\"\n", file: "config.toml")
        }
        #expect(
            error?.problems.map(\.message) == ["the provider \"demo\" has no archive, so `keep` does not apply to it"])
    }
}
