import Foundation
import Glibc
import TransitTestSupport

/// A folder that only the user can write, removed at the end of the test.
final class TemporaryFolder: Sendable {
    let path: String
    private let copiesFiles: Bool

    /// - Parameter copiesFiles: Whether another process writes the files. A process that another test starts at the same
    ///   moment may inherit a file that the test has open for writing, and such a file cannot be executed (ETXTBSY).
    init(copiesFiles: Bool = false) throws {
        self.copiesFiles = copiesFiles
        // The path without links, since /tmp may be one.
        let name = "/tmp/transitd-notify-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: name, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        path = name
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Creates a folder and those above it.
    @discardableResult
    func folder(_ name: String, mode: mode_t = 0o755) throws -> String {
        let folder = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        chmod(folder, mode)
        return folder
    }

    /// Creates a file in a folder that is created if necessary.
    @discardableResult
    func file(_ name: String, _ text: String = "", mode: mode_t = 0o644) throws -> String {
        let file = path + "/" + name
        try folder((name as NSString).deletingLastPathComponent)
        let other = file + ".new"
        try text.write(toFile: other, atomically: false, encoding: .utf8)
        if copiesFiles {
            let copy = TestProcess()
            copy.executableURL = URL(fileURLWithPath: "/bin/cp")
            copy.arguments = ["--remove-destination", other, file]
            try copy.run()
            copy.waitUntilExit()
            unlink(other)
        } else {
            rename(other, file)
        }
        chmod(file, mode)
        return file
    }

    /// Creates an executable shell script.
    @discardableResult
    func script(_ name: String, _ body: String, mode: mode_t = 0o755) throws -> String {
        try file(name, "#!/bin/sh\n" + body + "\n", mode: mode)
    }

    @discardableResult
    func link(_ name: String, to target: String) throws -> String {
        let file = path + "/" + name
        try folder((name as NSString).deletingLastPathComponent)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
        return file
    }

    func text(_ name: String) -> String? { try? String(contentsOfFile: path + "/" + name, encoding: .utf8) }
}
