import Foundation
import Testing
import TransitControl
import TransitWire

/// Compares messages with the reviewed snapshots in `Snapshots/NAME.json`.
///
/// `TRANSIT_RECORD=1 swift test` rerecords them. Review the diff before committing it.
enum Snapshot {
    static func expect(
        _ value: JSONValue, named name: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Snapshots/\(name).json")
        let text = pretty(value) + "\n"
        if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] != nil {
            try Data(text.utf8).write(to: file)
            return
        }
        let recorded = try? String(contentsOf: file, encoding: .utf8)
        #expect(recorded == text, "\(file.lastPathComponent) differs; see Snapshot", sourceLocation: location)
    }

    /// Formats JSON with one member per line, for readable diffs.
    private static func pretty(_ value: JSONValue, _ indent: String = "") -> String {
        let inner = indent + "  "
        switch value {
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + pretty($0, inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + indent + "]"
        case .object(let object) where !object.members.isEmpty:
            let lines = object.members.map {
                inner + JSONValue.string($0.name).description + ": " + pretty($0.value, inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
        default: return value.description
        }
    }
}
