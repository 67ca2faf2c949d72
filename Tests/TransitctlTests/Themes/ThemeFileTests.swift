import Foundation
import Glibc
import Testing

@testable import transitctl

@Suite struct ThemeFileTests {
    /// Runs `body` with the path of a theme file in a temporary directory.
    private func withFile(_ body: (ThemeFile, String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("theme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("transitctl/theme").path
        try body(ThemeFile(path: path), path)
    }

    private func create(_ text: String, at path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private func failure(_ file: ThemeFile) -> String? {
        do throws(ThemeFile.Failure) {
            _ = try file.read()
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: [
        (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/transitctl/theme"),
        (["HOME": "/h"], "/h/.local/state/transitctl/theme"),
        (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/transitctl/theme"),
        (["XDG_STATE_HOME": "", "HOME": "h"], nil), ([:], nil),
    ])
    func pathFollowsXDG(_ environment: [String: String], _ path: String?) {
        #expect(ThemeFile { environment[$0] }.path == path)
    }

    @Test func contentIsRemembered() throws {
        try withFile { file, path in
            #expect(try file.read() == ThemeFile.Content())
            var content = ThemeFile.Content()
            (content.theme, content.background) = (.ocean, .light)
            for number in 0..<12 { content.add(.dark, of: "terminal\(number)") }
            content.add(.light, of: "terminal5")
            try file.write(content)
            #expect(try file.read() == content)
            #expect(content.reports.count == 8)
            #expect(content.reported(by: "terminal5") == .light)
            #expect(content.reported(by: "terminal0") == nil)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: (path as NSString).deletingLastPathComponent)
            #expect(names == ["theme"])
        }
    }

    @Test func symbolicLinkIsPreserved() throws {
        try withFile { file, path in
            try create("theme dark\n", at: path + "-target")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "-target")
            var content = try file.read()
            #expect(content.theme == .dark)
            content.theme = .ocean
            try file.write(content)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == path + "-target")
            #expect(try file.read().theme == .ocean)
        }
    }

    @Test(arguments: [
        "theme nosuch\n", "theme\n", "theme ocean dark\n", "nosuch 1\n", "background gray\n", "reported xterm gray\n",
        "\u{1B}]0;owned\u{07}\n", "theme \u{0}\n", String(repeating: "reported x dark\n", count: 9),
        "theme ocean\ngarbage",
    ])
    func damagedContentIsReported(_ text: String) throws {
        try withFile { file, path in
            try create(text, at: path)
            let line = text.split(separator: "\n").count
            #expect(failure(file) == "Line \(line) of the theme file \(path) is not valid.")
        }
    }

    @Test func invalidUTF8IsReported() throws {
        try withFile { file, path in
            try create("", at: path)
            try Data([0xFF, 0xFE, 0x80, 0x0A]).write(to: URL(fileURLWithPath: path))
            #expect(failure(file)?.contains("is not valid") == true)
        }
    }

    @Test func hugeFileIsNotRead() throws {
        try withFile { file, path in
            try create(String(repeating: "#", count: 4096), at: path)
            #expect(failure(file) == nil)
            try create(String(repeating: "#", count: 4097), at: path)
            #expect(failure(file) == "The theme file \(path) is larger than 4096 bytes.")
            // A sparse file of one terabyte.
            #expect(truncate(path, 1 << 40) == 0)
            #expect(failure(file) == "The theme file \(path) is larger than 4096 bytes.")
        }
    }

    /// Opening a FIFO would wait for a writer.
    @Test func otherKindsOfFilesAreReported() throws {
        try withFile { file, path in
            try create("", at: path)
            unlink(path)
            #expect(mkfifo(path, 0o600) == 0)
            #expect(failure(file) == "The theme file \(path) is not a regular file.")
            // Choosing a theme replaces it.
            try file.write(ThemeFile.Content())
            #expect(failure(file) == nil)
            unlink(path)
            mkdir(path, 0o700)
            #expect(failure(file) == "The theme file \(path) is a directory.")
            #expect(throws: ThemeFile.Failure.self) { try file.write(ThemeFile.Content()) }
            rmdir(path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
            #expect(failure(file) == "The theme file \(path) is not a regular file.")
            unlink(path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
            #expect(failure(file)?.hasPrefix("Cannot read the theme file") == true)
        }
    }

    @Test func missingHomeIsReported() {
        let file = ThemeFile(path: nil)
        #expect(failure(file) == nil)
        #expect {
            try file.write(ThemeFile.Content())
        } throws: { ($0 as? ThemeFile.Failure)?.message.contains("XDG_STATE_HOME") == true }
    }

    @Test(arguments: [
        (["TERM": "xterm"], "xterm"), (["TERM": "xterm", "TERM_PROGRAM": "ghostty"], "xterm/ghostty"), ([:], nil),
        (["TERM": "two words"], nil), (["TERM": String(repeating: "x", count: 101)], nil), (["TERM": "a\nb"], nil),
    ])
    func terminalsHaveNames(_ environment: [String: String], _ name: String?) {
        #expect(ThemeFile.terminal { environment[$0] } == name)
    }
}
