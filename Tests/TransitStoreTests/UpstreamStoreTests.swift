import Testing
import TransitModel

@testable import TransitStore

/// Rejections by upstreams are kept across restarts.
@Suite struct UpstreamStoreTests {
    private let folder: TemporaryDirectory
    private let today = ServiceDate(year: 2026, month: 3, day: 28)!

    init() throws { folder = try TemporaryDirectory() }

    private func open() throws -> StateStore { try StateStore(directory: folder.path, today: today) }

    private static func moment(_ seconds: Int64) -> ClockReading {
        ClockReading(wall: Instant(secondsSince1970: seconds), boot: BootTime(milliseconds: seconds * 10))
    }

    private static var backoff: ArrivalsBackoff {
        var host = HostRecord("kmb.example:443")
        host.pauses = 2
        host.consecutiveFailures = 5
        host.retryAfter = moment(700)
        return ArrivalsBackoff(
            boot: "first",
            refused: [
                RefusedArrivalsQuery("1A/中", status: 422, until: moment(500)),
                RefusedArrivalsQuery("2", status: 403, until: moment(600)),
            ], hosts: [host])
    }

    @Test func backoffIsReadBack() throws {
        #expect(try open().arrivalsBackoff(of: "hk") == nil)
        try open().saveArrivalsBackoff(Self.backoff, of: "hk")
        #expect(try open().arrivalsBackoff(of: "hk") == Self.backoff)
        var fewer = Self.backoff
        fewer.boot = "second"
        fewer.refused.removeFirst()
        fewer.hosts = []
        try open().saveArrivalsBackoff(fewer, of: "hk")
        #expect(try open().arrivalsBackoff(of: "hk") == fewer)
    }

    @Test func backoffOfRemovedFeedsIsDeleted() throws {
        for feed in ["hk", "warsaw"] as [FeedID] { try open().saveArrivalsBackoff(Self.backoff, of: feed) }
        try open().removeArrivalsBackoff(except: ["warsaw"])
        #expect(try open().arrivalsBackoff(of: "hk") == nil)
        #expect(try open().arrivalsBackoff(of: "warsaw") == Self.backoff)
        try open().saveArrivalsBackoff(ArrivalsBackoff(boot: "x"), of: "warsaw")
        #expect(try open().arrivalsBackoff(of: "warsaw") == nil)
    }

    @Test func rejectedKeyIsReadBack() throws {
        let key = RejectedKey(fingerprint: "0123abcd", since: Instant(secondsSince1970: 1_800_000_000))
        try open().saveRejectedKey(key, of: "caltrain")
        #expect(try open().rejectedKey(of: "caltrain") == key)
        #expect(try open().rejectedKey(of: "other") == nil)
        try open().saveRejectedKey(nil, of: "caltrain")
        #expect(try open().rejectedKey(of: "caltrain") == nil)
    }
}
