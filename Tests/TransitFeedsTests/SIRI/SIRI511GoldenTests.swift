import Testing
import TransitFeeds
import TransitModel

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
