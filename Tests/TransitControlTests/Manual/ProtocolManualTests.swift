import Foundation
import Testing
import TransitControl

@Suite struct ProtocolManualTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("man")

    /// `TRANSIT_RECORD=1` rewrites the page.
    @Test func manualPageMatchesTypes() throws {
        try compare("transitd-protocol.7", with: ProtocolManual.lines())
    }

    /// `TRANSIT_RECORD=1` rewrites the page.
    @Test func hooksPageMatchesTypes() throws { try compare("transitd-hooks.5", with: ProtocolManual.hookLines()) }

    /// Compares the generated part of a page with the expected lines, or rewrites it.
    private func compare(_ page: String, with expected: [String]) throws {
        let file = Self.folder.appendingPathComponent(page)
        let text = try String(contentsOf: file, encoding: .utf8)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let begin = try #require(lines.firstIndex(of: ".\\\" BEGIN GENERATED"))
        let end = try #require(lines.firstIndex(of: ".\\\" END GENERATED"))
        let written = Array(lines[(begin + 1)..<end])
        if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] != nil {
            lines.replaceSubrange((begin + 1)..<end, with: expected)
            try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(written == expected, "rerecord it with TRANSIT_RECORD=1, and review the diff")
        }
    }
}
