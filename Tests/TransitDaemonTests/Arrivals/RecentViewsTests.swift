import Testing
import TransitModel

@testable import TransitDaemon

@Suite struct RecentViewsTests {
    private static func now(_ seconds: Int) -> ClockReading {
        ClockReading(
            wall: Instant(secondsSince1970: 1_800_000_000).advanced(by: seconds),
            boot: BootTime(milliseconds: 1000).advanced(by: seconds))
    }

    @Test func viewsExpire() {
        let views = RecentViews()
        views.record(.favorites, of: 1, at: Self.now(0))
        views.record(.commute("gym"), of: 2, at: Self.now(100))
        #expect(views.views(within: 600, at: Self.now(200)).map(\.uid) == [2, 1])
        #expect(views.views(within: 600, at: Self.now(650)).map(\.uid) == [2])
        views.record(.favorites, of: 1, at: Self.now(650))
        #expect(views.views(within: 600, at: Self.now(660)).map(\.uid) == [1, 2])
    }

    @Test func oldestViewsAreDroppedBeyondLimits() {
        let views = RecentViews()
        for number in 0..<40 { views.record(.commute("\(number)"), of: 1, at: Self.now(number)) }
        #expect(
            views.views(within: 600, at: Self.now(40)).map(\.view) == (24..<40).reversed().map { .commute("\($0)") })
        for uid in UInt32(0)..<2000 { views.record(.favorites, of: uid, at: Self.now(100)) }
        #expect(views.views(within: 600, at: Self.now(100)).count == RecentViews.maximumViews)
    }

    @Test("One user's views never displace another's")
    func usersShareLimit() {
        let views = RecentViews()
        views.record(.favorites, of: 1, at: Self.now(0))
        views.record(.commute("gym"), of: 1, at: Self.now(1))
        for number in 0..<40 { views.record(.commute("\(number)"), of: 2, at: Self.now(2 + number)) }
        let recent = views.views(within: 600, at: Self.now(50))
        #expect(recent.count(where: { $0.uid == 1 }) == 2)
        #expect(recent.prefix(4).map(\.uid) == [2, 1, 2, 1])
        #expect(recent.prefix(2).map(\.view) == [.commute("39"), .commute("gym")])
        let after = RecentViews()
        after.restore(recent, at: Self.now(60))
        #expect(after.views(within: 600, at: Self.now(60)) == recent)
    }

    @Test func viewsAreWrittenHourlyAndRestored() throws {
        let views = RecentViews()
        #expect(views.pendingWrite(at: Self.now(0)) == nil)
        views.record(.favorites, of: 1, at: Self.now(0))
        #expect(views.pendingWrite(at: Self.now(1))?.map(\.uid) == [1])
        views.record(.commute("gym"), of: 2, at: Self.now(2))
        #expect(views.pendingWrite(at: Self.now(3600)) == nil)
        let written = try #require(views.pendingWrite(at: Self.now(3601)))
        #expect(written.map(\.uid) == [2, 1])
        #expect(views.pendingWrite(at: Self.now(9000)) == nil, "the views are unchanged")
        views.record(.favorites, of: 3, at: Self.now(9000))
        #expect(views.pendingWrite(at: Self.now(9001))?.count == 3)
        views.record(.favorites, of: 4, at: Self.now(9002))
        #expect(views.pendingWrite(at: Self.now(9003), isLast: true)?.count == 4)

        let after = RecentViews()
        after.record(.favorites, of: 1, at: Self.now(9100))
        after.restore(written, at: Self.now(9200))
        #expect(after.views(within: 86_400, at: Self.now(9200)).map(\.uid) == [1, 2])
        let late = RecentViews()
        late.restore(written, at: Self.now(86_401))
        #expect(late.views(within: 86_400 * 2, at: Self.now(86_401)).map(\.uid) == [2])
    }
}
