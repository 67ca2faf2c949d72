import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct CatalogViewTests {
    private func result() throws -> FeedFindResult {
        let area = StopArea(
            southwest: Position(lat: 47.7, lon: 11), northeast: Position(lat: 48.6, lon: 12.3), diagonal: 138_000)
        let realtime = CatalogRealtime(id: "mdb-2", datasets: [.tripUpdates, .alerts], url: "https://a.example/rt")
        return FeedFindResult(
            at: try Sample.time("08:05"),
            feeds: [
                CatalogFeed(
                    id: "mdb-779", provider: "Münchner Verkehrs- und Tarifverbund GmbH (MVV)", name: "Bus",
                    municipality: "Munich", subdivision: "Bayern", country: "DE", status: .active, isOfficial: true,
                    license: "https://a.example/license",
                    key: CatalogKey(placement: .header, name: "X-Key", info: "https://a.example/key"),
                    realtime: [realtime], area: area, distance: 0, url: "https://a.example/mvv.zip",
                    copyUrl: "https://copy.example/779.zip", replaces: ["mdb-1"]),
                CatalogFeed(
                    id: "mdb-5", provider: "Old Bus", status: .inactive, realtime: [],
                    url: "https://old.example/\u{1B}[2Jbus.zip", copyUrl: "https://copy.example/5.zip"),
            ], total: 3, age: 7200)
    }

    @Test func feedsShowLicenseKeyRealtimeAndArea() throws {
        try expectSnapshot(paint(.feedFind(in: .metric), try result()), "feed-find")
        try expectSnapshot(PlainRows.text(View.feedFind(in: .metric).rows(try result())), "feed-find-plain")
        #expect(!paint(.feedFind(in: .metric), try result()).contains("\u{1B}[2J"))
    }

    @Test func keyOfTheRealtimeDataOnlyIsShown() throws {
        var result = try result()
        result.feeds[0].realtime[0].key = result.feeds[0].key
        result.feeds[0].key = nil
        result.feeds.removeLast()
        let text = paint(.feedFind(in: .metric), result)
        #expect(text.contains("realtime data needs a key") && !text.contains("no key"), "\(text)")
        #expect(text.contains("https://a.example/key"))
    }

    @Test func emptyResultSaysWhatToTry() throws {
        var result = try result()
        (result.feeds, result.total) = ([], 0)
        #expect(paint(.feedFind(in: .metric), result).contains("--near LAT,LON"))
        result.position = Position(lat: 0, lon: 1)
        #expect(paint(.feedFind(in: .metric), result).contains("within 50"))
    }
}
