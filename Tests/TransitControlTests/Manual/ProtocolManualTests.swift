import Foundation
import Testing
import TransitControl

@Suite struct ProtocolManualTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("man/transitd-protocol.7")

    /// `TRANSIT_RECORD=1` rewrites the page.
    @Test func manualPageMatchesTypes() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let begin = try #require(lines.firstIndex(of: ".\\\" BEGIN GENERATED"))
        let end = try #require(lines.firstIndex(of: ".\\\" END GENERATED"))
        let written = Array(lines[(begin + 1)..<end])
        let expected = ProtocolManual.lines()
        if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] != nil {
            lines.replaceSubrange((begin + 1)..<end, with: expected)
            try lines.joined(separator: "\n").write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(written == expected, "rerecord it with TRANSIT_RECORD=1, and review the diff")
        }
    }
}
