import Testing

@testable import TransitFuzz

/// A short version of `make fuzz`.
@Suite struct RealtimeFuzzTests {
    @Test(arguments: UInt64(0)..<4) func mutatedMessagesDoNotCrash(block: UInt64) async throws {
        var fuzz = try await RealtimeFuzz()
        for seed in block * 25..<(block + 1) * 25 {
            #expect(throws: Never.self, "transit-fuzz realtime --seed \(seed) --count 1") { try fuzz.run(seed: seed) }
        }
    }
}
