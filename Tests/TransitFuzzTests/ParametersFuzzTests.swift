import Testing

@testable import TransitFuzz

/// A short run of what `make fuzz` does for long.
@Suite struct ParametersFuzzTests {
    @Test func everyLineIsAnswered() async throws {
        var fuzz = try await ParametersFuzz()
        for seed in UInt64(0)..<2000 {
            do { try fuzz.run(seed: seed) } catch {
                Issue.record("transit-fuzz parameters --seed \(seed) --count 1: \(error)")
                break
            }
        }
        await fuzz.end()
    }
}
