import Testing
internal import TransitEngine
internal import TransitModel

/// Two feeds of one agency about one stop.
struct ReconciliationTests {
    private func says(
        _ route: String, _ minutes: Double, _ source: ExpectedCall.Source,
        _ confidence: ExpectedCall.Confidence = .medium
    ) -> DepartureTestimony {
        DepartureTestimony(
            route: route, departure: Instant(secondsSince1970: Int64(minutes * 60)), source: source,
            confidence: confidence)
    }

    private func lines(_ first: [DepartureTestimony], _ second: [DepartureTestimony]) -> [String] {
        Reconciliation.reconcile(first, second).map { entry in
            let numbers = [entry.first, entry.second].map { $0.map { "\($0)" } ?? "-" }
            return "\(numbers[0])\(numbers[1]) \(entry.isFirstShown ? "first" : "second") \(entry.confidence)"
        }
    }

    @Test func `what agrees is listed once, by the better source, and more surely`() {
        #expect(lines([says("24", 10, .estimated)], [says("24", 12, .live, .high)]) == ["00 second high"])
        #expect(lines([says("24", 10, .estimated)], [says("24", 11, .scheduled)]) == ["00 first high"])
        #expect(lines([says("24", 10, .estimated, .low)], [says("24", 11, .scheduled)]) == ["00 first medium"])
        #expect(lines([says("24", 10, .estimated)], [says("24", 10, .live, .medium)]) == ["00 second high"])
    }

    @Test func `one that is late by its timetable is the same, and not more sure for it`() {
        #expect(lines([says("24", 18, .estimated)], [says("24", 10, .scheduled)]) == ["00 first medium"])
        #expect(
            lines([says("24", 21, .estimated)], [says("24", 10, .scheduled)]) == [
                "-0 second medium", "0- first medium",
            ])
        // Hardly earlier.
        #expect(
            lines([says("24", 10, .scheduled)], [says("24", 6, .estimated)]) == ["-0 second medium", "0- first medium"])
    }

    @Test func `other routes and other times are other departures`() {
        #expect(
            lines([says("24", 10, .estimated)], [says("25", 10, .live)]) == ["0- first medium", "-0 second medium"])
        #expect(
            lines([says("24", 10, .estimated)], [says("24", 14, .live)]) == ["0- first medium", "-0 second medium"])
        #expect(lines([], [says("24", 10, .live)]) == ["-0 second medium"])
        #expect(lines([], []).isEmpty)
    }

    @Test func `each has one partner, the nearest`() {
        let first = [says("24", 10, .estimated), says("24", 20, .estimated)]
        let second = [says("24", 8, .scheduled), says("24", 18, .scheduled), says("24", 28, .scheduled)]
        #expect(lines(first, second) == ["00 first high", "11 first high", "-2 second medium"])
    }

    @Test func `times at the ends of the numbers do no harm`() {
        let ends = [Int64.min, .max].map {
            DepartureTestimony(
                route: "24", departure: Instant(secondsSince1970: $0), source: .live, confidence: .low)
        }
        #expect(Reconciliation.reconcile(ends, ends.reversed()).count == 2)
    }
}
