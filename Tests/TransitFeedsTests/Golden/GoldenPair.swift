import Foundation
import Testing
import TransitFeeds
import TransitModel

/// A response and its expected decoded value, stored in the files `GoldenPairs/FOLDER/NAME.in.json` and
/// `NAME.out.json`.
///
/// `TRANSIT_RECORD=1 swift test` records the expected values again. Review and commit the changes.
struct GoldenPair: CustomTestStringConvertible {
    var folder: String
    var name: String

    var testDescription: String { "\(folder)/\(name)" }

    /// Returns the pairs of a folder, sorted by name.
    static func all(_ folder: String) -> [GoldenPair] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: url(folder).path)) ?? []
        return files.filter { $0.hasSuffix(".in.json") }.sorted().map {
            GoldenPair(folder: folder, name: String($0.dropLast(8)))
        }
    }

    private static func url(_ folder: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "GoldenPairs/\(folder)")
    }

    /// Returns the bytes of the response.
    func input() throws -> [UInt8] { Array(try Data(contentsOf: Self.url(folder).appending(path: "\(name).in.json"))) }

    /// Compares a decoded value with the recorded one.
    func expect(_ value: Any, at location: SourceLocation = #_sourceLocation) throws {
        let file = Self.url(folder).appending(path: "\(name).out.json")
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text =
            String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self) + "\n"
        if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] != nil {
            try Data(text.utf8).write(to: file)
            return
        }
        let recorded = try? String(contentsOf: file, encoding: .utf8)
        #expect(recorded == text, "\(file.lastPathComponent) differs; see GoldenPair", sourceLocation: location)
    }
}
