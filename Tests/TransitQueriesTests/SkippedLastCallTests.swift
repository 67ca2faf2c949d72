import Testing
import TransitEngine
import TransitModel
import TransitTestSupport

@testable import TransitQueries

/// Trips that skip their last call. Bus `b1` leaves the harbor at 08:00 and ends at 08:20.
struct SkippedLastCallTests {
    private let fixture: QueryFixture

    init() throws {
        fixture = try QueryFixture()
        // The bus is 15 minutes late and ends at Market Square, at 08:23, instead of the station, at 08:20.
        fixture.now = try #require(Instant(rfc3339: "2026-03-27T08:21:00+01:00"))
        try fixture.receive(
            [
                TripUpdate(
                    id: "b1", trip: TripDescriptor(tripID: "b1", startDate: ServiceDate(iso8601: "2026-03-27")),
                    updates: [
                        StopTimeUpdate(stopID: "market", departure: StopTimeEvent(delay: 900)),
                        StopTimeUpdate(stopID: "central:1", relationship: .skipped),
                    ])
            ], of: "city")
    }

    private func result(date: String? = nil) throws -> TripResult {
        try TripQuery("b1", date: date.flatMap { ServiceDate(iso8601: $0) }, feed: nil, fixture.context).result(
            fixture.context)
    }

    @Test func lateTripIsStillTodaysAfterItsPlannedEnd() throws {
        let result = try result()
        #expect(result.date.description == "2026-03-27", "the bus has not reached its new terminus")
        #expect(result.summary?.status == .scheduled)
    }

    @Test func tripIsOverAfterTheLastCallThatItServes() throws {
        fixture.now = try #require(Instant(rfc3339: "2026-03-27T08:25:00+01:00"))
        #expect(try result(date: "2026-03-27").summary?.status == .departed)
        // The next one runs on Monday.
        #expect(try result().date.description == "2026-03-30")
    }
}
