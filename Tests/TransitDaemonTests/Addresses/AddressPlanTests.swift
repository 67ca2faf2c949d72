import Testing
import TransitFeeds
import TransitModel

@testable import TransitDaemon

@Suite struct AddressPlanTests {
    private func reading(_ milliseconds: Int64) -> ClockReading {
        ClockReading(
            wall: Instant(secondsSince1970: milliseconds / 1000), boot: BootTime(milliseconds: milliseconds))
    }

    private func boot(_ milliseconds: Int64) -> BootTime { BootTime(milliseconds: milliseconds) }

    private func question(_ text: String) -> AddressQuestion {
        let geocoder = Geocoder(kind: .photon, url: "https://photon.example")
        return AddressQuestion(geocoder: geocoder, request: geocoder.request(text))
    }

    private let found: [FoundAddress] =
        Coordinate(latitude: 54, longitude: 10).map {
            [FoundAddress(name: "Mill Lane", coordinate: $0)]
        } ?? []

    private func expect<Value: Equatable>(
        _ value: Value, _ expected: Value, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(value == expected, sourceLocation: location)
    }

    @Test func atMostOneASecondHoweverManyAsk() {
        var plan = AddressPlan()
        for number in 0..<3 {
            expect(plan.enter(UInt64(number), question("\(number)"), at: reading(0)), .waits)
        }
        expect(plan.step(at: boot(0)), .ask(question("0")))
        // While one is asked no other is, however long it takes.
        expect(plan.step(at: boot(5000)), .rest)
        expect(plan.end(.found(found), at: reading(100)), [0])
        expect(plan.step(at: boot(100)), .wait(until: boot(1000)))
        expect(plan.step(at: boot(999)), .wait(until: boot(1000)))
        expect(plan.step(at: boot(1000)), .ask(question("1")))
        expect(plan.end(.failed, at: reading(4000)), [1])
        expect(plan.step(at: boot(4000)), .ask(question("2")))
        expect(plan.end(.found([]), at: reading(4100)), [2])
        expect(plan.step(at: boot(9000)), .rest)
    }

    @Test func aFastClockDoesNotHurryTheGeocoder() {
        var plan = AddressPlan(rate: 60)
        _ = plan.enter(1, question("a"), at: reading(0))
        _ = plan.enter(2, question("b"), at: reading(0))
        _ = plan.step(at: boot(0))
        _ = plan.end(.found(found), at: reading(10))
        expect(plan.step(at: boot(59_000)), .wait(until: boot(60_000)))
    }

    @Test func theSameQuestionIsAskedOnce() {
        var plan = AddressPlan()
        expect(plan.enter(1, question("a"), at: reading(0)), .waits)
        expect(plan.enter(2, question("a"), at: reading(0)), .waits)
        expect(plan.step(at: boot(0)), .ask(question("a")))
        expect(plan.enter(3, question("a"), at: reading(10)), .waits)
        expect(plan.end(.found(found), at: reading(20)), [1, 2, 3])
        expect(plan.step(at: boot(5000)), .rest)
        // And not again for a week.
        expect(plan.enter(4, question("a"), at: reading(6_000)), .known(found))
        let week: Int64 = 7 * 86_400_000
        expect(plan.enter(5, question("a"), at: reading(20 + week)), .waits)
    }

    @Test func whatNobodyWantsToKnowAnyMoreIsNotAsked() {
        var plan = AddressPlan()
        for (asker, text) in [(1, "m"), (2, "mi"), (3, "mil")] {
            _ = plan.enter(UInt64(asker), question(text), at: reading(0))
        }
        expect(plan.leave(1), false)
        expect(plan.leave(2), false)
        expect(plan.step(at: boot(0)), .ask(question("mil")))
        // One of two goes: somebody still waits for it.
        expect(plan.enter(4, question("mil"), at: reading(1)), .waits)
        expect(plan.leave(3), false)
        expect(plan.leave(4), true)
        // Who comes while it is given up does not get the answer of a request that is being cancelled.
        expect(plan.enter(5, question("mil"), at: reading(2)), .waits)
        expect(plan.end(.failed, at: reading(3)), [])
        expect(plan.step(at: boot(1000)), .ask(question("mil")))
        expect(plan.end(.found(found), at: reading(1100)), [5])
    }

    @Test func whoWouldWaitForLongIsToldSo() {
        var plan = AddressPlan()
        for number in 0..<AddressPlan.mostWaiting {
            expect(plan.enter(UInt64(number), question("\(number)"), at: reading(0)), .waits)
        }
        expect(plan.enter(99, question("more"), at: reading(0)), .refused(.tooMany))
        expect(plan.enter(100, question("3"), at: reading(0)), .waits)
    }

    @Test func aGeocoderThatWantsToBeLeftAloneIs() {
        var plan = AddressPlan()
        _ = plan.enter(1, question("a"), at: reading(0))
        _ = plan.enter(2, question("b"), at: reading(0))
        _ = plan.step(at: boot(0))
        expect(plan.end(.overloaded(seconds: 30), at: reading(100)), [1, 2])
        expect(plan.step(at: boot(100)), .rest)
        expect(plan.enter(3, question("c"), at: reading(1_100)), .refused(.leftAlone(seconds: 29)))
        expect(plan.enter(4, question("c"), at: reading(30_100)), .waits)
        expect(plan.step(at: boot(30_100)), .ask(question("c")))
    }

    @Test func theOldestAnswerMakesRoom() {
        var plan = AddressPlan()
        for number in 0...AddressPlan.mostAnswers {
            let now = Int64(number) * 1000
            _ = plan.enter(UInt64(number), question("\(number)"), at: reading(now))
            expect(plan.step(at: boot(now)), .ask(question("\(number)")))
            _ = plan.end(.found(found), at: reading(now))
        }
        let now = Int64(AddressPlan.mostAnswers) * 1000
        expect(plan.enter(1000, question("1"), at: reading(now)), .known(found))
        expect(plan.enter(1001, question("0"), at: reading(now)), .waits)
    }
}
