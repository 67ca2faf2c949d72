import Testing
import TransitRefresh

@testable import TransitSimulation

/// Short runs of the feeds that share a key.
@Suite struct SharedKeySimulationTests {
    @Test(arguments: UInt64(1)...2) func sharedKeyCausesNoViolation(seed: UInt64) {
        var simulation = SharedKeySimulation(seed: seed)
        #expect(simulation.run(days: 0.4) == nil, "seed \(seed)")
        #expect(simulation.requests > 50)
    }

    /// With seed 1, a wake-up falls between a kill and the restart.
    @Test func wakeUpWhileProcessIsNotRunningIsIgnored() {
        var simulation = SharedKeySimulation(seed: 1)
        #expect(simulation.run(days: 1) == nil)
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
