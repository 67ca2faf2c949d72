import Testing
import TransitFeeds
import TransitModel

/// The requests to 511.org and its quota.
struct SIRI511Tests {
    @Test func eachDatasetNeedsOneRequest() {
        let provider = SIRI511()
        #expect(provider.traits.datasets == [.static, .tripUpdates, .alerts])
        #expect(
            provider.request(for: .tripUpdates)?.url
                == "https://api.511.org/transit/StopMonitoring?agency=CT&format=json")
        #expect(
            provider.request(for: .alerts)?.url == "https://api.511.org/transit/servicealerts?agency=CT&format=json")
        #expect(provider.request(for: .static)?.url == "https://api.511.org/transit/datafeeds?operator_id=CT")
        // The departure board contains the vehicles.
        #expect(provider.request(for: .vehicles) == nil)
        #expect(provider.request(for: .tripUpdates)?.bodyLimit == 10 << 20)
    }

    @Test func optionsSelectAgencyUpstreamAndArchive() {
        let provider = SIRI511(
            ProviderOptions(
                agency: "S&F ü", base: "http://127.0.0.1:1/511", urls: [.static: "https://example.org/a.zip"]))
        #expect(
            provider.request(for: .tripUpdates)?.url
                == "http://127.0.0.1:1/511/StopMonitoring?agency=S%26F%20%C3%BC&format=json")
        #expect(provider.keyCheck()?.url.hasPrefix("http://127.0.0.1:1/511/") == true)
        #expect(provider.request(for: .static)?.url == "https://example.org/a.zip")
    }

    /// Background requests leave a quarter of the quota for user requests.
    @Test func backgroundRequestsStayWithinQuota() throws {
        let traits = SIRI511().traits
        #expect(traits.rateLimits.budget == [BudgetLimit(60, per: .rolling(seconds: 3600))])
        let hourly = try traits.datasets.filter(\.isRealtime).map { 3600 / (try #require(traits.intervals[$0])) }
        #expect(hourly.reduce(0, +) <= 45)
        #expect(traits.key == .parameter("api_key"))
        #expect(traits.attribution?.contains("511.org") == true && traits.disclaimer != nil)
    }
}

/// Synthetic responses in the formats that 511.org has used over the years, and their decoded values.
struct SIRI511GoldenTests {
    @Test(arguments: GoldenPair.all("SIRI511"))
    func responseIsDecoded(_ pair: GoldenPair) throws {
        let kind: DatasetKind = pair.name.hasPrefix("alerts") ? .alerts : .tripUpdates
        // For some agencies, trip updates and vehicles are GTFS-Realtime JSON and use the same reader as alerts.
        let isRealtime = pair.name.hasPrefix("alerts") || pair.name.hasPrefix("tripupdates")
        let message = try SIRI511().message(
            try pair.input(), of: isRealtime ? .alerts : kind, received: Instant(secondsSince1970: 0))
        try pair.expect(GoldenMessage(reading: RealtimeReading(message)).json)
    }

    @Test func goldenPairsExist() { #expect(GoldenPair.all("SIRI511").count >= 6) }
}
