import Testing
import TransitFeeds
import TransitModel

/// Answers of 511.org, made up in the shapes of its years, and what they become.
struct SIRI511GoldenTests {
    @Test(arguments: GoldenPair.all("SIRI511"))
    func pair(_ pair: GoldenPair) throws {
        let kind: DatasetKind = pair.name.hasPrefix("alerts") ? .alerts : .tripUpdates
        // Some agencies are asked for GTFS-Realtime in 511's spelling; it is read with the same reader as alerts.
        let isRealtime = pair.name.hasPrefix("alerts") || pair.name.hasPrefix("tripupdates")
        let message = try SIRI511().message(
            try pair.input(), of: isRealtime ? .alerts : kind, received: Instant(secondsSince1970: 0))
        try pair.expect(GoldenMessage(reading: RealtimeReading(message)).json)
    }

    @Test func thereArePairs() { #expect(GoldenPair.all("SIRI511").count >= 6) }
}
