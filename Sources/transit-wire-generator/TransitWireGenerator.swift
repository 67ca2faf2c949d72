internal import Foundation

/// `transit-wire-generator [--check]`: writes `Sources/TransitControl/Generated` from `Sources/TransitControl/Messages`,
/// or checks that its files are current.
@main struct TransitWireGenerator {
    private static let messages = "Sources/TransitControl/Messages"
    private static let generated = "Sources/TransitControl/Generated"

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.isEmpty || arguments == ["--check"] else {
            fail("usage: transit-wire-generator [--check]", status: 64)
        }
        let expected = try generate()
        if arguments.isEmpty { try write(expected) } else { try check(expected) }
    }

    /// Returns the texts of the generated files by name.
    private static func generate() throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try swiftFiles(in: messages) {
            let path = "\(messages)/\(name)"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            do throws(WireSourceError) {
                let source = try WireSourceParser.parse(text)
                guard !source.declarations.isEmpty else { continue }
                files[name.replacing(".swift", with: "+Wire.swift")] = WireCode(for: source, in: path).text
            } catch {
                fail("\(path):\(error.line): error: \(error.problem)", status: 1)
            }
        }
        return files
    }

    private static func write(_ files: [String: String]) throws {
        try FileManager.default.createDirectory(atPath: generated, withIntermediateDirectories: true)
        for name in try swiftFiles(in: generated) where files[name] == nil {
            try FileManager.default.removeItem(atPath: "\(generated)/\(name)")
        }
        // An unchanged file keeps its modification time, so that it is not compiled again.
        for (name, text) in files where contents(of: "\(generated)/\(name)") != text {
            try text.write(toFile: "\(generated)/\(name)", atomically: true, encoding: .utf8)
        }
    }

    private static func check(_ files: [String: String]) throws {
        let present = Set(try swiftFiles(in: generated))
        let outdated = Set(files.keys).symmetricDifference(present)
            .union(files.filter { contents(of: "\(generated)/\($0.key)") != $0.value }.keys)
        guard !outdated.isEmpty else { return }
        fail("out of date in \(generated): \(outdated.sorted().joined(separator: ", ")); run: make generate", status: 1)
    }

    private static func swiftFiles(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.sorted()
    }

    private static func contents(of path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(status)
    }
}
