import Foundation
import Testing
import TransitTestTraits

@testable import transitctl

@Suite(.ownThreads) struct ScreenTests {
    @Test func frameReplacesPreviousFrame() {
        #expect(Screen.frame("a\nb\n", rows: 5) == "\u{1B}[Ha\u{1B}[K\r\nb\u{1B}[K\u{1B}[J")
    }

    /// An extra line would scroll the screen.
    @Test(arguments: [(3, 3), (4, 3), (1, 1)])
    func frameFitsTerminal(_ lines: Int, _ rows: Int) {
        let frame = Screen.frame(String(repeating: "x\n", count: lines), rows: rows)
        #expect(frame.split(separator: "\r\n").count == min(lines, rows))
        #expect(frame.contains("more line") == (lines > rows))
    }

    @Test func tarReadsArchive() throws {
        let files: [(name: String, bytes: [UInt8])] = [
            ("status.json", Array("{}".utf8)), ("../evil/name", Array(repeating: 0x78, count: 513)), ("empty", []),
        ]
        let archive = TarArchive.of(files, time: 1_774_000_000)
        #expect(archive.count % 512 == 0)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".tar")
        try Data(archive).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["tar", "-tvf", path.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let listing = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(listing.contains("status.json"))
        #expect(listing.contains("_.._evil_name"))
        #expect(listing.contains(" 513 "))
        #expect(listing.contains("-rw-------"))
    }
}
