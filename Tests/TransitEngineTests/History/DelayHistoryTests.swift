import Testing
internal import TransitModel

@testable import TransitEngine

struct DelayHistoryTests {
    private static let day = 20_600
    private static let line = DelayKey.line("r1", nil)

    private func observation(
        _ time: Int, _ delay: Int?, day: Int = day, stop: StopID = "s1", kind: DayKind = .weekday, isInUse: Bool = false
    ) -> DelayHistory.Observation {
        DelayHistory.Observation(
            key: .departure(line: Self.line, stop: DelayKey.stop(stop), kind, time: time),
            group: .group(line: Self.line, position: 0, of: 4, kind, time: time), hasOwnEntry: true, isInUse: isInUse,
            day: day, delay: delay)
    }

    private func usual(_ history: DelayHistory, _ time: Int, _ kind: DayKind = .weekday) -> DelayPrediction? {
        history.usual("r1", nil, from: "s1", at: ServiceTime(seconds: Int32(time)), kind)
    }

    @Test func usualDelayIsStatedFromTenDaysOn() throws {
        var history = DelayHistory()
        for day in 0..<9 { history.add([observation(30_000, 180 + day, day: Self.day + day)]) }
        #expect(usual(history, 30_000) == nil)
        history.add([observation(30_000, 185, day: Self.day + 9)])
        let learned = try #require(usual(history, 30_000))
        #expect(learned.days == 10)
        #expect((170...200).contains(learned.delay))
        #expect(learned.earliest <= learned.delay && learned.delay <= learned.latest)
        #expect(learned.careful <= learned.earliest + 10)
        #expect(history.knownDepartures == 1)
    }

    @Test func twoObservationsOfOneDayAreOneDay() {
        var history = DelayHistory()
        for _ in 0..<20 { history.add([observation(30_000, 60)]) }
        #expect(usual(history, 30_000) == nil)
    }

    @Test func kindsOfDaysAreLearnedApart() throws {
        var history = DelayHistory()
        for day in 0..<12 {
            history.add([
                observation(30_000, 240, day: Self.day + day),
                observation(30_000, 0, day: Self.day + day, kind: .exception),
            ])
        }
        #expect(try #require(usual(history, 30_000)).delay > 180)
        #expect(try #require(usual(history, 30_000, .exception)).delay < 60)
        #expect(usual(history, 30_000, .sunday) == nil)
    }

    @Test func sourceThatRepeatsTheTimetableTeachesNothing() {
        var history = DelayHistory()
        for day in 0..<12 {
            history.add([observation(30_000, 0, day: Self.day + day)])
            for _ in 0..<50 { history.predictions.countStatement(delay: 0) }
        }
        #expect(history.quality.repeatsTimetable)
        #expect(usual(history, 30_000) == nil)
        // A source with a few real delays measures.
        for _ in 0..<10 { history.predictions.countStatement(delay: 45) }
        #expect(!history.quality.repeatsTimetable)
        #expect(usual(history, 30_000) != nil)
    }

    @Test func departuresThatWereNotServedAreCounted() throws {
        var history = DelayHistory()
        for day in 0..<20 { history.add([observation(30_000, day % 4 == 0 ? nil : 30, day: Self.day + day)]) }
        let group = try #require(history.delays(of: "r1", nil))
        #expect((20...30).contains(group.notServed))
        #expect(group.days == 20)
        #expect(history.delays(of: "r2", nil) == nil)
    }

    @Test func fullHistoryReplacesDeparturesOfStopsThatAreNotInUse() {
        var history = DelayHistory()
        history.add((0..<DelayHistory.maximumDepartures).map { observation($0, 0) })
        #expect(history.keys.count { !$0.isGroup } == DelayHistory.maximumDepartures)
        history.add([observation(5, 0, stop: "other")])
        #expect(history.entry(observation(5, 0, stop: "other").key) == nil)
        history.add([observation(5, 0, stop: "home", isInUse: true)])
        #expect(history.entry(observation(5, 0, stop: "home").key) != nil)
        #expect(history.keys.count { !$0.isGroup } == DelayHistory.maximumDepartures)
        #expect(history.memoryEstimate < 2_000_000)
        #expect(history.encoded.count < 2_000_000)
        #expect(zip(history.keys, history.keys.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func coverageIsTheShareInsideOfTheStatedRange() throws {
        var history = DelayHistory()
        for day in 0..<10 {
            history.add((0..<20).map { observation(1000 * $0, 60 + 5 * day, day: Self.day + day) })
        }
        #expect(history.quality.coverage == nil)
        // All twenty departures are far too late on five days, and as usual on another five.
        for day in 10..<20 {
            history.add((0..<20).map { observation(1000 * $0, day % 2 == 0 ? 80 : 900, day: Self.day + day) })
        }
        let coverage = try #require(history.quality.coverage)
        #expect((40...80).contains(coverage))
        #expect(history.quality.judged == 200)
    }

    // MARK: The file

    private func learned() -> DelayHistory {
        var history = DelayHistory()
        for day in 0..<15 {
            history.add((0..<20).map { observation(30_000 + 600 * $0, 30 * $0 + day, day: Self.day + day) })
            for number in 0..<40 {
                history.predictions.add(
                    .init(slot: number % 12, stated: number, usual: (10, 20)), delay: number + 5, on: Self.day + day)
            }
        }
        history.version = 7
        return history
    }

    @Test func encodedHistoryIsReadBack() throws {
        let history = learned()
        #expect(try #require(DelayHistory(history.encoded)) == history)
        #expect(DelayHistory(DelayHistory().encoded) == DelayHistory())
    }

    @Test func truncatedHistoryIsRefused() {
        let bytes = learned().encoded
        for count in stride(from: 0, to: bytes.count, by: 37) {
            #expect(DelayHistory(Array(bytes.prefix(count))) == nil)
        }
        #expect(DelayHistory(bytes + [0]) == nil)
    }

    @Test func damagedHistoryIsRefusedOrStillInOrder() {
        let bytes = learned().encoded
        for position in stride(from: 0, to: bytes.count, by: 11) {
            var damaged = bytes
            damaged[position] ^= 0xFF
            guard let history = DelayHistory(damaged) else { continue }
            #expect(zip(history.keys, history.keys.dropFirst()).allSatisfy { $0 < $1 })
            #expect(history.entries.allSatisfy { $0.usual.low <= $0.usual.median && $0.usual.median <= $0.usual.high })
            _ = history.quality
        }
    }
}
