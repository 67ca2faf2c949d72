import Testing

@testable import TransitFuzz

/// A short version of `make fuzz`.
@Suite struct ArchiveFuzzTests {
    @Test(arguments: UInt64(0)..<4) func mutatedArchivesDoNotCrash(block: UInt64) throws {
        var fuzz = try ArchiveFuzz()
        for seed in block * 50..<(block + 1) * 50 {
            #expect(throws: Never.self, "transit-fuzz archive --seed \(seed) --count 1") { try fuzz.run(seed: seed) }
        }
    }
}
