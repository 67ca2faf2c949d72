import Testing
import TransitControl

@testable import transitctl

@Suite struct UsualDelayTextTests {
    @Test(arguments: [
        (Sample.usual(3, 1, 6), "3 min late (1 to 6)", "+3 min"),
        (Sample.usual(3, 0, 6), "3 min late (0 to 6)", "+3 min"),
        (Sample.usual(3, -1, 6), "3 min late (1 early to 6 late)", "+3 min"),
        (Sample.usual(-2, -4, -1), "2 min early (1 to 4)", "-2 min"),
        (Sample.usual(-1, -2, 1), "1 min early (2 early to 1 late)", "-1 min"),
        (Sample.usual(3, 2.9, 3.2), "3 min late", "+3 min"),
        (Sample.usual(1.4, 1, 1.6), "1 min late (1 to 2)", "+1 min"),
        (Sample.usual(65, 50, 80), "65 min late (50 to 80)", "+65 min"),
        (Sample.usual(0, -1, 1), "on time", "on time"),
        (Sample.usual(0.9, 0.5, 1), "on time", "on time"),
        (Sample.usual(0.5, -0.4, 4), "on time (up to 4 min late)", "on time"),
        (Sample.usual(-0.5, -3, 0), "on time (up to 3 min early)", "on time"),
        (Sample.usual(0.2, -2, 5), "on time (2 early to 5 late)", "on time"),
    ])
    func delayIsRoundedToMinutes(usual: UsualDelay, words: String, short: String) {
        #expect(UsualDelayText.of(usual) == words)
        #expect(UsualDelayText.short(usual) == short)
    }

    @Test func scheduledDepartureShowsThePlanAndTheUsualDelay() throws {
        var departure = try Sample.departure(Sample.bus, "08:12")
        departure.usual = Sample.usual(3, 1, 6)
        let now = try Sample.time("08:05")
        #expect(
            departure.line(from: now).text
                == "Bus 24 in 7 minutes (scheduled) at 08:12, usually 3 min late (1 to 6)")
        #expect(
            departure.shortLines(from: now).map(\.text) == [
                "Bus 24 in 7 min (scheduled) at 08:12, usually 3 min late (1 to 6)",
                "Bus 24 in 7 min (usually +3 min) at 08:12",
                "Bus 24 in 7 min (scheduled) at 08:12",
            ])
    }

    /// A doubt about the time is more important than the usual delay.
    @Test func doubtStaysInTheNarrowestForm() throws {
        var departure = try Sample.departure(Sample.bus, "08:12")
        (departure.usual, departure.realtimeState) = (Sample.usual(3, 1, 6), .missing)
        #expect(
            departure.shortLines(from: try Sample.time("08:05")).map(\.text) == [
                "Bus 24 in 7 min (not reported) at 08:12, usually 3 min late (1 to 6)",
                "Bus 24 in 7 min (not reported) at 08:12", "Bus 24 in 7 min (not reported) at 08:12",
            ])
    }

    @Test(arguments: [
        (DepartureStatus.canceled, DepartureSource.scheduled), (.skipped, .scheduled), (.scheduled, .live),
        (.scheduled, .estimated),
    ])
    func otherDeparturesHaveNoUsualDelay(status: DepartureStatus, source: DepartureSource) throws {
        var departure = try Sample.departure(Sample.bus, "08:12", delay: 0, status: status, source: source)
        departure.usual = Sample.usual(3, 1, 6)
        #expect(!departure.line(from: try Sample.time("08:05")).text.contains("usually"))
    }

    @Test(arguments: [
        (2.0, ", +2 min late", ", +2 min"), (2.9, ", +2 min late", ", +2 min"),
        (3, ", +2 min late, likely 08:15", ", likely 08:15"),
        (0.5, ", +2 min late, likely 08:12", ", likely 08:12"),
        (-1, ", +2 min late, likely 08:11", ", likely 08:11"),
    ])
    func correctedPredictionIsBesideTheStatedOne(minutes: Double, words: String, short: String) throws {
        var departure = try Sample.departure(Sample.bus, "08:12", delay: 120, source: .live)
        departure.usual = Sample.usual(minutes, minutes - 2, minutes + 3, basis: .prediction)
        let now = try Sample.time("08:05")
        #expect(departure.line(from: now).text == "Bus 24 in 9 minutes (live) at 08:14" + words)
        #expect(departure.line(from: now, .short).text == "Bus 24 in 9 min (live) at 08:14" + short)
        #expect(departure.line(from: now, .bare).text == "Bus 24 in 9 min (live) at 08:14, +2 min")
    }

    @Test func canceledDepartureHasNoLikelyTime() throws {
        var departure = try Sample.departure(Sample.bus, "08:12", delay: 0, status: .canceled, source: .live)
        departure.usual = Sample.usual(5, 1, 9, basis: .prediction)
        #expect(departure.likelyTime == nil)
    }

    @Test func distributionNamesItsRangesAndDays() {
        #expect(
            PunctualityText.pieces(Sample.punctuality).map(\.text) == [
                "26 weekdays", "early 2 %", "on time 30 %", "1-3 min late 37 %", "3-6 min late 22 %",
                "6-15 min late 9 %", "did not run 3 %",
            ])
        var punctuality = Sample.punctuality
        (punctuality.days, punctuality.dayKind, punctuality.notServed) = (11, .exception, 0)
        punctuality.delays = [DelayShare(from: -300, to: -60, share: 40), DelayShare(from: 900, share: 60)]
        let pieces = PunctualityText.pieces(punctuality).map(\.text)
        #expect(
            pieces == ["11 days with irregular service", "1-5 min early 40 %", "over 15 min late 60 %"])
    }

    /// Numbers need no block characters.
    @Test func distributionIsASCII() {
        #expect(PunctualityText.pieces(Sample.punctuality).allSatisfy { $0.text.utf8.allSatisfy { $0 < 0x80 } })
    }

    @Test(arguments: [
        (ServiceDayKind?.some(.weekday), 1, "1 weekday"), (.saturday, 12, "12 Saturdays"), (.sunday, 1, "1 Sunday"),
        (.other, 3, "3 days"), (nil, 57, "57 days"),
    ])
    func daysAreCountedByKind(kind: ServiceDayKind?, days: Int, words: String) {
        #expect(DayKindText.count(days, kind) == words)
    }

    @Test func qualityIsOneLine() {
        func words(_ change: (inout LearnedDelayStatus) -> Void) -> String {
            var status = Sample.delays
            change(&status)
            return Line(joining: LearnedDelayText.pieces(status)).text
        }
        #expect(words { _ in } == "79 % in range (target 80 %), off by 74 s, corrected 58 s")
        #expect(
            words { ($0.correcting, $0.correctedError) = (false, 74) }
                == "79 % in range (target 80 %), off by 74 s, not corrected")
        #expect(words { ($0.sourceError, $0.correctedError) = (nil, nil) } == "79 % in range (target 80 %)")
        #expect(
            words { ($0.coverage, $0.sourceError, $0.correctedError) = (nil, nil, nil) }
                == "1,204 departures known, too few judged")
        #expect(words { $0.repeatsTimetable = true } == "the source repeats the timetable")
    }
}
