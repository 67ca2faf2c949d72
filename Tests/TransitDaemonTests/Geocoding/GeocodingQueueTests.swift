import Testing
import TransitModel

@testable import TransitDaemon
@testable import TransitFeeds

@Suite struct GeocodingQueueTests {
    private func reading(_ milliseconds: Int64) -> ClockReading {
        ClockReading(
            wall: Instant(secondsSince1970: milliseconds / 1000), boot: BootTime(milliseconds: milliseconds))
    }

    private func boot(_ milliseconds: Int64) -> BootTime { BootTime(milliseconds: milliseconds) }

    private func query(_ text: String) -> GeocodingQuery {
        let geocoder = Geocoder(kind: .photon, url: "https://photon.example")
        return GeocodingQuery(geocoder: geocoder, request: geocoder.request(text))
    }

    private let found: [GeocodedAddress] =
        Coordinate(latitude: 54, longitude: 10).map {
            [GeocodedAddress(name: "Mill Lane", coordinate: $0)]
        } ?? []

    private func expect<Value: Equatable>(
        _ value: Value, _ expected: Value, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(value == expected, sourceLocation: location)
    }

    @Test func requestsAreOneSecondApart() {
        var plan = GeocodingQueue()
        for number in 0..<3 {
            expect(plan.enter(UInt64(number), query("\(number)"), at: reading(0)), .waits)
        }
        expect(plan.step(at: boot(0)), .ask(query("0")))
        // Only one request is in flight at a time, however long it takes.
        expect(plan.step(at: boot(5000)), .idle)
        expect(plan.end(.found(found), at: reading(100)), [0])
        expect(plan.step(at: boot(100)), .wait(until: boot(1000)))
        expect(plan.step(at: boot(999)), .wait(until: boot(1000)))
        expect(plan.step(at: boot(1000)), .ask(query("1")))
        expect(plan.end(.failed, at: reading(4000)), [1])
        expect(plan.step(at: boot(4000)), .ask(query("2")))
        expect(plan.end(.found([]), at: reading(4100)), [2])
        expect(plan.step(at: boot(9000)), .idle)
    }

    @Test func spacingIsInRealSeconds() {
        var plan = GeocodingQueue(rate: 60)
        _ = plan.enter(1, query("a"), at: reading(0))
        _ = plan.enter(2, query("b"), at: reading(0))
        _ = plan.step(at: boot(0))
        _ = plan.end(.found(found), at: reading(10))
        expect(plan.step(at: boot(59_000)), .wait(until: boot(60_000)))
    }

    @Test func equalQueriesShareOneRequest() {
        var plan = GeocodingQueue()
        expect(plan.enter(1, query("a"), at: reading(0)), .waits)
        expect(plan.enter(2, query("a"), at: reading(0)), .waits)
        expect(plan.step(at: boot(0)), .ask(query("a")))
        expect(plan.enter(3, query("a"), at: reading(10)), .waits)
        expect(plan.end(.found(found), at: reading(20)), [1, 2, 3])
        expect(plan.step(at: boot(5000)), .idle)
        // The result is cached for a week.
        expect(plan.enter(4, query("a"), at: reading(6_000)), .known(found))
        let week: Int64 = 7 * 86_400_000
        expect(plan.enter(5, query("a"), at: reading(20 + week)), .waits)
    }

    @Test func abandonedQueryIsDropped() {
        var plan = GeocodingQueue()
        for (waiterID, text) in [(1, "m"), (2, "mi"), (3, "mil")] {
            _ = plan.enter(UInt64(waiterID), query(text), at: reading(0))
        }
        expect(plan.leave(1), false)
        expect(plan.leave(2), false)
        expect(plan.step(at: boot(0)), .ask(query("mil")))
        // One of the two waiting requests remains.
        expect(plan.enter(4, query("mil"), at: reading(1)), .waits)
        expect(plan.leave(3), false)
        expect(plan.leave(4), true)
        // A query that arrives during the cancellation does not get the canceled outcome.
        expect(plan.enter(5, query("mil"), at: reading(2)), .waits)
        expect(plan.end(.failed, at: reading(3)), [])
        expect(plan.step(at: boot(1000)), .ask(query("mil")))
        expect(plan.end(.found(found), at: reading(1100)), [5])
    }

    @Test func queryBeyondMaximumIsRefused() {
        var plan = GeocodingQueue()
        for number in 0..<GeocodingQueue.maximumWaiting {
            expect(plan.enter(UInt64(number), query("\(number)"), at: reading(0)), .waits)
        }
        expect(plan.enter(99, query("more"), at: reading(0)), .refused(.tooMany))
        expect(plan.enter(100, query("3"), at: reading(0)), .waits)
    }

    @Test func overloadedGeocoderIsBackedOff() {
        var plan = GeocodingQueue()
        _ = plan.enter(1, query("a"), at: reading(0))
        _ = plan.enter(2, query("b"), at: reading(0))
        _ = plan.step(at: boot(0))
        expect(plan.end(.overloaded(seconds: 30), at: reading(100)), [1, 2])
        expect(plan.step(at: boot(100)), .idle)
        expect(plan.enter(3, query("c"), at: reading(1_100)), .refused(.backingOff(seconds: 29)))
        expect(plan.enter(4, query("c"), at: reading(30_100)), .waits)
        expect(plan.step(at: boot(30_100)), .ask(query("c")))
    }

    @Test func oldestResultIsDroppedBeyondMaximum() {
        var plan = GeocodingQueue()
        for number in 0...GeocodingQueue.maximumAnswers {
            let now = Int64(number) * 1000
            _ = plan.enter(UInt64(number), query("\(number)"), at: reading(now))
            expect(plan.step(at: boot(now)), .ask(query("\(number)")))
            _ = plan.end(.found(found), at: reading(now))
        }
        let now = Int64(GeocodingQueue.maximumAnswers) * 1000
        expect(plan.enter(1000, query("1"), at: reading(now)), .known(found))
        expect(plan.enter(1001, query("0"), at: reading(now)), .waits)
    }
}
