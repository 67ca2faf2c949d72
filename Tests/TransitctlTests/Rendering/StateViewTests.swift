import Testing
import TransitControl
import TransitModel
import TransitWire

@testable import TransitClient
@testable import transitctl

@Suite struct StateViewTests {
    @Test func recentSearches() throws {
        let result = RecentListResult(
            at: try Sample.time("08:05"),
            searches: [
                RecentSearch(kind: .stops, text: "mill", at: try Sample.time("08:01")),
                RecentSearch(kind: .routes, text: "24", at: try Sample.time("18:00", days: -1)),
            ])
        try expectSnapshot(paint(.recentList, result), "recent-list")
        try expectThemes(.recentList, result, "recent-list")
        #expect(PlainRows.text(View.recentList.rows(result)).hasPrefix("stops\tmill\t2026-03-28T08:01:00-07:00\n"))
        #expect(
            paint(.recentList, RecentListResult(at: result.at, searches: [])) == "No recent searches.\n")
    }

    @Test func commutes() throws {
        let result = CommuteListResult(at: try Sample.time("08:05"), commutes: [Sample.gym, Sample.commute])
        try expectSnapshot(paint(.commuteList, result, width: 100), "commute-list")
        try expectThemes(.commuteList, result, "commute-list")
        try expectSnapshot(PlainRows.text(View.commuteList.rows(result)), "commute-list-plain")
    }

    @Test func places() throws {
        let home = PlaceSummary(
            name: "home", position: Position(lat: 37.3942, lon: -122.0764), walk: 480, origin: .user,
            stops: [Sample.near])
        let cabin = PlaceSummary(
            name: "cabin", position: Position(lat: 1, lon: 2), origin: .configuration, stops: [])
        let at = try Sample.time("08:05")
        try expectSnapshot(paint(.placeList, PlaceListResult(at: at, places: [home, cabin])), "place-list")
        try expectThemes(.placeList, PlaceListResult(at: at, places: [home, cabin]), "place-list")
        let set = PlaceResult(at: at, place: home, commutes: ["home-to-work", "work-to-home"])
        try expectSnapshot(paint(.placeSet(in: .metric), set), "place-set")
        try expectThemes(.placeSet(in: .metric), set, "place-set")
        #expect(paint(.placeRemove, PlaceResult(at: at, place: home, commutes: [])) == "Removed home.\n")
        var atStop = home
        let nearest = try #require(home.stops.first?.stop)
        atStop.stop = nearest.reference
        let named = paint(.placeSet(in: .metric), PlaceResult(at: at, place: atStop, commutes: []))
        #expect(named.hasPrefix("home is at \(nearest.words) (\(nearest.reference)).\n"))
        var configured = home
        configured.origin = .configuration
        let again = paint(.placeRemove, PlaceResult(at: at, place: configured, commutes: ["home-to-work"]))
        #expect(again.hasPrefix("Removed your home. "))
    }

    @Test func addressesAndKeys() throws {
        let addresses = AddressSearchResult(
            at: try Sample.time("08:05"),
            addresses: [
                AddressMatch(name: "1 Mill Lane, Alderhaven, Demo County", position: Position(lat: 53.54, lon: 9.98)),
                AddressMatch(name: "Mill Lane", position: Position(lat: 53.5, lon: 10)),
            ])
        try expectThemes(.addressSearch, addresses, "address")
        let key = KeyResult(
            at: addresses.at, feed: "bay", state: .rejected, message: "The source rejected the key (status 401).")
        try expectThemes(.keyResult, key, "key")
    }

    @Test func coordinatesHaveFiveDecimalPlaces() {
        #expect(Position(lat: 53.543, lon: 9.981499999999999).words == "53.543,9.9815")
        #expect(Position(lat: -37, lon: 0.123456).words == "-37,0.12346")
    }

    @Test func configuration() throws {
        let problems = [
            ConfigurationProblem(
                isError: true, line: 12, column: 5, key: "feed[0].static", message: "\"htp://x\" is not a URL.",
                remedy: "Write https://…"),
            ConfigurationProblem(isError: false, message: "There are no feeds."),
        ]
        let check = ConfigCheckResult(
            at: try Sample.time("08:05"), file: "/etc/transitd/config.toml", isValid: false, problems: problems)
        try expectSnapshot(paint(.configCheck, check), "config-check")
        try expectThemes(.configCheck, check, "config-check")
        let reload = ConfigReloadResult(
            at: check.at, file: check.file, changes: ["Feed demo was added."], problems: [problems[1]])
        try expectSnapshot(paint(.configReload, reload), "config-reload")
        try expectThemes(.configReload, reload, "config-reload")
    }

    @Test func methodDescriptions() throws {
        try expectSnapshot(paint(.describe, DescribeResult(of: .placeSet), width: 100), "describe-method")
        try expectThemes(.describe, DescribeResult(of: .placeSet), "describe-method")
        let all = View.describe.rows(DescribeResult())
        #expect(all.count == ControlMethod.allCases.count)
    }

    @Test func errorListsCandidates() throws {
        let error = ControlError(
            .stopAmbiguous, "\"main\" matches 2 stops.", hint: "Choose one of them.",
            details: [
                "stops": [
                    ["feed": "demo", "id": "1", "name": "Main Street"],
                    ["feed": "demo", "id": "2", "name": "Main Square"],
                ]
            ])
        try expectSnapshot(Painter(canvas: Canvas()).paint(ClientError.refused(error).page), "error-ambiguous")
        let view = View<ControlError>(page: { $0 = ClientError.refused($1).page }, rows: { _ in [] })
        try expectThemes(view, error, "error-ambiguous")
    }
}
