import Testing
import TransitEngine
import TransitModel

@testable import TransitSimulation

/// A short run of what `make simulate` does for long.
@Suite struct SimulationTests {
    @Test(arguments: UInt64(1)...4) func hoursOfMishapsKeepEveryPromise(seed: UInt64) {
        var circumstances = SimulationConditions()
        (circumstances.disturbanceInterval, circumstances.userActionInterval) = (120...3600, 30...1800)
        var simulation = Simulation(seed: seed, circumstances)
        let report = simulation.run(days: 0.15)
        #expect(report.violation == nil, "seed \(seed): \(report.log.suffix(20).joined(separator: "\n"))")
        #expect(report.requests > 50)
        #expect(report.arrivals > 5)
        #expect(!report.disturbances.isEmpty)
    }

    /// Budgets that shrink, policies and addresses that change, feeds that come and go.
    @Test(arguments: UInt64(1)...3) func reloadsKeepEveryPromise(seed: UInt64) {
        let world = SimulationConditions(
            feeds: 1...1, hasKey: true, disturbances: [.reload], disturbanceInterval: 600...3600,
            userActionInterval: 3600...14_400)
        var simulation = Simulation(seed: seed, world)
        let report = simulation.run(days: 0.7)
        #expect(report.violation == nil, "seed \(seed): \(report.log.suffix(20).joined(separator: "\n"))")
        #expect(report.disturbances.count == 1)
    }

    /// Riders ask again and again while operators refuse, fail, and ask to be left alone.
    @Test(arguments: UInt64(1)...4) func ridersAreAnsweredAndOperatorsAreLeftInPeace(seed: UInt64) {
        let world = SimulationConditions(
            feeds: 1...1, disturbances: [.suspend, .kill, .reboot, .networkLoss, .diskFull, .clockStep],
            disturbanceInterval: 120...1800, userActionInterval: 3600...14_400, arrivalsRequestInterval: 2...60)
        var simulation = Simulation(seed: seed, world)
        let report = simulation.run(days: 0.3)
        #expect(report.violation == nil, "seed \(seed): \(report.log.suffix(20).joined(separator: "\n"))")
        #expect(report.arrivals > 500)
    }

    /// Hosts fail and come back while somebody asks all the time: soon fresh for them, once a minute for the host.
    @Test(arguments: UInt64(1)...4) func whoAsksIsServedSoonAndHostsAreLeftInPeace(seed: UInt64) {
        let world = SimulationConditions(
            feeds: 2...3, hasKey: seed % 2 == 0, disturbances: [.hostTrouble], disturbanceInterval: 600...5400,
            departureRequestInterval: 5...60,
            arrivalsRequestInterval: 5...60)
        var simulation = Simulation(seed: seed, world)
        let report = simulation.run(days: 0.5)
        #expect(report.violation == nil, "seed \(seed): \(report.log.suffix(20).joined(separator: "\n"))")
        #expect(report.disturbances.count > 2)
    }

    @Test func theSameSeedIsTheSameRun() {
        var first = Simulation(seed: 11)
        var second = Simulation(seed: 11)
        #expect(first.run(days: 0.05) == second.run(days: 0.05))
    }

    @Test func theClocksChangeInTheSimulatedZone() { #expect(Scenario.hasZone) }
}

/// What is broken on purpose is found, in a world that provokes it, and by a promise that it breaks.
@Suite struct DefectTests {
    private let small = SimulationConditions(feeds: 1...2, disturbanceInterval: 60...900, userActionInterval: 60...900)

    @Test func aStormAfterAWake() {
        let world = SimulationConditions(feeds: 5...5, hasKey: false, disturbances: [.suspend])
        expect(.noCatchUp, breaks: [.storm], in: world)
    }

    @Test func aForgottenSpend() {
        let world = SimulationConditions(
            feeds: 1...1, hasKey: true, disturbances: [.kill], disturbanceInterval: 60...120,
            userActionInterval: 60...120)
        expect(.budgetNotSaved, breaks: [.budget], in: world)
    }

    @Test func forceBeyondTheLimits() {
        var world = small
        (world.hasKey, world.disturbances, world.userActionInterval) = (false, [.hostTrouble], 10...60)
        expect(.forceIgnoresLimits, breaks: [.retryAfter, .circuit], in: world)
    }

    @Test func twoFetchesOfTheSame() {
        // What came second may also be older than what it replaces.
        expect(.noSharing, breaks: [.twice, .age, .lost], in: small)
    }

    @Test func noWholeContentEver() {
        expect(.alwaysConditional, breaks: [.deceived], in: SimulationConditions(feeds: 1...1, disturbances: []))
    }

    @Test func aFailureTakenForASuccess() { expect(.failureIsSuccess, breaks: [.lost], in: small) }

    @Test func waitingByTheWallClock() {
        var world = small
        world.disturbances = [.clockStep]
        expect(.wallClock, breaks: [.tooEarly, .stale], in: world)
    }

    @Test func noSpacing() { expect(.noSpacing, breaks: [.endpointSpacing], in: small) }

    @Test func questionsThatProbeNobody() {
        let world = SimulationConditions(
            feeds: 1...2, hasKey: false, disturbances: [.hostTrouble], disturbanceInterval: 600...5400,
            departureRequestInterval: 20...60)
        expect(.noProbes, breaks: [.stale], in: world, days: 1)
    }

    @Test func probesWithEveryQuestion() {
        let world = SimulationConditions(
            feeds: 1...2, hasKey: false, disturbances: [.hostTrouble], disturbanceInterval: 600...3600,
            departureRequestInterval: 5...20)
        expect(.probesNotSpaced, breaks: [.circuit], in: world, days: 1)
    }

    @Test func probesThatSpendMoreThanAQuarter() {
        let world = SimulationConditions(
            feeds: 1...1, hasKey: true, disturbances: [.hostTrouble], disturbanceInterval: 600...3600,
            departureRequestInterval: 20...60)
        expect(.probesNotMetered, breaks: [.circuit], in: world, days: 1)
    }

    @Test(arguments: [(0, .circuit), (3600, .stale)] as [(Int, Violation.Rule)])
    func arrivalsThatAreProbedAtAnotherPace(seconds: Int, rule: Violation.Rule) {
        let world = SimulationConditions(
            feeds: 1...1, hasKey: false, disturbances: [.clockStep], disturbanceInterval: 300...1800,
            arrivalsRequestInterval: 5...30,
            arrivalsProbeSpacing: seconds)
        expect([], breaks: [rule], in: world, days: 1)
    }

    @Test func spendsThatNeverGo() {
        // A small budget keeps few spends, and it takes few of them to find one too many.
        let world = SimulationConditions(
            feeds: 1...1, hasKey: true, hourlyBudget: 6, disturbances: [], userActionInterval: 300...600)
        expect(.budgetNotPruned, breaks: [.unbounded], in: world, days: 3)
    }

    @Test(
        arguments: [
            (ArrivalsPolicy(batch: 8), .batch), (ArrivalsPolicy(batchSpacing: 100), .batch),
            (ArrivalsPolicy(cooldown: 1), .cooldown), (ArrivalsPolicy(lifetime: 20), .tooEarly),
            (ArrivalsPolicy(refusalLifetime: 600), .refused),
        ] as [(ArrivalsPolicy, Violation.Rule)])
    func aPaceThatNobodyAgreedTo(pace: ArrivalsPolicy, rule: Violation.Rule) {
        // Where an operator fails, its questions are repeated before there is an answer that is new enough.
        let world = SimulationConditions(
            feeds: 1...1, disturbances: [.clockStep], disturbanceInterval: 60...600, arrivalsRequestInterval: 2...20,
            arrivals: pace)
        expect([], breaks: [rule], in: world)
    }

    @Test func refusalsThatARestartForgets() {
        let world = SimulationConditions(
            feeds: 1...1, disturbances: [.kill], disturbanceInterval: 60...600, arrivalsRequestInterval: 2...20,
            keepsPauses: false)
        expect([], breaks: [.refused, .retryAfter], in: world)
    }

    private func expect(
        _ faults: RefreshEngine.Faults, breaks rules: Set<Violation.Rule>, in world: SimulationConditions,
        days: Double = 0.3,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var found: [Violation.Rule] = []
        for seed in UInt64(1)...8 {
            var simulation = Simulation(seed: seed, world, faults: faults)
            guard let violation = simulation.run(days: days).violation else { continue }
            if rules.contains(violation.rule) { return }
            found.append(violation.rule)
        }
        Issue.record("found only \(found)", sourceLocation: sourceLocation)
    }
}
