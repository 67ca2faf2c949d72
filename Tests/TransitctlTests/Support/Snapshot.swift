import Foundation
import Testing

/// Compares text with a snapshot in `Snapshots/`. `TRANSIT_RECORD=1` rerecords the snapshot.
func expectSnapshot(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Snapshots/\(name).txt")
    if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] == "1" {
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try? String(contentsOf: file, encoding: .utf8)
    #expect(text == recorded, "Snapshots/\(name).txt", sourceLocation: sourceLocation)
}
