import Foundation
import Glibc
import Testing
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// The built daemon as a person starts it in a shell: with a terminal, without a service manager's limits.
@Suite(.enabled(if: DaemonProcess.executable != nil, "transitd is not built"), .ownThreads)
struct TerminalProcessTests {
    /// A pseudoterminal (pty(7)). Closing ``controller`` is what a terminal emulator does when its window closes.
    private struct Terminal {
        let controller: FileHandle
        let device: FileHandle

        init() throws {
            let number = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            try #require(number >= 0)
            controller = FileHandle(fileDescriptor: number, closeOnDealloc: true)
            var (unlocked, device): (CInt, CInt) = (0, 0)
            // TIOCSPTLCK and TIOCGPTN
            try #require(ioctl(number, 0x4004_5431, &unlocked) == 0 && ioctl(number, 0x8004_5430, &device) == 0)
            let side = open("/dev/pts/\(device)", O_RDWR | O_NOCTTY | O_CLOEXEC)
            try #require(side >= 0)
            self.device = FileHandle(fileDescriptor: side, closeOnDealloc: true)
        }
    }

    private func daemon(_ launcher: [String]) throws -> DaemonProcess {
        let daemon = try DaemonProcess()
        try daemon.configure("[[feed]]\nid = \"demo\"\nprovider = \"demo\"\n")
        daemon.launcher = launcher
        return daemon
    }

    private static let setsid = "/usr/bin/setsid"
    private static let hasSetsid = FileManager.default.isExecutableFile(atPath: setsid)

    private static func pid(_ daemon: DaemonProcess) throws -> pid_t {
        let status = try daemon.ask("status")
        guard case .int(let pid)? = status["daemon"]?["pid"] else { throw DaemonFailure(reason: "no pid") }
        return pid_t(pid)
    }

    @Test(.enabled(if: hasSetsid, "setsid is missing")) func daemonEndsWithItsTerminal() throws {
        let terminal = try Terminal()
        let daemon = try daemon([Self.setsid, "-c", "-w"])
        daemon.standardInput = terminal.device
        try daemon.start()
        // A hangup signal while the terminal is there reloads the configuration.
        try daemon.configure("")
        kill(try Self.pid(daemon), SIGHUP)
        try daemon.wait(for: "RELOADING=1")
        try daemon.wait(for: "READY=1")
        try terminal.device.close()
        try terminal.controller.close()
        #expect(daemon.wait().code == 0)
        #expect(daemon.output().contains("The terminal was closed."))
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    }

    @Test(.enabled(if: hasSetsid, "setsid is missing")) func ignoredHangupStaysIgnored() throws {
        let terminal = try Terminal()
        // The shell ignores the signal for the program, as nohup(1) does.
        let daemon = try daemon([
            Self.setsid, "-c", "-w", "/bin/sh", "-c", "trap '' HUP; exec \"$@\"", "nohup",
        ])
        daemon.standardInput = terminal.device
        try daemon.start()
        let pid = try Self.pid(daemon)
        try daemon.configure("")
        try terminal.device.close()
        try terminal.controller.close()
        kill(pid, SIGHUP)
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let ignored = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") })
        let mask = try #require(UInt64(ignored.split(separator: "\t")[1], radix: 16))
        #expect(mask & 1 << (UInt64(SIGHUP) - 1) != 0)
        // It answers, and has not read the configuration again.
        #expect(try daemon.ask("feed.list")["feeds"]?.description.contains("demo") == true)
        kill(pid, SIGTERM)
        #expect(daemon.wait().code == 0)
    }

    @Test func daemonGivesUpPrivileges() throws {
        let daemon = try daemon([])
        try daemon.start()
        let status = try String(contentsOfFile: "/proc/\(try Self.pid(daemon))/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1"))
    }

    /// With so few files the daemon could open no timetable once clients are connected.
    @Test func tooLowLimitOfOpenFilesIsRefusedWithARemedy() throws {
        let daemon = try daemon(["/bin/sh", "-c", "ulimit -n 24; exec \"$@\"", "limited"])
        let (code, output) = try daemon.run([])
        #expect(code == 1)
        #expect(output.contains("transitd may open only 24 files at a time and needs 64"), "\(output)")
        // The command that the message names.
        daemon.launcher[2] = "ulimit -n 64; exec \"$@\""
        try daemon.start()
        let hello = try daemon.ask("hello")
        #expect(hello["protocol"] == 1)
        // The limits that follow from the limit on open files.
        #expect(hello["limits"]?["connections"] == 32 && hello["limits"]?["connections_per_user"] == 32)
    }

    private static let limitsThreads =
        getuid() == 0
        && ["/usr/bin/setpriv", "/usr/bin/prlimit"].allSatisfy(FileManager.default.isExecutableFile(atPath:))

    /// The limit counts the threads of a user, and not those of root.
    @Test(.enabled(if: limitsThreads, "needs root, setpriv and prlimit"), arguments: 1...4)
    func tooLowLimitOfThreadsIsRefusedWithARemedy(limit: Int) throws {
        let uid = uid_t(100_000 * limit) + uid_t(getpid())
        let daemon = try daemon([
            "/usr/bin/setpriv", "--reuid=\(uid)", "--regid=\(uid)", "--clear-groups", "/usr/bin/prlimit",
            "--nproc=\(limit)",
        ])
        try #require(chown(daemon.folder.path, uid, uid) == 0)
        let (code, output) = try daemon.run([])
        #expect(code == 1)
        #expect(output.contains("transitd cannot run: the thread "), "\(output)")
        #expect(output.contains("TasksMax= in the unit, or ulimit -u"), "\(output)")
    }

    @Test func answersContinueAfterManyConnectionsWithFewOpenFiles() throws {
        let daemon = try daemon(["/bin/sh", "-c", "ulimit -n 64; exec \"$@\"", "limited"])
        try daemon.start()
        try daemon.eventually("timetable") { try? daemon.ask("departures", ["stop": "central"])["stop"] }
        for _ in 0..<3 {
            // The daemon may not have noticed yet that the clients before have gone.
            let first: DaemonClient = try daemon.eventually("connection") {
                guard let client = try? DaemonClient(daemon.socket), (try? client.ask("hello")) != nil else {
                    return nil
                }
                return client
            }
            var clients = [first]
            for _ in 0..<59 { if let client = try? DaemonClient(daemon.socket) { clients.append(client) } }
            #expect(try clients[0].ask("departures", ["stop": "central"])["stop"] != nil)
            // Clients beyond the limit receive an error rather than nothing.
            #expect(throws: (any Error).self) { try clients[59].ask("hello") }
        }
        try daemon.eventually("answer") { try? daemon.ask("departures", ["stop": "central"])["stop"] }
    }
}
