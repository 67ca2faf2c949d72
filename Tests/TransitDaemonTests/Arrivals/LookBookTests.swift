import Testing
import TransitModel

@testable import TransitDaemon

@Suite struct LookBookTests {
    private static func now(_ seconds: Int) -> ClockReading {
        ClockReading(
            wall: Instant(secondsSince1970: 1_800_000_000).advanced(by: seconds),
            boot: BootTime(milliseconds: 1000).advanced(by: seconds))
    }

    @Test func aLookLastsForAWhile() {
        let book = LookBook()
        book.note(.favorites, of: 1, at: Self.now(0))
        book.note(.commute("gym"), of: 2, at: Self.now(100))
        #expect(book.looks(within: 600, at: Self.now(200)).map(\.uid) == [2, 1])
        #expect(book.looks(within: 600, at: Self.now(650)).map(\.uid) == [2])
        book.note(.favorites, of: 1, at: Self.now(650))
        #expect(book.looks(within: 600, at: Self.now(660)).map(\.uid) == [1, 2])
    }

    @Test func itIsBounded() {
        let book = LookBook()
        for uid in UInt32(0)..<40 { book.note(.favorites, of: uid, at: Self.now(Int(uid))) }
        #expect(book.looks(within: 600, at: Self.now(40)).map(\.uid) == (24..<40).reversed())
    }
}
