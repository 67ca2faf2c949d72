import Testing

@testable import TransitFuzz

/// A short run of what `make fuzz` does for long.
@Suite struct RealtimeFuzzTests {
    @Test(arguments: UInt64(0)..<4) func mutatedMessagesDoNotCrash(block: UInt64) throws {
        var fuzz = RealtimeFuzz()
        for seed in block * 25..<(block + 1) * 25 {
            #expect(throws: Never.self, "transit-fuzz realtime --seed \(seed) --count 1") { try fuzz.run(seed: seed) }
        }
    }
}
