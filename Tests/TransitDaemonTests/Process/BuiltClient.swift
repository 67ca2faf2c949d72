import Foundation
import Testing
import TransitTestSupport

/// The path of `transitctl` next to the built daemon; `nil` if either is not built.
enum BuiltClient {
    static let path: String? = DaemonProcess.executable.flatMap { daemon in
        let path = URL(fileURLWithPath: daemon).deletingLastPathComponent().appendingPathComponent("transitctl").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}

extension DaemonProcess {
    /// Runs the built client until it exits.
    ///
    /// - Parameters:
    ///   - answers: The answers to the client's prompts, one per line.
    ///   - environment: The environment. By default, it contains only `HOME`, which is in the daemon's folder.
    func transitctl(
        _ arguments: [String], answers: [String] = [], environment: [String: String]? = nil
    ) throws -> (code: Int32, output: String, error: String) {
        let process = TestProcess()
        process.executableURL = URL(fileURLWithPath: try #require(BuiltClient.path))
        process.arguments = arguments + ["--socket", socket]
        process.environment = environment ?? ["HOME": folder.path]
        let (input, output, error) = (Pipe(), Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, error)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data((answers.map { $0 + "\n" }.joined()).utf8))
        try input.fileHandleForWriting.close()
        let texts = [output, error].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return (process.terminationStatus, texts[0], texts[1])
    }
}
