import Testing
internal import TransitModel

@testable import TransitEngine

struct DelaySketchTests {
    /// The first day of a period of six weeks.
    private static let firstDay = 490 * 42

    private func sketch(_ delays: [Int], on day: Int = firstDay) -> DelaySketch<UInt8> {
        var sketch = DelaySketch<UInt8>()
        for delay in delays { sketch.add(delay, on: day) }
        return sketch
    }

    @Test func quantilesAreThoseOfTheDelays() throws {
        let distribution = DelayDistribution(sketch(Array(stride(from: 0, through: 200, by: 10))))
        let median = try #require(distribution.quantile(500))
        #expect((90...110).contains(median))
        let (low, high) = (try #require(distribution.quantile(100)), try #require(distribution.quantile(900)))
        #expect((8...32).contains(low))
        #expect((170...200).contains(high))
    }

    @Test func evidenceCountsHalfAfterSixWeeks() {
        var sketch = sketch([100, 100], on: Self.firstDay)
        let before = sketch.total
        sketch.add(0, on: Self.firstDay + 42)
        #expect(before == 8)
        // Two old observations count as much as one new one.
        #expect(sketch.total == 4 + 4)
    }

    @Test func veryOldEvidenceIsForgotten() {
        var sketch = sketch([100])
        sketch.add(0, on: Self.firstDay + 42 * 5)
        #expect(sketch.total == 4)
        #expect(sketch.total(on: Self.firstDay + 42 * 9) == 0)
    }

    @Test func aFullHistogramForgetsRatherThanStops() throws {
        var sketch = sketch(Array(repeating: 0, count: 500))
        for _ in 0..<200 { sketch.add(600, on: Self.firstDay) }
        // The newer delays outweigh the older ones.
        #expect(try #require(DelayDistribution(sketch).quantile(500)) >= 600)
    }

    @Test func noEvidenceHasNoQuantile() {
        #expect(DelayDistribution().quantile(500) == nil)
        #expect(DelayDistribution().share(from: nil, to: nil) == 0)
    }

    @Test func sharesAddUp() {
        let distribution = DelayDistribution(sketch([-500, -20, 0, 0, 30, 100, 200, 400, 1000, 3000]))
        let ends: [Int?] = [-60, 60, 180, 360, 900, nil]
        let shares = zip([nil] + ends, ends).map { distribution.share(from: $0, to: $1) }
        #expect((98...102).contains(shares.reduce(0, +)))
        #expect(shares[0] == 10)
        // The delay of 1000 s is somewhere in its bin, which begins before 900 s.
        #expect((15...20).contains(shares[5]))
    }

    @Test(arguments: [-5000, -900, -899, -8, 0, 7, 8, 1799, 1800, 90_000])
    func eachDelayIsInItsBin(delay: Int) {
        let bin = DelayBins.bin(of: delay)
        if bin > 0 { #expect(delay >= DelayBins.edges[bin - 1]) }
        if bin < DelayBins.edges.count { #expect(delay < DelayBins.edges[bin]) }
    }
}

struct DayKindTests {
    private func service(_ weekdays: UInt8, added: [String] = [], removed: [String] = []) -> Service {
        Service(
            id: "s", weekdays: weekdays, start: ServiceDate(iso8601: "2026-01-01")!,
            end: ServiceDate(iso8601: "2026-12-31")!, added: added.compactMap { ServiceDate(iso8601: $0) },
            removed: removed.compactMap { ServiceDate(iso8601: $0) })
    }

    private func kind(_ service: Service, _ date: String) -> DayKind {
        service.dayKind(on: ServiceDate(iso8601: date)!)
    }

    @Test func regularDaysAreOfTheirWeekday() {
        let daily = service(0b111_1111)
        #expect(kind(daily, "2026-06-10") == .weekday)
        #expect(kind(daily, "2026-06-13") == .saturday)
        #expect(kind(daily, "2026-06-14") == .sunday)
    }

    @Test func holidayWithSundayServiceIsAnException() {
        let sunday = service(0b100_0000, added: ["2026-05-25"])
        #expect(kind(sunday, "2026-05-24") == .sunday)
        #expect(kind(sunday, "2026-05-25") == .exception)
        #expect(sunday.dayKinds == [.sunday, .exception])
    }

    @Test func listedDatesAreRegularWhereTheyAreMany() {
        let first = ServiceDate(iso8601: "2026-03-02")!
        // Twelve Sundays and one Monday.
        let sundays = (0..<12).map { first.advanced(by: 6 + 7 * $0) }
        let listed = Service(
            id: "s", weekdays: 0, start: first, end: first,
            added: (sundays + [ServiceDate(iso8601: "2026-05-25")!]).sorted())
        #expect(listed.dayKind(on: sundays[3]) == .sunday)
        #expect(kind(listed, "2026-05-25") == .exception)
        let daily = Service(
            id: "d", weekdays: 0, start: first, end: first, added: (0..<60).map { first.advanced(by: $0) })
        #expect(daily.dayKind(on: first.advanced(by: 5)) == .saturday)
        #expect(daily.dayKind(on: first.advanced(by: 6)) == .sunday)
        #expect(daily.dayKind(on: first.advanced(by: 7)) == .weekday)
    }
}
