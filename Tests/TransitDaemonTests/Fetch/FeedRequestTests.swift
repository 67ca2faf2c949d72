import Glibc
import Testing
import TransitFeeds
import TransitFetch
import TransitModel
import TransitTestSupport

@testable import TransitDaemon

/// The HTTP requests that a feed's configuration and provider result in.
@Suite struct FeedRequestTests {
    @Test func requestCarriesKey() throws {
        let folder = try TestFolder()
        var feed = FeedConfiguration(id: "city", source: .remote(url: "https://a.example/gtfs.zip"))
        feed.realtime[.alerts] = .file(path: "/run/a b.pb")
        try folder.write(secret: "k3y", as: "a.key")
        feed.credential = FeedCredential(placement: .parameter("api_key"), file: folder("a.key"))
        let request = try #require(try feed.fetchRequest(for: .static, keys: FeedKeys()))
        #expect(request.secrets == [.query(name: "api_key", Secret("k3y"))])
        #expect(request.deadline == 900)
        let file = try #require(try feed.fetchRequest(for: .alerts, keys: FeedKeys()))
        #expect(file.url == "file:///run/a%20b.pb")
        #expect(file.secrets.isEmpty)
        #expect(try feed.fetchRequest(for: .vehicles, keys: FeedKeys()) == nil)
        // A replay sends no requests, so it needs no readable key.
        chmod(folder("a.key"), 0o644)
        #expect(try feed.fetchRequest(for: .static, keys: FeedKeys(isReplay: true))?.secrets == [])
    }
}
