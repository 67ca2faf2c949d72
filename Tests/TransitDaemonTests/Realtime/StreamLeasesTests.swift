import Testing
import TransitModel

@testable import TransitDaemon

@Suite("Live connections: when they are held")
struct StreamLeasesTests {
    private let vehicles = DatasetID("warsaw", .vehicles)

    @Test("it begins with the first order that somebody waits for, and only once") func beginning() {
        var book = StreamLeases()
        let answer1 = book.ordered(vehicles, isWanted: false, now: 0)
        #expect(answer1 == .init(mustFetch: true, begins: false))
        let answer2 = book.isWanted(vehicles, now: 0)
        #expect(!answer2)
        let answer3 = book.ordered(vehicles, isWanted: true, now: 1)
        #expect(answer3 == .init(mustFetch: true, begins: true))
        let answer4 = book.ordered(vehicles, isWanted: true, now: 2)
        #expect(answer4 == .init(mustFetch: true, begins: false))
        let answer5 = book.isWanted(vehicles, now: 120_001)
        #expect(answer5)
    }

    @Test("while it tells, the whole is asked for every two minutes; when it ends, at once") func asking() {
        var book = StreamLeases()
        _ = book.ordered(vehicles, isWanted: true, now: 0)
        book.received(vehicles)
        #expect(book.isDelivering(vehicles))
        let answer6 = book.ordered(vehicles, isWanted: true, now: 20_000)
        #expect(!answer6.mustFetch)
        let answer7 = book.ordered(vehicles, isWanted: true, now: 120_000)
        #expect(answer7.mustFetch)
        let answer8 = book.ordered(vehicles, isWanted: true, now: 140_000)
        #expect(!answer8.mustFetch)
        let answer9 = book.ended(vehicles)
        #expect(answer9 == 1)
        let answer10 = book.ordered(vehicles, isWanted: true, now: 141_000)
        #expect(answer10.mustFetch)
    }

    @Test("failures are counted until something is told") func failures() {
        var book = StreamLeases()
        _ = book.ordered(vehicles, isWanted: true, now: 0)
        let answer11 = book.ended(vehicles)
        #expect(answer11 == 1)
        let answer12 = book.ended(vehicles)
        #expect(answer12 == 2)
        book.received(vehicles)
        let answer13 = book.ended(vehicles)
        #expect(answer13 == 1)
    }

    @Test("two minutes after the last order it is let go, and begins anew with the next") func lease() {
        var book = StreamLeases()
        _ = book.ordered(vehicles, isWanted: true, now: 0)
        book.received(vehicles)
        // An order that nobody waits for does not keep it.
        _ = book.ordered(vehicles, isWanted: false, now: 100_000)
        let answer14 = book.isWanted(vehicles, now: 119_999)
        #expect(answer14)
        let answer15 = book.isWanted(vehicles, now: 120_000)
        #expect(!answer15)
        #expect(!book.isDelivering(vehicles))
        let answer16 = book.ordered(vehicles, isWanted: true, now: 130_000)
        #expect(answer16.begins)
    }

    @Test("what is no more is forgotten") func dropping() {
        var book = StreamLeases()
        _ = book.ordered(vehicles, isWanted: true, now: 0)
        book.drop(vehicles)
        book.received(vehicles)
        #expect(!book.isDelivering(vehicles))
        #expect(book.leasedUntil(vehicles) == nil)
    }
}
