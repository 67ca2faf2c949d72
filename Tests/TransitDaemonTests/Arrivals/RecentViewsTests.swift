import Testing
import TransitModel

@testable import TransitDaemon

@Suite struct RecentViewsTests {
    private static func now(_ seconds: Int) -> ClockReading {
        ClockReading(
            wall: Instant(secondsSince1970: 1_800_000_000).advanced(by: seconds),
            boot: BootTime(milliseconds: 1000).advanced(by: seconds))
    }

    @Test func aLookLastsForAWhile() {
        let book = RecentViews()
        book.note(.favorites, of: 1, at: Self.now(0))
        book.note(.commute("gym"), of: 2, at: Self.now(100))
        #expect(book.looks(within: 600, at: Self.now(200)).map(\.uid) == [2, 1])
        #expect(book.looks(within: 600, at: Self.now(650)).map(\.uid) == [2])
        book.note(.favorites, of: 1, at: Self.now(650))
        #expect(book.looks(within: 600, at: Self.now(660)).map(\.uid) == [1, 2])
    }

    @Test func itIsBounded() {
        let book = RecentViews()
        for number in 0..<40 { book.note(.commute("\(number)"), of: 1, at: Self.now(number)) }
        #expect(
            book.looks(within: 600, at: Self.now(40)).map(\.view) == (24..<40).reversed().map { .commute("\($0)") })
        for uid in UInt32(0)..<2000 { book.note(.favorites, of: uid, at: Self.now(100)) }
        #expect(book.looks(within: 600, at: Self.now(100)).count == RecentViews.most)
    }

    @Test("One user's looks put out nobody else's, and leave room for them")
    func usersDoNotPutEachOtherOut() {
        let book = RecentViews()
        book.note(.favorites, of: 1, at: Self.now(0))
        book.note(.commute("gym"), of: 1, at: Self.now(1))
        for number in 0..<40 { book.note(.commute("\(number)"), of: 2, at: Self.now(2 + number)) }
        let looks = book.looks(within: 600, at: Self.now(50))
        #expect(looks.count(where: { $0.uid == 1 }) == 2)
        #expect(looks.prefix(4).map(\.uid) == [2, 1, 2, 1])
        #expect(looks.prefix(2).map(\.view) == [.commute("39"), .commute("gym")])
        let after = RecentViews()
        after.recall(looks, at: Self.now(60))
        #expect(after.looks(within: 600, at: Self.now(60)) == looks)
    }

    @Test func itIsWrittenDownOnceAnHourAndTakenUpAgain() throws {
        let book = RecentViews()
        #expect(book.pendingWrite(at: Self.now(0)) == nil)
        book.note(.favorites, of: 1, at: Self.now(0))
        #expect(book.pendingWrite(at: Self.now(1))?.map(\.uid) == [1])
        book.note(.commute("gym"), of: 2, at: Self.now(2))
        #expect(book.pendingWrite(at: Self.now(3600)) == nil)
        let written = try #require(book.pendingWrite(at: Self.now(3601)))
        #expect(written.map(\.uid) == [2, 1])
        #expect(book.pendingWrite(at: Self.now(9000)) == nil, "nothing is new")
        book.note(.favorites, of: 3, at: Self.now(9000))
        #expect(book.pendingWrite(at: Self.now(9001))?.count == 3)
        book.note(.favorites, of: 4, at: Self.now(9002))
        #expect(book.pendingWrite(at: Self.now(9003), isLast: true)?.count == 4)

        let after = RecentViews()
        after.note(.favorites, of: 1, at: Self.now(9100))
        after.recall(written, at: Self.now(9200))
        #expect(after.looks(within: 86_400, at: Self.now(9200)).map(\.uid) == [1, 2])
        let late = RecentViews()
        late.recall(written, at: Self.now(86_401))
        #expect(late.looks(within: 86_400 * 2, at: Self.now(86_401)).map(\.uid) == [2])
    }
}
