import Foundation
import Testing
import TransitTestTraits

@testable import TransitFuzz

/// Replays the inputs that `scripts/fuzz-guided --save` found. Each reached code that no other one reached.
@Suite(.ownThreads) struct FuzzCorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Corpus")

    @Test(arguments: FuzzTargets.all.map { $0.name }) func savedInputsDoNotFail(kind: String) async throws {
        let type = try #require(FuzzTargets.all.first { $0.name == kind })
        let folder = Self.folder.appendingPathComponent(kind)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        try #require(!names.isEmpty, "\(folder.path) has no inputs")
        var target = try await type.init()
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
            #expect(throws: Never.self, "\(kind)/\(name)") { try target.read(bytes) }
        }
        if let daemon = target as? ParametersFuzz { await daemon.stop() }
    }
}
