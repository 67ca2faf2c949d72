import Foundation
import Glibc
import Testing

@testable import TransitClient

/// Tests of the error for users without permission to use the socket.
@Suite struct SocketGroupTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "transitctl-\(UUID().uuidString)")

    /// Creates a file in place of a socket, owned by a group of the process.
    private func socket(mode: mode_t) throws -> (path: String, group: gid_t) {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("transitd.sock").path
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(chmod(path, mode) == 0)
        var status = stat()
        #expect(stat(path, &status) == 0)
        return (path, status.st_gid)
    }

    private func groups(_ text: String) throws -> String {
        let path = folder.appendingPathComponent("group").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func findsNameOfGroup() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, owner) = try socket(mode: 0o660)
        // A group other than that of root, where the user may choose it.
        let group = chown(path, getuid(), 1) == 0 ? 1 : owner
        let file = try groups("# odd\n\nother:x:4294967295:\nriders:x:\(group):anna,bert\nlater:x:\(group):\n")
        #expect(SocketGroup.name(ofSocket: path, groups: file) == "riders")
        #expect(SocketGroup.name(ofSocket: path, groups: try groups("other:x:4294967295:\n")) == "number \(group)")
        #expect(SocketGroup.name(ofSocket: path, groups: "/nowhere") == "number \(group)")
    }

    @Test func findsNoGroupWithoutPermission() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(SocketGroup.name(ofSocket: try socket(mode: 0o600).path) == nil)
        #expect(SocketGroup.name(ofSocket: "/nowhere/transitd.sock") == nil)
    }

    @Test func remedyNamesTheUserAndTheGroup() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, _) = try socket(mode: 0o660)
        // The group of the process may be that of root, which is never suggested.
        #expect(chown(path, getuid(), 1) == 0 || getuid() != 0)
        var status = stat()
        #expect(stat(path, &status) == 0)
        guard status.st_gid != 0 else { return }
        let users = folder.appendingPathComponent("passwd").path
        try Data("anna:x:7:7::/:/bin/sh\nbert:x:8:8::/:/bin/sh\n".utf8).write(to: URL(fileURLWithPath: users))
        let file = try groups("riders:x:\(status.st_gid):anna\n")
        #expect(
            SocketGroup.remedy(forSocket: path, user: 8, users: users, groups: file)
                == "the group riders has permission: run `sudo usermod -aG riders bert`, and log in again")
        #expect(
            SocketGroup.remedy(forSocket: path, user: 7, users: users, groups: file)
                == "your membership of the group riders takes effect when you log in again")
        // A group of a directory service has no name in the file.
        #expect(
            SocketGroup.remedy(forSocket: path, user: 8, users: users, groups: try groups("other:x:4294967295:\n"))
                == "the group number \(status.st_gid) has permission; ask an administrator to add you to it")
        #expect(
            SocketGroup.remedy(forSocket: try socket(mode: 0o600).path)
                == "only its owner can use it; to run your own daemon, give transitd another path with --socket")
    }

    @Test func groupOfRootIsNotSuggested() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, _) = try socket(mode: 0o660)
        guard chown(path, getuid(), 0) == 0 else { return print("SKIPPED: needs a file of the group of root") }
        #expect(SocketGroup.name(ofSocket: path, groups: try groups("root:x:0:\n")) == nil)
    }
}
