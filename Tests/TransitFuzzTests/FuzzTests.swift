import Testing
import TransitTestTraits

@testable import TransitFuzz

/// A short version of `make fuzz`.
@Suite(.ownThreads) struct RealtimeFuzzTests {
    @Test(arguments: UInt64(0)..<4) func mutatedMessagesDoNotCrash(block: UInt64) async throws {
        var fuzz = try await RealtimeFuzz()
        for seed in block * 25..<(block + 1) * 25 {
            #expect(throws: Never.self, "transit-fuzz realtime --seed \(seed) --count 1") { try fuzz.run(seed: seed) }
        }
    }
}

/// A short version of `make fuzz`.
@Suite struct ArchiveFuzzTests {
    @Test(arguments: UInt64(0)..<4) func mutatedArchivesDoNotCrash(block: UInt64) throws {
        var fuzz = try ArchiveFuzz()
        for seed in block * 50..<(block + 1) * 50 {
            #expect(throws: Never.self, "transit-fuzz archive --seed \(seed) --count 1") { try fuzz.run(seed: seed) }
        }
    }
}

/// A short version of `make fuzz`.
@Suite struct ExternalDataFuzzTests {
    @Test(arguments: UInt64(0)..<4) func mutatedResponsesDoNotCrash(block: UInt64) {
        var fuzz = ExternalDataFuzz()
        for seed in block * 500..<(block + 1) * 500 {
            #expect(throws: Never.self, "transit-fuzz external-data --seed \(seed) --count 1") {
                try fuzz.run(seed: seed)
            }
        }
    }
}

/// A short version of `make fuzz`.
@Suite struct CalendarFuzzTests {
    @Test(arguments: UInt64(0)..<4) func mutatedCalendarsDoNotCrash(block: UInt64) {
        var fuzz = CalendarFuzz()
        for seed in block * 500..<(block + 1) * 500 {
            #expect(throws: Never.self, "transit-fuzz calendar --seed \(seed) --count 1") { try fuzz.run(seed: seed) }
        }
    }
}

/// A short version of `make fuzz`.
@Suite(.ownThreads) struct ParametersFuzzTests {
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

/// A short version of `make fuzz`.
@Suite struct AssistantFuzzTests {
    @Test(arguments: UInt64(0)..<4) func mutatedMessagesDoNotCrash(block: UInt64) {
        var fuzz = AssistantFuzz()
        for seed in block * 500..<(block + 1) * 500 {
            #expect(throws: Never.self, "transit-fuzz assistant --seed \(seed) --count 1") { try fuzz.run(seed: seed) }
        }
    }
}

/// A short version of `make fuzz`.
@Suite struct JourneyNetworkFuzzTests {
    @Test(arguments: UInt64(0)..<4) func mutatedNetworksDoNotCrash(block: UInt64) throws {
        var fuzz = try JourneyNetworkFuzz()
        for seed in block * 500..<(block + 1) * 500 {
            #expect(throws: Never.self, "transit-fuzz journey-network --seed \(seed) --count 1") {
                try fuzz.run(seed: seed)
            }
        }
    }
}
