import Foundation
import Glibc
import Testing

@testable import TransitClient
@testable import transitctl

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
        let (path, group) = try socket(mode: 0o660)
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

    @Test func errorHasRemedy() {
        #expect(
            ClientError.denied(path: "/run/transitd/transitd.sock", group: "transitd").message == """
                no permission to use /run/transitd/transitd.sock
                the group transitd has permission: run `usermod -aG transitd NAME` as root and log in again, or run \
                your own daemon
                """)
        #expect(
            ClientError.denied(path: "/x", group: nil).message
                == "no permission to use /x\nask its owner, or run your own daemon")
    }
}
