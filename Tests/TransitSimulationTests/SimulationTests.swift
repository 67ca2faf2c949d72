import Testing
import TransitModel
import TransitRefresh

@testable import TransitSimulation

/// Short runs of the simulation behind `make simulate`.
@Suite struct SimulationTests {
    @Test(arguments: UInt64(1)...4) func disturbancesCauseNoViolation(seed: UInt64) {
        var conditions = SimulationConditions()
        (conditions.disturbanceInterval, conditions.userActionInterval) = (120...3600, 30...1800)
        var simulation = Simulation(seed: seed, conditions)
        let report = simulation.run(days: 0.15)
        #expect(report.violation == nil, "seed \(seed): \(report.log.suffix(20).joined(separator: "\n"))")
        #expect(report.requests > 50)
        #expect(report.arrivals > 5)
        #expect(!report.disturbances.isEmpty)
    }

    /// Shrinking budgets, changing policies and URLs, and feeds that are added and removed.
    @Test(arguments: UInt64(1)...3) func reloadsCauseNoViolation(seed: UInt64) {
        let conditions = SimulationConditions(
            feeds: 1...1, hasKey: true, disturbances: [.reload], disturbanceInterval: 600...3600,
            userActionInterval: 3600...14_400)
        var simulation = Simulation(seed: seed, conditions)
        let report = simulation.run(days: 0.7)
        #expect(report.violation == nil, "seed \(seed): \(report.log.suffix(20).joined(separator: "\n"))")
        #expect(report.disturbances.count == 1)
    }

    /// Riders send frequent requests while operators reject, fail and send `Retry-After`.
    @Test(arguments: UInt64(1)...5) func frequentArrivalsRequestsCauseNoViolation(seed: UInt64) {
        let conditions = SimulationConditions(
            feeds: 1...1, disturbances: [.suspend, .kill, .reboot, .networkLoss, .diskFull, .clockStep],
            disturbanceInterval: 120...1800, userActionInterval: 3600...14_400, arrivalsRequestInterval: 2...60)
        var simulation = Simulation(seed: seed, conditions)
        let report = simulation.run(days: 0.3)
        #expect(report.violation == nil, "seed \(seed): \(report.log.suffix(20).joined(separator: "\n"))")
        #expect(report.arrivals > 500)
    }

    /// Hosts fail and recover during continuous demand. Data must soon be fresh again, with at most one probe per
    /// minute.
    @Test(arguments: UInt64(1)...4) func requestsDuringHostFailuresCauseNoViolation(seed: UInt64) {
        let conditions = SimulationConditions(
            feeds: 2...3, hasKey: seed % 2 == 0, disturbances: [.hostTrouble], disturbanceInterval: 600...5400,
            departureRequestInterval: 5...60,
            arrivalsRequestInterval: 5...60)
        var simulation = Simulation(seed: seed, conditions)
        let report = simulation.run(days: 0.5)
        #expect(report.violation == nil, "seed \(seed): \(report.log.suffix(20).joined(separator: "\n"))")
        #expect(report.disturbances.count > 2)
    }

    @Test func sameSeedGivesSameRun() {
        var first = Simulation(seed: 11)
        var second = Simulation(seed: 11)
        #expect(first.run(days: 0.05) == second.run(days: 0.05))
    }

    @Test func simulatedZoneHasDaylightSaving() { #expect(Scenario.hasZone) }
}

/// Deliberate faults must be detected as violations of the guarantees that they break, under conditions that provoke
/// them.
@Suite struct SimulationFaultTests {
    private let small = SimulationConditions(feeds: 1...2, disturbanceInterval: 60...900, userActionInterval: 60...900)

    @Test func fetchStormAfterResumeIsDetected() {
        let conditions = SimulationConditions(feeds: 5...5, hasKey: false, disturbances: [.suspend])
        expect(.noCatchUp, breaks: [.storm], in: conditions)
    }

    @Test func unsavedBudgetChargeIsDetected() {
        let conditions = SimulationConditions(
            feeds: 1...1, hasKey: true, disturbances: [.kill], disturbanceInterval: 60...120,
            userActionInterval: 60...120)
        expect(.budgetNotSaved, breaks: [.budget], in: conditions)
    }

    @Test func forcedRequestBeyondLimitsIsDetected() {
        var conditions = small
        (conditions.hasKey, conditions.disturbances, conditions.userActionInterval) = (false, [.hostTrouble], 10...60)
        expect(.forceIgnoresLimits, breaks: [.retryAfter, .circuit], in: conditions)
    }

    @Test func duplicateFetchIsDetected() {
        // The second content may also be older than the content that it replaces.
        expect(.noSharing, breaks: [.twice, .age, .lost], in: small)
    }

    @Test func manyRequestsToOneHostAreDetected() {
        var conditions = small
        (conditions.hasKey, conditions.disturbances) = (false, [.hostTrouble, .suspend])
        expect(.noHostLimit, breaks: [.simultaneous], in: conditions)
    }

    @Test func missingUnconditionalFetchIsDetected() {
        expect(.alwaysConditional, breaks: [.deceived], in: SimulationConditions(feeds: 1...1, disturbances: []))
    }

    @Test func failureCountedAsSuccessIsDetected() { expect(.failureIsSuccess, breaks: [.lost], in: small) }

    @Test func waitingByWallClockIsDetected() {
        var conditions = small
        conditions.disturbances = [.clockStep]
        expect(.wallClock, breaks: [.tooEarly, .stale], in: conditions)
    }

    @Test func missingSpacingIsDetected() { expect(.noSpacing, breaks: [.endpointSpacing], in: small) }

    @Test func missingProbeOnDemandIsDetected() {
        let conditions = SimulationConditions(
            feeds: 1...2, hasKey: false, disturbances: [.hostTrouble], disturbanceInterval: 600...5400,
            departureRequestInterval: 20...60)
        expect(.noProbes, breaks: [.stale], in: conditions, days: 1)
    }

    @Test func probeWithEveryRequestIsDetected() {
        let conditions = SimulationConditions(
            feeds: 1...2, hasKey: false, disturbances: [.hostTrouble], disturbanceInterval: 600...3600,
            departureRequestInterval: 5...20)
        expect(.probesNotSpaced, breaks: [.circuit], in: conditions, days: 1)
    }

    @Test func unmeteredProbesAreDetected() {
        let conditions = SimulationConditions(
            feeds: 1...1, hasKey: true, disturbances: [.hostTrouble], disturbanceInterval: 600...3600,
            departureRequestInterval: 20...60)
        expect(.probesNotMetered, breaks: [.circuit], in: conditions, days: 1)
    }

    @Test(arguments: [(0, .circuit), (3600, .stale)] as [(Int, Violation.Rule)])
    func wrongProbeSpacingOfArrivalsIsDetected(seconds: Int, rule: Violation.Rule) {
        let conditions = SimulationConditions(
            feeds: 1...1, hasKey: false, disturbances: [.clockStep], disturbanceInterval: 300...1800,
            arrivalsRequestInterval: 5...30,
            arrivalsProbeSpacing: seconds)
        expect([], breaks: [rule], in: conditions, days: 1)
    }

    @Test func chargesThatNeverExpireAreDetected() {
        // With a small budget, few charges are recorded, so an excess charge is detected sooner.
        let conditions = SimulationConditions(
            feeds: 1...1, hasKey: true, hourlyBudget: 6, disturbances: [], userActionInterval: 300...600)
        expect(.budgetNotPruned, breaks: [.unbounded], in: conditions, days: 3)
    }

    @Test(
        arguments: [
            (ArrivalsPolicy(batch: 8), .batch), (ArrivalsPolicy(batchSpacing: 100), .batch),
            (ArrivalsPolicy(cooldown: 1), .cooldown), (ArrivalsPolicy(lifetime: 20), .tooEarly),
            (ArrivalsPolicy(refusalLifetime: 600), .refused),
            (ArrivalsPolicy(batchSpacing: 28_000), .unanswered),
        ] as [(ArrivalsPolicy, Violation.Rule)])
    func violatedArrivalsPolicyIsDetected(policy: ArrivalsPolicy, rule: Violation.Rule) {
        // While an operator's server fails, its queries are repeated without a fresh response.
        let conditions = SimulationConditions(
            feeds: 1...1, disturbances: [.clockStep], disturbanceInterval: 60...600, arrivalsRequestInterval: 2...20,
            arrivals: policy)
        expect([], breaks: [rule], in: conditions)
    }

    @Test func rejectionForgottenOnRestartIsDetected() {
        let conditions = SimulationConditions(
            feeds: 1...1, disturbances: [.kill], disturbanceInterval: 60...600, arrivalsRequestInterval: 2...20,
            keepsPauses: false)
        expect([], breaks: [.refused, .retryAfter], in: conditions)
    }

    private func expect(
        _ faults: RefreshEngine.Faults, breaks rules: Set<Violation.Rule>, in conditions: SimulationConditions,
        days: Double = 0.3,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var found: [Violation.Rule] = []
        for seed in UInt64(1)...8 {
            var simulation = Simulation(seed: seed, conditions, faults: faults)
            guard let violation = simulation.run(days: days).violation else { continue }
            if rules.contains(violation.rule) { return }
            found.append(violation.rule)
        }
        Issue.record("detected only \(found)", sourceLocation: sourceLocation)
    }
}
