import Foundation
import Testing
import TransitTestTraits

@testable import TransitFuzz

/// Replays the inputs in `Corpus`: samples of each kind, and what `scripts/fuzz-guided --save` found. `TRANSIT_RECORD=1` writes
/// samples for a kind that has none.
@Suite(.ownThreads) struct FuzzCorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Corpus")

    @Test(arguments: FuzzTargets.all.map { $0.name }) func savedInputsDoNotFail(kind: String) async throws {
        let type = try #require(FuzzTargets.all.first { $0.name == kind })
        let folder = Self.folder.appendingPathComponent(kind)
        var target = try await type.init()
        if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] == "1",
            !FileManager.default.fileExists(atPath: folder.path)
        {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var size = 0
            for seed in UInt64(1)...40 {
                let bytes = target.sample(seed: seed)
                // Each kind has few large samples, or many small ones.
                guard bytes.count <= 8192, size + bytes.count <= 65_536 else { continue }
                size += bytes.count
                try Data(bytes).write(to: folder.appendingPathComponent("sample-\(seed)"))
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        try #require(!names.isEmpty, "\(folder.path) has no inputs")
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
            #expect(throws: Never.self, "\(kind)/\(name)") { try target.read(bytes) }
        }
        if let daemon = target as? ParametersFuzz { await daemon.stop() }
    }
}
