import Foundation
import TransitTestSupport

/// Runs the built `transitctl`.
enum Program {
    struct Outcome {
        var status: Int32
        var output: String
        var error: String
    }

    /// The path of the program, in the directory of the test executable.
    static let url: URL? = {
        let directory = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let url = directory.appendingPathComponent("transitctl")
        return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
    }()

    /// Runs the program with only `environment` as its environment.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: String = ""
    ) async throws -> Outcome {
        let process = TestProcess()
        process.executableURL = url
        process.arguments = arguments
        process.environment = environment
        let (output, error, standardInput) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        process.standardInput = standardInput
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        // The output fits into the pipe buffers, so reading the pipes one after the other cannot deadlock.
        let texts = [output, error].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: texts[0], error: texts[1])
    }

    /// Runs the program until it writes `word`, and then interrupts it.
    static func interrupted(_ arguments: [String], after word: String) async throws -> Outcome {
        let process = TestProcess()
        process.executableURL = url
        process.arguments = arguments
        process.environment = [:]
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        try process.run()
        var text = Data()
        while !String(decoding: text, as: UTF8.self).contains(word) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
        }
        process.interrupt()
        text += output.fileHandleForReading.readDataToEndOfFile()
        let complaint = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self), error: complaint)
    }
}
