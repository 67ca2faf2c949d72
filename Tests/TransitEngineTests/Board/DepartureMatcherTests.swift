import Testing
internal import TransitModel

@testable import TransitEngine

/// Two feeds of one agency about one stop.
struct DepartureMatcherTests {
    private func says(
        _ route: String, _ minutes: Double, _ source: ExpectedCall.Source,
        _ confidence: ExpectedCall.Confidence = .medium, to headsign: String? = nil, direction: Direction? = nil,
        at place: Int = 0, runs: Bool = true, planned: Double? = nil, isLastKnown: Bool = false
    ) -> MatchCandidate {
        MatchCandidate(
            place: StopIndex(place), route: route, headsign: headsign, direction: direction,
            planned: planned.map { Instant(secondsSince1970: Int64($0 * 60)) },
            departure: Instant(secondsSince1970: Int64(minutes * 60)), source: source, isRunning: runs,
            confidence: confidence, isLastKnown: isLastKnown)
    }

    @Test func `the last word of a silent source counts less than what is current, and more than a plan`() {
        let last = says("24", 14, .live, .low, isLastKnown: true)
        #expect(lines([last], [says("24", 10, .estimated)]) == ["00 second medium differs -240"])
        #expect(lines([last], [says("24", 10, .scheduled)]) == ["00 first low differs -240"])
        // A plan, or another last word, makes it no surer.
        #expect(lines([last], [says("24", 13, .scheduled)]) == ["00 first low agrees -60"])
        #expect(lines([last], [last]) == ["00 first low agrees 0"])
        #expect(lines([last], [says("24", 13, .live, .medium)]) == ["00 second high agrees -60"])
    }

    @Test func lastKnownCancellationYieldsToPredictionAlone() {
        let canceled = says("24", 10, .live, .low, runs: false, isLastKnown: true)
        #expect(lines([canceled], [says("24", 10, .scheduled)]) == ["00 first low differs 0"])
        #expect(lines([canceled], [says("24", 10, .estimated)]) == ["00 first low differs 0"])
        // Only one of both is right.
        #expect(lines([canceled], [says("24", 10, .live, .high)]) == ["00 second medium differs 0"])
        #expect(lines([says("24", 10, .live, .high)], [canceled]) == ["00 first medium differs 0"])
    }

    private func lines(_ first: [MatchCandidate], _ second: [MatchCandidate]) -> [String] {
        DepartureMatcher.reconcile(first, second).map { entry in
            let numbers = [entry.first, entry.second].map { $0.map { "\($0)" } ?? "-" }
            let words = entry.difference.map { " \(entry.isAgreed ? "agrees" : "differs") \($0)" } ?? ""
            return "\(numbers[0])\(numbers[1]) \(entry.isFirstShown ? "first" : "second") \(entry.confidence)\(words)"
        }
    }

    @Test func `what agrees is listed once, by the better source, and more surely`() {
        #expect(
            lines([says("24", 10, .estimated)], [says("24", 12, .live, .high)]) == ["00 second high agrees 120"])
        #expect(lines([says("24", 10, .estimated)], [says("24", 11, .scheduled)]) == ["00 first high agrees 60"])
        #expect(
            lines([says("24", 10, .estimated, .low)], [says("24", 11, .scheduled)]) == ["00 first medium agrees 60"])
        #expect(lines([says("24", 10, .estimated)], [says("24", 10, .live, .medium)]) == ["00 second high agrees 0"])
    }

    @Test func `a plan that is told twice is no surer`() {
        #expect(lines([says("24", 10, .scheduled)], [says("24", 10, .scheduled)]) == ["00 first medium agrees 0"])
        #expect(
            lines([says("24", 10, .live, runs: false)], [says("24", 10, .live, runs: false)]) == [
                "00 first high agrees 0"
            ])
    }

    @Test func `one that is late by its timetable is the same, and not more sure for it`() {
        #expect(lines([says("24", 18, .estimated)], [says("24", 10, .scheduled)]) == ["00 first medium differs -480"])
        #expect(
            lines([says("24", 21, .estimated)], [says("24", 10, .scheduled)]) == [
                "-0 second medium", "0- first medium",
            ])
        // Hardly earlier.
        #expect(
            lines([says("24", 10, .scheduled)], [says("24", 6, .estimated)]) == ["-0 second medium", "0- first medium"])
    }

    @Test(arguments: [-300, 840, 1200])
    func `what was planned for the same time is the same, however late it is`(delay: Int) {
        let seen = says("24", 10 + Double(delay) / 60, .live, planned: 10)
        #expect(lines([says("24", 10, .scheduled, planned: 10)], [seen]) == ["00 second medium differs \(delay)"])
        #expect(lines([seen], [says("24", 10, .scheduled, planned: 10)]) == ["00 first medium differs \(-delay)"])
    }

    @Test func `plans count more than how near two times are`() {
        let plans = [says("24", 10, .scheduled, planned: 10), says("24", 20, .scheduled, planned: 20)]
        #expect(
            lines(plans, [says("24", 20, .live, planned: 10), says("24", 21, .live, planned: 20)]) == [
                "00 second medium differs 600", "11 second high agrees 60",
            ])
        #expect(
            lines([says("24", 20, .live, planned: 10)], [says("24", 20, .scheduled, planned: 20)]) == [
                "0- first medium", "-0 second medium",
            ])
    }

    @Test func `two that are seen and differ are one departure that is disputed`() {
        #expect(lines([says("24", 10, .live, .high)], [says("24", 14, .estimated)]) == ["00 first high differs 240"])
        #expect(
            lines([says("24", 10, .live, .medium)], [says("24", 3, .estimated)]) == ["00 first medium differs -420"])
        #expect(
            lines([says("24", 10, .live)], [says("24", 20.5, .estimated)]) == ["0- first medium", "-0 second medium"])
    }

    @Test func `what does not run for one and is seen by the other is disputed, not confirmed`() {
        #expect(
            lines([says("24", 10, .live, .high, runs: false)], [says("24", 11, .estimated)]) == [
                "00 first medium differs 60"
            ])
        // Nor is it taken for the one after it.
        #expect(
            lines(
                [says("24", 10, .live, .high, runs: false), says("24", 20, .scheduled)], [says("24", 19, .estimated)])
                == ["0- first high", "10 second high agrees -60"])
    }

    @Test func `other routes, other places and other times are other departures`() {
        let apart = ["0- first medium", "-0 second medium"]
        #expect(lines([says("24", 10, .estimated)], [says("25", 10, .live)]) == apart)
        #expect(lines([says("24", 10, .estimated)], [says("24", 10, .live, at: 1)]) == apart)
        #expect(lines([says("24", 10, .scheduled)], [says("24", 14, .scheduled)]) == apart)
        #expect(lines([], [says("24", 10, .live)]) == ["-0 second medium"])
        #expect(lines([], []).isEmpty)
        #expect(lines([says("24b", 10, .estimated)], [says("24B", 10, .live)]) == ["00 second high agrees 0"])
    }

    @Test(
        arguments: [
            ("Piața Gării", "P-ta Garii", true), ("Piața Gării", "Piata Unirii", false), ("Forest", "forest", true),
            ("Str. Bucium", "Bucium", true), ("A", "B", false), ("Forest", "", true), ("Forest", nil, true),
        ] as [(String, String?, Bool)])
    func `headsigns say whether it is the same way`(one: String, other: String?, isSame: Bool) {
        let entries = DepartureMatcher.reconcile(
            [says("24", 10, .scheduled, to: one)], [says("24", 11, .estimated, to: other)])
        #expect(entries.count == (isSame ? 1 : 2))
    }

    @Test func `directions decide where a headsign is not known`() {
        func count(_ one: MatchCandidate, _ other: MatchCandidate) -> Int {
            DepartureMatcher.reconcile([one], [other]).count
        }
        let there = says("24", 10, .scheduled, to: "Forest", direction: .zero)
        #expect(count(there, says("24", 10, .live, direction: .zero)) == 1)
        #expect(count(there, says("24", 10, .live, direction: .one)) == 2)
        // Each feed numbers its directions itself.
        #expect(count(there, says("24", 10, .live, to: "Forest", direction: .one)) == 1)
    }

    @Test func `each has one partner, the nearest`() {
        let first = [says("24", 10, .estimated), says("24", 20, .estimated)]
        let second = [says("24", 8, .scheduled), says("24", 18, .scheduled), says("24", 28, .scheduled)]
        #expect(
            lines(first, second) == ["00 first high agrees -120", "11 first high agrees -120", "-2 second medium"])
    }

    @Test func `times at the ends of the numbers do no harm`() {
        let ends = [Int64.min, .max].map {
            MatchCandidate(
                place: StopIndex(0), route: "24", departure: Instant(secondsSince1970: $0), source: .live,
                confidence: .low)
        }
        #expect(DepartureMatcher.reconcile(ends, ends.reversed()).count == 2)
    }
}
