import Glibc
import Testing
import TransitSystem

@testable import TransitServer

@Suite struct ControlListenerTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/run/transitd/transitd.sock"
    }

    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    @Test func socketIsCreatedForUserAndGroup() throws {
        let listener = try ControlListener.own(path: path)
        #expect(mode(path) == S_IFSOCK | 0o660)
        #expect(mode(folder.path + "/run/transitd") == S_IFDIR | 0o700)
        #expect(mode(path + "~") == nil)
        #expect(listener.name == path)
    }

    @Test func missingDirectoriesGetGivenMode() throws {
        let listener = try ControlListener.own(path: path, directoryMode: 0o755)
        defer { listener.close() }
        #expect(mode(folder.path + "/run") == S_IFDIR | 0o755)
    }

    @Test func closeRemovesSocketAndLockFile() throws {
        let listener = try ControlListener.own(path: path)
        listener.close()
        #expect(mode(path) == nil)
        #expect(mode(path + ".lock") == nil)
    }

    @Test func socketOfRunningDaemonIsNotReplaced() throws {
        let first = try ControlListener.own(path: path)
        #expect(throws: ControlSocketError.inUse(path)) { try ControlListener.own(path: path) }
        _ = try TestClient(path)
        first.close()
        _ = try ControlListener.own(path: path)
    }

    @Test func listeningSocketOfOtherProgramIsNotReplaced() throws {
        mkdir(folder.path + "/run", 0o700)
        mkdir(folder.path + "/run/transitd", 0o700)
        let foreign = Descriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        #expect(UnixSocketAddress.bind(foreign.number, to: path) == 0)
        #expect(listen(foreign.number, 1) == 0)
        #expect(throws: ControlSocketError.inUse(path)) { try ControlListener.own(path: path) }
        #expect(mode(path + ".lock") == nil)
        _ = try TestClient(path)
    }

    @Test func socketOfKilledDaemonIsReplaced() throws {
        mkdir(folder.path + "/run", 0o700)
        mkdir(folder.path + "/run/transitd", 0o700)
        do {
            let killed = Descriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
            #expect(UnixSocketAddress.bind(killed.number, to: path) == 0)
            #expect(listen(killed.number, 1) == 0)
        }
        // A killed daemon also leaves its lock file behind, which is no longer locked, and possibly a socket with a
        // temporary name.
        Glibc.close(creat(path + ".lock", 0o600))
        Glibc.close(creat(path + "~", 0o600))
        let listener = try ControlListener.own(path: path)
        _ = try TestClient(path)
        listener.close()
        #expect(mode(path) == nil)
    }

    @Test func otherFileIsNotRemoved() throws {
        mkdir(folder.path + "/run", 0o700)
        mkdir(folder.path + "/run/transitd", 0o700)
        Glibc.close(creat(path, 0o600))
        #expect(throws: ControlSocketError.notASocket(path)) { try ControlListener.own(path: path) }
        #expect(mode(path) == S_IFREG | 0o600)
    }

    @Test func fileThatReplacedSocketIsNotRemoved() throws {
        let listener = try ControlListener.own(path: path)
        unlink(path)
        Glibc.close(creat(path, 0o600))
        listener.close()
        #expect(mode(path) == S_IFREG | 0o600)
    }

    @Test func overlongPathIsReported() throws {
        let long = folder.path + "/" + String(repeating: "x", count: 100)
        #expect(throws: ControlSocketError.pathTooLong(long)) { try ControlListener.own(path: long) }
    }

    @Test func failureToCreateDirectoryIsReported() throws {
        Glibc.close(creat(folder.path + "/run", 0o600))
        #expect {
            try ControlListener.own(path: path)
        } throws: { error in
            "\(error)".contains(folder.path + "/run/transitd") && "\(error)".contains("Not a directory")
        }
    }

    @Test func systemdSocketIsAdopted() throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let bound = folder.path + "/activated"
        #expect(UnixSocketAddress.bind(number, to: bound) == 0)
        #expect(listen(number, 1) == 0)
        let listener = try ControlListener.adopt(number)
        #expect(listener.name == bound)
        #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
        listener.close()
        // The socket file remains, because systemd continues to listen on the socket.
        #expect(mode(bound) != nil)
    }

    @Test func descriptorThatDoesNotListenIsRejected() throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(throws: ControlSocketError.notAListener("\(number)")) { try ControlListener.adopt(number) }
        let file = open("/dev/null", O_RDONLY)
        #expect(throws: ControlSocketError.notAListener("\(file)")) { try ControlListener.adopt(file) }
    }
}
