import Testing
import TransitModel

@testable import TransitRefresh

@Suite struct HostCircuitTests {
    private func reading(_ second: Int) -> ClockReading {
        ClockReading(
            wall: Instant(secondsSince1970: 1_700_000_000 + Int64(second)),
            boot: BootTime(milliseconds: Int64(second) * 1000))
    }

    private func fail(_ circuit: inout HostCircuit, _ second: Int, atOnce: Bool = false) -> Bool {
        circuit.fail(at: reading(second), opensAtOnce: atOnce, fraction: 0)
    }

    @Test func fourFailuresOpenCircuitAndPausesGrowToLimit() {
        var circuit = HostCircuit(HostRecord("api"))
        for second in 0..<3 { #expect(!fail(&circuit, second)) }
        #expect(circuit.pauseEnd == nil)
        var now = 3
        var pauses: [Int] = []
        for _ in 0..<8 {
            #expect(fail(&circuit, now))
            let until = Int((circuit.pauseEnd?.milliseconds ?? 0) / 1000)
            pauses.append(until - now)
            now = until
        }
        #expect(pauses == [30, 60, 120, 240, 480, 900, 900, 900])
        #expect(circuit.isHalfOpen)
        let closes = circuit.succeed()
        #expect(closes)
        #expect(!circuit.isHalfOpen && circuit.pauseEnd == nil)
        let closesAgain = circuit.succeed()
        #expect(!closesAgain)
    }

    @Test func failuresInFlightDoNotExtendPause() {
        var circuit = HostCircuit(HostRecord("api"))
        #expect(fail(&circuit, 0, atOnce: true))
        #expect(!fail(&circuit, 1, atOnce: true))
        #expect(circuit.pauseEnd == reading(30).boot)
    }

    @Test func earlyProbeReplacesProbeAtEndOfPause() {
        var circuit = HostCircuit(HostRecord("api"))
        for second in 0..<4 { _ = fail(&circuit, second) }
        _ = fail(&circuit, 33)
        #expect(circuit.pauseEnd == reading(93).boot)
        let isOpen = circuit.fail(at: reading(50), opensAtOnce: false, fraction: 0, isEarlyProbe: true)
        #expect(isOpen)
        #expect(circuit.pauseEnd == reading(110).boot && circuit.record.pauses == 2)
        // A failure after the full pause lengthens the pause as usual.
        _ = fail(&circuit, 110)
        #expect(circuit.pauseEnd == reading(230).boot)
    }

    @Test func retryAfterOutlastsSuccessAndIsLimited() {
        var circuit = HostCircuit(HostRecord("api"))
        circuit.wait(seconds: 120, from: reading(0))
        circuit.wait(seconds: 10, from: reading(1))
        #expect(circuit.pauseEnd == reading(120).boot)
        _ = circuit.succeed()
        #expect(circuit.pauseEnd == reading(120).boot)
        circuit.wait(seconds: .max, from: reading(0))
        #expect(circuit.pauseEnd == reading(86_400).boot)
    }
}

@Suite struct RetryPolicyTests {
    @Test func quickRetriesThenDoublingPauses() {
        let policy = RetryPolicy(isRealtime: true)
        #expect(
            (1...9).map { policy.pause(failures: $0, isPermanent: false, fraction: 0) / 1000 }
                == [1, 2, 4, 30, 60, 120, 240, 300, 300])
        #expect(policy.pause(failures: 1, isPermanent: false, fraction: 0.999) < 1250)
        #expect(policy.pause(failures: .max, isPermanent: false, fraction: 0) == 300_000)
    }

    @Test func permanentFailureStartsWithLongPause() {
        #expect(
            (1...5).map {
                RetryPolicy(isRealtime: false).pause(failures: $0, isPermanent: true, fraction: 0) / 3600_000
            }
                == [1, 2, 4, 6, 6])
        #expect(
            (1...8).map { RetryPolicy(isRealtime: true).pause(failures: $0, isPermanent: true, fraction: 0) / 60_000 }
                == [1, 2, 4, 8, 16, 32, 60, 60])
    }
}
