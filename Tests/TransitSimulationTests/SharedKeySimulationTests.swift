import Testing
import TransitRefresh

@testable import TransitSimulation

/// Short runs of the feeds that share a key.
@Suite struct SharedKeySimulationTests {
    /// With seed 84, two requests of users once made all waiting datasets due together, which left a gap of 1,856 s.
    /// With seed 1200, requests of users once took the budget of a day before a timetable that waited for its turn.
    @Test(arguments: [(1, 0.4), (2, 0.4), (84, 0.3), (1200, 0.8)] as [(UInt64, Double)])
    func sharedKeyCausesNoViolation(seed: UInt64, days: Double) {
        var simulation = SharedKeySimulation(seed: seed)
        #expect(simulation.run(days: days) == nil, "seed \(seed)")
        #expect(simulation.requests > 40)
    }

    /// With seed 1, a wake-up falls between a kill and the restart.
    @Test func wakeUpWhileProcessIsNotRunningIsIgnored() {
        var simulation = SharedKeySimulation(seed: 1)
        #expect(simulation.run(days: 1) == nil)
    }

    @Test(
        arguments: [(.noTurns, .share, 20, 0.3), (.noSpread, .gap, 5, 0.1), (.noStarvation, .stale, 8, 0.6)]
            as [(RefreshEngine.Faults, Violation.Rule, UInt64, Double)])
    func faultIsDetected(_ fault: RefreshEngine.Faults, rule: Violation.Rule, seed: UInt64, days: Double) {
        var simulation = SharedKeySimulation(seed: seed, faults: fault)
        #expect(simulation.run(days: days)?.rule == rule)
        // Without the fault, the same run breaks no promise.
        var correct = SharedKeySimulation(seed: seed)
        #expect(correct.run(days: days) == nil)
    }

    @Test(
        arguments: [
            ([], 1...120), (["--seed", "7"], 7...7), (["--seeds", "50"], 1...50),
            (["--seed", "200", "--seeds", "50"], 200...249), (["--seeds", "50", "--seed", "200"], 200...249),
        ] as [([String], ClosedRange<UInt64>)])
    func seedIsTheFirstOfTheSeeds(arguments: [String], seeds: ClosedRange<UInt64>) {
        #expect(SimulationOptions(arguments)?.seeds == seeds)
    }

    @Test(
        arguments: [
            ["--seed"], ["--seed", "x"], ["--seeds", "0"], ["--days", "0"], ["--days", "nan"], ["--day", "3"],
            ["--seed", "18446744073709551615", "--seeds", "2"],
        ])
    func invalidOptionsAreRefused(arguments: [String]) {
        #expect(SimulationOptions(arguments) == nil)
    }
}
