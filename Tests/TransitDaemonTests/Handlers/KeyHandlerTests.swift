import Foundation
import Glibc
import Testing
import TransitControl
import TransitFeeds
import TransitFetch
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `key.*`: keys are verified before they are stored, are readable only by the daemon, and never appear in
/// replies.
@Suite(.ownThreads) struct KeyHandlerTests {
    /// An upstream that accepts only the key "g00d".
    private static func upstream() throws -> LoopbackServer {
        try LoopbackServer { request in
            request.path.contains("key=g00d")
                ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
                : "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"
        }
    }

    private static func daemon(_ url: String?) throws -> TestDaemon {
        try TestDaemon { configuration in
            var feed = FeedConfiguration(id: "city", source: .remote(url: "http://127.0.0.1:1/gtfs.zip"))
            if let url { feed.realtime = [.alerts: .remote(url: url)] }
            feed.credential = FeedCredential(placement: .parameter("key"))
            configuration.feeds = [feed, FeedConfiguration(id: "open", source: .file(path: "/none.zip"))]
        }
    }

    private func kind(_ daemon: TestDaemon, _ call: some ControlParameters, uid: UInt32 = 0) async -> ErrorKind? {
        do {
            _ = try await daemon.askLengthy(call, uid: uid)
            return nil
        } catch { return (error as? ControlError)?.kind }
    }

    @Test func acceptedKeyIsStored() async throws {
        let server = try Self.upstream()
        let daemon = try Self.daemon(server.url("/alerts"))
        let before = try await daemon.askLengthy(KeyCheckParameters(feed: "city"))
        #expect(before.state == .missing)
        #expect(before.message.contains("transitctl key set city"))
        let set = try await daemon.askLengthy(KeySetParameters(feed: "city", key: " g00d\n"))
        #expect(set.state == .accepted)
        #expect(!"\(set)".contains("g00d"))
        let path = daemon.daemon.directories.keys + "/city.key"
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "g00d\n")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(stat(daemon.daemon.directories.keys, &status) == 0 && status.st_mode & 0o777 == 0o700)
        let check = try await daemon.askLengthy(KeyCheckParameters(feed: "city"))
        #expect(check.state == .accepted)
        #expect(check.origin == .store)
        #expect(server.requests.map(\.path) == ["/alerts?key=g00d", "/alerts?key=g00d"])
    }

    @Test func rejectedKeyIsNotStored() async throws {
        let server = try Self.upstream()
        let daemon = try Self.daemon(server.url("/alerts"))
        _ = try await daemon.askLengthy(KeySetParameters(feed: "city", key: "g00d"))
        #expect(await kind(daemon, KeySetParameters(feed: "city", key: "wr0ng")) == .keyRejected)
        // `--unverified` applies only to a source that cannot be reached.
        #expect(await kind(daemon, KeySetParameters(feed: "city", key: "wr0ng", unverified: true)) == .keyRejected)
        let path = daemon.daemon.directories.keys + "/city.key"
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "g00d\n")
    }

    @Test func unreachableSourceLeavesKeyUnverified() async throws {
        let daemon = try Self.daemon("http://127.0.0.1:1/alerts")
        #expect(await kind(daemon, KeySetParameters(feed: "city", key: "k3y")) == .keyUnverified)
        #expect(try await daemon.askLengthy(KeyCheckParameters(feed: "city")).state == .missing)
        let kept = try await daemon.askLengthy(KeySetParameters(feed: "city", key: "k3y", unverified: true))
        #expect(kept.state == .unverified)
        #expect(try await daemon.askLengthy(KeyCheckParameters(feed: "city")).state == .unverified)
    }

    @Test(arguments: ["two words", "sm\u{F8}rrebr\u{F8}d", "tab\tbed"])
    func invalidKeyIsRefusedWithoutRepeatingIt(_ key: String) async throws {
        let daemon = try Self.daemon("http://127.0.0.1:1/alerts")
        do {
            _ = try await daemon.askLengthy(KeySetParameters(feed: "city", key: key))
            Issue.record("the key was accepted")
        } catch let error as ControlError {
            #expect(error.kind == .invalidParameters)
            #expect(!String(decoding: error.encoded, as: UTF8.self).contains(key))
        }
    }

    @Test func keyIsRemoved() async throws {
        let server = try Self.upstream()
        let daemon = try Self.daemon(server.url("/alerts"))
        #expect(daemon.error(of: KeyRemoveParameters(feed: "city"), uid: 0)?.kind == .keyNotFound)
        _ = try await daemon.askLengthy(KeySetParameters(feed: "city", key: "g00d"))
        #expect(try daemon.ask(KeyRemoveParameters(feed: "city"), uid: 0).state == .removed)
        #expect(access(daemon.daemon.directories.keys + "/city.key", F_OK) != 0)
        #expect(try await daemon.askLengthy(KeyCheckParameters(feed: "city")).state == .missing)
    }

    /// A feed may be removed from the configuration before its key.
    @Test func keyOfAFeedThatIsNotConfiguredIsRemoved() throws {
        let daemon = try Self.daemon(nil)
        let keys = daemon.daemon.directories.keys
        try KeyStore(folder: keys).write(Secret("g00d"), of: "former")
        #expect(try daemon.ask(KeyRemoveParameters(feed: "former"), uid: 0).state == .removed)
        #expect(access(keys + "/former.key", F_OK) != 0)
        #expect(daemon.error(of: KeyRemoveParameters(feed: "former"), uid: 0)?.kind == .feedNotFound)
        // No file outside the folder of keys is removed.
        let outside = daemon.daemon.directories.state + "/other.key"
        #expect(FileManager.default.createFile(atPath: outside, contents: nil))
        #expect(daemon.error(of: KeyRemoveParameters(feed: "../other"), uid: 0)?.kind == .feedNotFound)
        #expect(access(outside, F_OK) == 0)
    }

    @Test func keyMethodsAreReservedToOwner() async throws {
        let daemon = try Self.daemon(nil)
        #expect(await kind(daemon, KeySetParameters(feed: "city", key: "k"), uid: 1000) == .notAllowed)
        #expect(await kind(daemon, KeyCheckParameters(feed: "city"), uid: 1000) == .notAllowed)
        #expect(daemon.error(of: KeyRemoveParameters(feed: "city"), uid: 1000)?.kind == .notAllowed)
    }

    /// The method sends a request to a URL that the caller supplies (transitd-protocol(7)).
    @Test func providerCheckIsReservedToOwner() async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]" }
        let daemon = try Self.daemon(nil)
        func check(_ base: String, uid: UInt32 = 0) async -> ErrorKind? {
            await kind(daemon, ProviderCheckParameters(provider: "tranzy", key: "k", base: base), uid: uid)
        }
        #expect(await check(server.url(""), uid: 1000) == .notAllowed)
        for base in [
            "file:///etc/passwd", "/etc/passwd", "etc", "http://example.org", "ftp://127.0.0.1", "https://a@b",
        ] {
            #expect(await check(base) == .invalidParameters, "\(base)")
        }
        #expect(server.requests.isEmpty)
        #expect(await check(server.url("")) == nil)
        #expect(server.requests.count == 1)
    }

    @Test func keyIsRefusedForFeedWithoutKeyOrWithKeyFile() async throws {
        let daemon = try TestDaemon { configuration in
            var filed = FeedConfiguration(id: "filed", source: .remote(url: "http://127.0.0.1:1/gtfs.zip"))
            filed.credential = FeedCredential(placement: .header("x-key"), file: "/nowhere/a.key")
            configuration.feeds = [filed, FeedConfiguration(id: "open", source: .file(path: "/none.zip"))]
        }
        #expect(await kind(daemon, KeySetParameters(feed: "open", key: "k")) == .keyNotNeeded)
        #expect(await kind(daemon, KeySetParameters(feed: "filed", key: "k")) == .keyReadOnly)
        #expect(await kind(daemon, KeySetParameters(feed: "none", key: "k")) == .feedNotFound)
    }

    @Test func rejectedKeyIsReportedUntilReplaced() async throws {
        let server = try Self.upstream()
        let daemon = try Self.daemon(server.url("/alerts"))
        try daemon.daemon.keys.save(Secret("old"), of: "city")
        let id = DatasetID("city", .alerts)
        try await daemon.refresh(id)
        let notice = try #require(try daemon.ask(FeedListParameters()).notices.first { $0.message.contains("key") })
        #expect(notice.kind == .failed)
        #expect(notice.message.hasSuffix("Set another one with: transitctl key set city."))
        #expect(notice.since != nil)
        _ = try await daemon.askLengthy(KeySetParameters(feed: "city", key: "g00d"))
        #expect(try !daemon.ask(FeedListParameters()).notices.contains { $0.message.contains("rejects") })
    }

    /// Restores the state of rejected keys, as a restart does.
    private func restart(_ daemon: TestDaemon) throws -> FeedSnapshot {
        let feed = try #require(daemon.daemon.configuration.current.feeds.first)
        daemon.daemon.feeds.update("city") { $0.keyRejectedSince = nil }
        daemon.daemon.fetcher.rejected.restore(feed)
        return try #require(daemon.daemon.feeds.snapshot("city"))
    }

    @Test func rejectedKeyIsKnownAfterRestart() async throws {
        let server = try Self.upstream()
        let daemon = try Self.daemon(server.url("/alerts"))
        try daemon.daemon.keys.save(Secret("old"), of: "city")
        try await daemon.refresh(DatasetID("city", .alerts))
        let since = daemon.clock.now()
        daemon.clock.advance(by: 60)
        #expect(try restart(daemon).keyRejectedSince == since)
        #expect(try daemon.ask(FeedListParameters()).notices.contains { $0.message.contains("rejects") })
        // Only a fingerprint of the key is stored.
        let kept = try #require(try daemon.daemon.state.rejectedKey(of: "city"))
        #expect(kept.fingerprint.count == 8 && !kept.fingerprint.contains("old"))
    }

    @Test func replacedKeyIsNotRejectedAfterRestart() async throws {
        let server = try Self.upstream()
        let daemon = try Self.daemon(server.url("/alerts"))
        try daemon.daemon.keys.save(Secret("old"), of: "city")
        try await daemon.refresh(DatasetID("city", .alerts))
        try daemon.daemon.keys.save(Secret("g00d"), of: "city")
        #expect(try restart(daemon).keyRejectedSince == nil)
        #expect(try daemon.daemon.state.rejectedKey(of: "city") == nil)
    }

    @Test func acceptedKeyIsNoLongerRejected() async throws {
        let server = try Self.upstream()
        let daemon = try Self.daemon(server.url("/alerts"))
        try daemon.daemon.keys.save(Secret("old"), of: "city")
        let rejected = daemon.daemon.fetcher.rejected
        rejected.recordRejection("city", rejected.fingerprint(of: "city"))
        daemon.daemon.fetcher.rejected.clear("city")
        #expect(try restart(daemon).keyRejectedSince == nil)
    }
}
