import Testing

@testable import TransitFuzz

/// A short version of `make fuzz`.
@Suite struct ParametersFuzzTests {
    @Test func everyRequestReceivesReply() async throws {
        var fuzz = try await ParametersFuzz()
        for seed in UInt64(0)..<2000 {
            do { try fuzz.run(seed: seed) } catch {
                Issue.record("transit-fuzz parameters --seed \(seed) --count 1: \(error)")
                break
            }
        }
        await fuzz.stop()
    }
}
