import Testing
import TransitModel

@testable import TransitDaemon

@Suite("Live connections: when they are held")
struct StreamBookTests {
    private let vehicles = DatasetID("warsaw", .vehicles)

    @Test("it begins with the first order that somebody waits for, and only once") func beginning() {
        var book = StreamBook()
        let answer1 = book.ordered(vehicles, isWanted: false, now: 0)
        #expect(answer1 == .init(asks: true, begins: false))
        let answer2 = book.isWanted(vehicles, now: 0)
        #expect(!answer2)
        let answer3 = book.ordered(vehicles, isWanted: true, now: 1)
        #expect(answer3 == .init(asks: true, begins: true))
        let answer4 = book.ordered(vehicles, isWanted: true, now: 2)
        #expect(answer4 == .init(asks: true, begins: false))
        let answer5 = book.isWanted(vehicles, now: 120_001)
        #expect(answer5)
    }

    @Test("while it tells, the whole is asked for every two minutes; when it ends, at once") func asking() {
        var book = StreamBook()
        _ = book.ordered(vehicles, isWanted: true, now: 0)
        book.told(vehicles)
        #expect(book.isTelling(vehicles))
        let answer6 = book.ordered(vehicles, isWanted: true, now: 20_000)
        #expect(!answer6.asks)
        let answer7 = book.ordered(vehicles, isWanted: true, now: 120_000)
        #expect(answer7.asks)
        let answer8 = book.ordered(vehicles, isWanted: true, now: 140_000)
        #expect(!answer8.asks)
        let answer9 = book.ended(vehicles)
        #expect(answer9 == 1)
        let answer10 = book.ordered(vehicles, isWanted: true, now: 141_000)
        #expect(answer10.asks)
    }

    @Test("failures are counted until something is told") func failures() {
        var book = StreamBook()
        _ = book.ordered(vehicles, isWanted: true, now: 0)
        let answer11 = book.ended(vehicles)
        #expect(answer11 == 1)
        let answer12 = book.ended(vehicles)
        #expect(answer12 == 2)
        book.told(vehicles)
        let answer13 = book.ended(vehicles)
        #expect(answer13 == 1)
    }

    @Test("two minutes after the last order it is let go, and begins anew with the next") func lease() {
        var book = StreamBook()
        _ = book.ordered(vehicles, isWanted: true, now: 0)
        book.told(vehicles)
        // An order that nobody waits for does not keep it.
        _ = book.ordered(vehicles, isWanted: false, now: 100_000)
        let answer14 = book.isWanted(vehicles, now: 119_999)
        #expect(answer14)
        let answer15 = book.isWanted(vehicles, now: 120_000)
        #expect(!answer15)
        #expect(!book.isTelling(vehicles))
        let answer16 = book.ordered(vehicles, isWanted: true, now: 130_000)
        #expect(answer16.begins)
    }

    @Test("what is no more is forgotten") func dropping() {
        var book = StreamBook()
        _ = book.ordered(vehicles, isWanted: true, now: 0)
        book.drop(vehicles)
        book.told(vehicles)
        #expect(!book.isTelling(vehicles))
        #expect(book.wantedUntil(vehicles) == nil)
    }
}
