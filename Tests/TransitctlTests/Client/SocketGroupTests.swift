import Foundation
import Glibc
import Testing

@testable import transitctl

/// What a person is told who may not use the socket.
@Suite struct SocketGroupTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "transitctl-\(UInt32.random(in: 0...UInt32.max))")

    /// A file in the place of a socket, of a group that the process is in.
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

    @Test func theGroupThatMayIsNamed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, group) = try socket(mode: 0o660)
        let file = try groups("# odd\n\nother:x:4294967295:\nriders:x:\(group):anna,bert\nlater:x:\(group):\n")
        #expect(SocketGroup.name(ofSocket: path, groups: file) == "riders")
        #expect(SocketGroup.name(ofSocket: path, groups: try groups("other:x:4294967295:\n")) == "number \(group)")
        #expect(SocketGroup.name(ofSocket: path, groups: "/nowhere") == "number \(group)")
    }

    @Test func whereNoGroupMayNoneIsNamed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(SocketGroup.name(ofSocket: try socket(mode: 0o600).path) == nil)
        #expect(SocketGroup.name(ofSocket: "/nowhere/transitd.sock") == nil)
    }

    @Test func theRemedyIsTold() {
        #expect(
            ClientError.denied(path: "/run/transitd/transitd.sock", group: "transitd").message == """
                not allowed to use /run/transitd/transitd.sock
                the group transitd may: be added to it by `usermod -aG transitd NAME` as root and log in again, \
                or run a daemon of your own
                """)
        #expect(
            ClientError.denied(path: "/x", group: nil).message
                == "not allowed to use /x\nask who it belongs to, or run a daemon of your own")
    }
}
