import Testing
internal import TransitModel

@testable import TransitEngine

/// Departures at one stop from two feeds of the same agency.
struct DeparturePairingTests {
    private func candidate(
        _ route: String, _ minutes: Double, _ source: ExpectedCall.Source,
        _ confidence: ExpectedCall.Confidence = .medium, to headsign: String? = nil, direction: Direction? = nil,
        at place: Int = 0, runs: Bool = true, planned: Double? = nil, isLastKnown: Bool = false
    ) -> PairingCandidate {
        PairingCandidate(
            stopIndex: StopIndex(place), route: route, headsign: headsign, direction: direction,
            planned: planned.map { Instant(secondsSince1970: Int64($0 * 60)) },
            departure: Instant(secondsSince1970: Int64(minutes * 60)), source: source, isRunning: runs,
            confidence: confidence, isLastKnown: isLastKnown)
    }

    @Test func lastKnownPredictionRanksBetweenCurrentDataAndPlan() {
        let last = candidate("24", 14, .live, .low, isLastKnown: true)
        #expect(lines([last], [candidate("24", 10, .estimated)]) == ["00 second medium differs -240"])
        #expect(lines([last], [candidate("24", 10, .scheduled)]) == ["00 first low differs -240"])
        // A plan or another last known prediction does not raise the confidence.
        #expect(lines([last], [candidate("24", 13, .scheduled)]) == ["00 first low agrees -60"])
        #expect(lines([last], [last]) == ["00 first low agrees 0"])
        #expect(lines([last], [candidate("24", 13, .live, .medium)]) == ["00 second high agrees -60"])
    }

    @Test func lastKnownCancellationYieldsOnlyToPrediction() {
        let canceled = candidate("24", 10, .live, .low, runs: false, isLastKnown: true)
        #expect(lines([canceled], [candidate("24", 10, .scheduled)]) == ["00 first low differs 0"])
        #expect(lines([canceled], [candidate("24", 10, .estimated)]) == ["00 first low differs 0"])
        // Only one of the two feeds can be right.
        #expect(lines([canceled], [candidate("24", 10, .live, .high)]) == ["00 second medium differs 0"])
        #expect(lines([candidate("24", 10, .live, .high)], [canceled]) == ["00 first medium differs 0"])
    }

    private func lines(_ first: [PairingCandidate], _ second: [PairingCandidate]) -> [String] {
        DeparturePairing.reconcile(first, second).map { entry in
            let numbers = [entry.first, entry.second].map { $0.map { "\($0)" } ?? "-" }
            let words = entry.difference.map { " \(entry.isAgreed ? "agrees" : "differs") \($0)" } ?? ""
            return "\(numbers[0])\(numbers[1]) \(entry.isFirstShown ? "first" : "second") \(entry.confidence)\(words)"
        }
    }

    @Test func agreeingDeparturesAreMergedWithHigherConfidence() {
        #expect(
            lines([candidate("24", 10, .estimated)], [candidate("24", 12, .live, .high)]) == [
                "00 second high agrees 120"
            ])
        #expect(
            lines([candidate("24", 10, .estimated)], [candidate("24", 11, .scheduled)]) == ["00 first high agrees 60"])
        #expect(
            lines([candidate("24", 10, .estimated, .low)], [candidate("24", 11, .scheduled)]) == [
                "00 first medium agrees 60"
            ])
        #expect(
            lines([candidate("24", 10, .estimated)], [candidate("24", 10, .live, .medium)]) == [
                "00 second high agrees 0"
            ])
    }

    @Test func repeatedPlanHasSameConfidence() {
        #expect(
            lines([candidate("24", 10, .scheduled)], [candidate("24", 10, .scheduled)]) == ["00 first medium agrees 0"])
        #expect(
            lines([candidate("24", 10, .live, runs: false)], [candidate("24", 10, .live, runs: false)]) == [
                "00 first high agrees 0"
            ])
    }

    @Test func lateDepartureMatchesPlanWithSameConfidence() {
        #expect(
            lines([candidate("24", 18, .estimated)], [candidate("24", 10, .scheduled)]) == [
                "00 first medium differs -480"
            ])
        #expect(
            lines([candidate("24", 21, .estimated)], [candidate("24", 10, .scheduled)]) == [
                "-0 second medium", "0- first medium",
            ])
        // A vehicle that is much earlier than the plan does not match.
        #expect(
            lines([candidate("24", 10, .scheduled)], [candidate("24", 6, .estimated)]) == [
                "-0 second medium", "0- first medium",
            ])
    }

    @Test(arguments: [-300, 840, 1200])
    func departuresWithSameScheduledTimeMatch(delay: Int) {
        let seen = candidate("24", 10 + Double(delay) / 60, .live, planned: 10)
        #expect(lines([candidate("24", 10, .scheduled, planned: 10)], [seen]) == ["00 second medium differs \(delay)"])
        #expect(lines([seen], [candidate("24", 10, .scheduled, planned: 10)]) == ["00 first medium differs \(-delay)"])
    }

    @Test func scheduledTimesWinOverNearestTimes() {
        let plans = [candidate("24", 10, .scheduled, planned: 10), candidate("24", 20, .scheduled, planned: 20)]
        #expect(
            lines(plans, [candidate("24", 20, .live, planned: 10), candidate("24", 21, .live, planned: 20)]) == [
                "00 second medium differs 600", "11 second high agrees 60",
            ])
        #expect(
            lines([candidate("24", 20, .live, planned: 10)], [candidate("24", 20, .scheduled, planned: 20)]) == [
                "0- first medium", "-0 second medium",
            ])
    }

    @Test func differingPredictionsAreOneDisputedDeparture() {
        #expect(
            lines([candidate("24", 10, .live, .high)], [candidate("24", 14, .estimated)]) == [
                "00 first medium differs 240"
            ])
        #expect(
            lines([candidate("24", 10, .live, .medium)], [candidate("24", 3, .estimated)]) == [
                "00 first medium differs -420"
            ])
        #expect(
            lines([candidate("24", 10, .live)], [candidate("24", 20.5, .estimated)]) == [
                "0- first medium", "-0 second medium",
            ])
    }

    @Test func contradictionLowersConfidenceUnlessTimesAreUncertain() {
        let live = candidate("24", 10, .live, .high)
        #expect(lines([live], [candidate("24", 18, .live, .high)]) == ["00 first medium differs 480"])
        // With planned times, predictions of one vehicle may differ by more than ten minutes.
        let planned = candidate("24", 10, .live, .high, planned: 10)
        #expect(
            lines([planned], [candidate("24", 21, .live, .high, planned: 10)]) == ["00 first low differs 660"])
        var uncertain = candidate("24", 18, .estimated)
        uncertain.uncertainty = 480
        #expect(lines([live], [uncertain]) == ["00 first high differs 480"])
        #expect(lines([live], [candidate("24", 18, .live, .low, isLastKnown: true)]) == ["00 first high differs 480"])
    }

    @Test func canceledAndObservedDepartureIsDisputed() {
        #expect(
            lines([candidate("24", 10, .live, .high, runs: false)], [candidate("24", 11, .estimated)]) == [
                "00 first medium differs 60"
            ])
        // The departure does not match the next departure either.
        #expect(
            lines(
                [candidate("24", 10, .live, .high, runs: false), candidate("24", 20, .scheduled)],
                [candidate("24", 19, .estimated)])
                == ["0- first high", "10 second high agrees -60"])
    }

    @Test func otherRouteStopOrTimeIsAnotherDeparture() {
        let apart = ["0- first medium", "-0 second medium"]
        #expect(lines([candidate("24", 10, .estimated)], [candidate("25", 10, .live)]) == apart)
        #expect(lines([candidate("24", 10, .estimated)], [candidate("24", 10, .live, at: 1)]) == apart)
        #expect(lines([candidate("24", 10, .scheduled)], [candidate("24", 14, .scheduled)]) == apart)
        #expect(lines([], [candidate("24", 10, .live)]) == ["-0 second medium"])
        #expect(lines([], []).isEmpty)
        #expect(lines([candidate("24b", 10, .estimated)], [candidate("24B", 10, .live)]) == ["00 second high agrees 0"])
    }

    @Test(
        arguments: [
            ("Piața Gării", "P-ta Garii", true), ("Piața Gării", "Piata Unirii", false), ("Forest", "forest", true),
            ("Str. Bucium", "Bucium", true), ("A", "B", false), ("Forest", "", true), ("Forest", nil, true),
        ] as [(String, String?, Bool)])
    func headsignsDecideDestination(one: String, other: String?, isSame: Bool) {
        let entries = DeparturePairing.reconcile(
            [candidate("24", 10, .scheduled, to: one)], [candidate("24", 11, .estimated, to: other)])
        #expect(entries.count == (isSame ? 1 : 2))
    }

    @Test func directionsDecideWithoutHeadsign() {
        func count(_ one: PairingCandidate, _ other: PairingCandidate) -> Int {
            DeparturePairing.reconcile([one], [other]).count
        }
        let there = candidate("24", 10, .scheduled, to: "Forest", direction: .zero)
        #expect(count(there, candidate("24", 10, .live, direction: .zero)) == 1)
        #expect(count(there, candidate("24", 10, .live, direction: .one)) == 2)
        // Each feed numbers its directions differently.
        #expect(count(there, candidate("24", 10, .live, to: "Forest", direction: .one)) == 1)
    }

    @Test func eachDepartureMatchesOnlyNearest() {
        let first = [candidate("24", 10, .estimated), candidate("24", 20, .estimated)]
        let second = [candidate("24", 8, .scheduled), candidate("24", 18, .scheduled), candidate("24", 28, .scheduled)]
        #expect(
            lines(first, second) == ["00 first high agrees -120", "11 first high agrees -120", "-2 second medium"])
    }

    @Test func extremeTimesAreHandled() {
        let ends = [Int64.min, .max].map {
            PairingCandidate(
                stopIndex: StopIndex(0), route: "24", departure: Instant(secondsSince1970: $0), source: .live,
                confidence: .low)
        }
        #expect(DeparturePairing.reconcile(ends, ends.reversed()).count == 2)
    }
}
