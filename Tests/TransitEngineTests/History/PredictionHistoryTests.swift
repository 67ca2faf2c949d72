import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

struct PredictionHistoryTests {
    /// Adds the predictions of a day: `count` predictions ten minutes ahead with the delay that the source states and the one that
    /// happened.
    private func add(
        _ history: inout PredictionHistory, day: Int, count: Int = 60, _ random: inout SeededGenerator,
        _ trip: (inout SeededGenerator) -> (stated: Int, usual: (stating: Int, departure: Int)?, delay: Int)
    ) {
        for _ in 0..<count {
            let (stated, usual, delay) = trip(&random)
            history.add(.init(slot: 4, stated: stated, usual: usual), delay: delay, on: day)
        }
    }

    @Test func constantErrorOfTheSourceIsCorrected() throws {
        var history = PredictionHistory()
        var random = SeededGenerator(seed: 1)
        // The operator is always one minute early.
        for day in 0..<14 {
            add(&history, day: 20_600 + day, &random) { random in
                let delay = random.number(0...300)
                return (delay - 60, (100, 160), delay)
            }
        }
        #expect(history.slots[4].isCorrecting)
        let best = try #require(history.best(.init(slot: 4, stated: 100, usual: (100, 160))))
        #expect((145...175).contains(best.delay))
        #expect(best.low <= best.delay && best.delay <= best.high)
    }

    @Test func trainsThatRecoverAreExpectedToRecover() throws {
        var history = PredictionHistory()
        var random = SeededGenerator(seed: 2)
        // Of what a train is later than usual now, a third remains ten minutes later. The operator copies the current delay.
        for day in 0..<20 {
            add(&history, day: 20_600 + day, &random) { random in
                let now = random.number(0...300)
                return (now, (60, 60), 60 + (now - 60) / 3 + random.number(-10...10))
            }
        }
        let late = try #require(history.best(.init(slot: 4, stated: 300, usual: (60, 60))))
        #expect((110...190).contains(late.delay))
    }

    @Test func correctionsEndWhenTheyAreWorse() {
        var history = PredictionHistory()
        var random = SeededGenerator(seed: 3)
        for day in 0..<14 {
            add(&history, day: 20_600 + day, &random) { random in
                let delay = random.number(0...300)
                return (delay - 90, (100, 100), delay)
            }
        }
        #expect(history.slots[4].isCorrecting)
        // The operator repaired its predictions.
        for day in 14..<18 {
            add(&history, day: 20_600 + day, &random) { random in
                let delay = random.number(0...300)
                return (delay, (100, 100), delay)
            }
        }
        #expect(!history.slots[4].isCorrecting)
        let best = history.best(.init(slot: 4, stated: 100, usual: (100, 100)))
        #expect(best?.delay == 100)
    }

    @Test func goodPredictionsAreNotCorrected() {
        var history = PredictionHistory()
        var random = SeededGenerator(seed: 4)
        for day in 0..<30 {
            add(&history, day: 20_600 + day, &random) { random in
                let delay = random.number(0...300)
                return (delay + random.number(-5...5), (150, 150), delay)
            }
            #expect(!history.slots[4].isCorrecting)
        }
    }

    @Test func fewPredictionsSayNothing() {
        var history = PredictionHistory()
        var random = SeededGenerator(seed: 5)
        add(&history, day: 20_600, count: 100, &random) { _ in (0, (0, 0), 60) }
        add(&history, day: 20_601, count: 50, &random) { _ in (0, (0, 0), 60) }
        #expect(history.best(.init(slot: 4, stated: 0, usual: (0, 0))) == nil)
    }

    @Test func rangeContainsEightOfTen() throws {
        var history = PredictionHistory()
        var random = SeededGenerator(seed: 6)
        var inside = 0
        for day in 0..<60 {
            add(&history, day: 20_600 + day, &random) { random in
                let delay = random.number(0...100) + random.number(0...200)
                return (delay + random.number(-60...90), nil, delay)
            }
        }
        for _ in 0..<1000 {
            let delay = random.number(0...100) + random.number(0...200)
            let stated = delay + random.number(-60...90)
            let best = try #require(history.best(.init(slot: 4, stated: stated, usual: nil)))
            if (best.low...best.high).contains(delay) { inside += 1 }
        }
        #expect((760...860).contains(inside))
    }

    @Test(arguments: [
        (0, 0), (179, 0), (180, 1), (600, 2), (1199, 3), (1800, 5), (3599, 5),
    ]) func distanceChoosesTheSlot(distance: Int, number: Int) {
        #expect(PredictionHistory.slot(distance: distance, isStated: false) == 2 * number)
        #expect(PredictionHistory.slot(distance: distance, isStated: true) == 2 * number + 1)
    }

    @Test func farAheadThereIsNoSlot() {
        #expect(PredictionHistory.slot(distance: 3600, isStated: true) == nil)
    }
}
