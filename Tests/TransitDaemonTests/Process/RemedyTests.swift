import Foundation
import Glibc
import Testing
import TransitControl
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Each test causes a fault, runs the command that `doctor` or the error suggests, and finds the fault gone.
@Suite(.enabled(if: BuiltClient.path != nil, "the programs are not built"), .ownThreads) struct RemedyTests {
    private let daemon: DaemonProcess
    private let shell: RemedyShell
    private static let clock = ["--replay-clock", "2026-03-27T06:30:00Z/1"]

    init() throws {
        daemon = try DaemonProcess()
        shell = RemedyShell(daemon: daemon)
        try write(.small)
    }

    private var archive: String { daemon.folder("city.zip") }
    private var configurationFile: String { daemon.folder("config/config.toml") }

    private func write(_ feed: FeedBuilder, to path: String? = nil) throws {
        try Data(feed.zip()).write(to: URL(fileURLWithPath: path ?? archive))
    }

    private func configureCity(_ more: String = "") throws {
        try daemon.configure("[[feed]]\nid = \"city\"\nprovider = \"gtfs\"\nstatic = \"\(archive)\"\n\(more)")
    }

    /// A timetable that ended in 2019.
    private var expired: FeedBuilder {
        FeedBuilder.small.file(
            "calendar.txt",
            """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            weekday,1,1,1,1,1,0,0,20190101,20191231
            weekend,0,0,0,0,0,1,1,20190101,20191231

            """
        ).file("calendar_dates.txt", "service_id,date,exception_type\n")
    }

    /// Waits for a fault and returns it.
    private func fault(_ name: String) throws -> RemedyShell.Check {
        try daemon.eventually("fault of \(name)") { try shell.fault(name) }
    }

    /// Waits until no fault is reported.
    private func expectGone(_ name: String) throws {
        _ = try daemon.eventually("end of the fault of \(name)") {
            try shell.doctor().contains { $0.name == name && $0.outcome == "ok" } ? true : nil
        }
    }

    /// Runs the command of a remedy, which must succeed.
    private func run(_ remedy: String, input: String = "") throws {
        let command = RemedyShell.command(in: remedy)
        let result = try shell.run(command, input: input)
        #expect(result.code == 0, "\(command): \(result)")
    }

    // MARK: Keys

    /// A server that sends the timetable only with the right key.
    private func serverWithKey() throws -> LoopbackServer {
        let archive = FeedBuilder.small.zip()
        return try LoopbackServer(
            readingBodies: true,
            bytes: { request in
                guard request.headers["x-api-key"] == "s3cret" else {
                    return Array("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
                }
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(archive.count)\r\nConnection: close\r\n\r\n"
                return Array(head.utf8) + Array(archive)
            })
    }

    private func configure(_ server: LoopbackServer, _ more: String = "") throws {
        try daemon.configure(
            "[[feed]]\nid = \"city\"\nprovider = \"gtfs\"\nstatic = \"\(server.url("/city.zip"))\"\nkey_header = \"x-api-key\"\n\(more)"
        )
    }

    @Test func missingKeyIsSetWithTheCommand() throws {
        let server = try serverWithKey()
        try configure(server)
        try daemon.start(Self.clock)
        let key = try fault("feed.city.key")
        #expect(try fault("feed.city.timetable").remedy == key.remedy)
        // The error of a command gives the same remedy.
        let next = try shell.run("transitctl departures harbor")
        #expect(next.error.contains(RemedyShell.command(in: key.remedy)), "\(next)")
        try run(key.remedy, input: "s3cret\n")
        // From then on, nothing says that the key is missing.
        let after = try shell.run("transitctl status; transitctl feed list; transitctl doctor")
        #expect(!(after.output + after.error).contains("needs a key"), "\(after)")
        try expectGone("feed.city.key")
        try expectGone("feed.city.timetable")
    }

    @Test func rejectedKeyIsReplacedWithTheCommand() throws {
        let server = try serverWithKey()
        try configure(server)
        try FileManager.default.createDirectory(atPath: daemon.folder("state/keys"), withIntermediateDirectories: true)
        try daemon.folder.write(secret: "wrong", as: "state/keys/city.key")
        try daemon.start(Self.clock)
        try run(try fault("feed.city.key").remedy, input: "s3cret\n")
        try expectGone("feed.city.key")
        try expectGone("feed.city.timetable")
    }

    @Test func keyFileThatOthersCanReadIsProtectedWithTheCommand() throws {
        let server = try serverWithKey()
        try daemon.folder.write(secret: "s3cret", as: "key")
        try configure(server, "key_file = \"\(daemon.folder("key"))\"\n")
        #expect(chmod(daemon.folder("key"), 0o644) == 0)
        try daemon.start(Self.clock)
        try run(try fault("feed.city.key").remedy)
        try expectGone("feed.city.key")
        try expectGone("feed.city.timetable")
    }

    // MARK: Timetables

    /// The timetable ended while its source could not be read.
    @Test func expiredTimetableIsUpdatedWithTheCommand() throws {
        try configureCity()
        try daemon.start(Self.clock)
        try expectGone("feed.city.timetable")
        daemon.signal(SIGTERM)
        #expect(daemon.wait().code == 0)
        #expect(rename(archive, archive + ".moved") == 0)
        try daemon.start(["--replay-clock", "2027-01-04T06:30:00Z/1"])
        let notice = try daemon.eventually("the expired timetable") {
            let error = try shell.run("transitctl departures harbor").error
            return error.contains("ended on 2026-12-31") ? error : nil
        }
        #expect(notice.contains("transitctl feed update city"), "\(notice)")
        let fault = try fault("feed.city.timetable")
        // The source has a newer timetable.
        try write(
            FeedBuilder.small.file(
                "calendar.txt",
                """
                service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
                weekday,1,1,1,1,1,0,0,20270101,20271231
                weekend,0,0,0,0,0,1,1,20270101,20271231

                """))
        try run(fault.remedy)
        try expectGone("feed.city.timetable")
    }

    @Test func sourceWithoutANewTimetableIsReplacedInTheConfiguration() throws {
        try write(expired)
        try configureCity()
        try daemon.start(Self.clock)
        let fault = try daemon.eventually("the expired timetable") {
            try shell.fault("feed.city.timetable").flatMap { $0.message.contains("2019-12-31") ? $0 : nil }
        }
        // An update cannot help, and the remedy names the file and the key to change.
        #expect(!fault.remedy.contains("feed update"), "\(fault)")
        #expect(fault.remedy.contains("`static`") && fault.remedy.contains(configurationFile), "\(fault)")
        try write(.small, to: daemon.folder("new.zip"))
        try daemon.configure("[[feed]]\nid = \"city\"\nprovider = \"gtfs\"\nstatic = \"\(daemon.folder("new.zip"))\"\n")
        try run(String(fault.remedy.split(separator: "`").last { $0.hasPrefix("transitctl ") } ?? ""))
        try expectGone("feed.city.timetable")
    }

    @Test func unknownFeedIsNamedInTheHint() throws {
        try configureCity()
        try daemon.start(Self.clock)
        let error = try shell.run("transitctl feed update cty").error
        let name = error.split(separator: "\"").map(String.init)
        #expect(name.contains("city"), "\(error)")
        try run("transitctl feed update \(name.last { $0 == "city" } ?? "")")
        let other = try shell.run("transitctl feed update something-else").error
        #expect(other.contains("The feeds are city."), "\(other)")
    }

    // MARK: Configuration

    @Test func invalidConfigurationIsCorrectedAndReloaded() throws {
        try configureCity()
        try daemon.start(Self.clock)
        try configureCity("refresh_interval = \"soon\"\n")
        let fault = try fault("configuration")
        #expect(fault.remedy.contains(":5"), "\(fault)")
        try configureCity()
        try run(fault.remedy)
        try expectGone("configuration")
    }

    @Test func invalidConfigurationThatPreventsTheStartIsShown() throws {
        try configureCity("refresh_interval = \"soon\"\n")
        #expect(try daemon.run([]).code == 78)
        let checks = try shell.doctor()
        let fault = try #require(checks.first { $0.name == "configuration" && $0.outcome == "failed" })
        #expect(fault.message.contains("config.toml:5"), "\(fault)")
        // Starting it is not suggested before the cause has gone.
        #expect(checks.first { $0.name == "daemon" }?.remedy.contains("first") == true, "\(checks)")
        try configureCity()
        #expect(try shell.run(RemedyShell.command(in: fault.remedy)).code == 0)
        try start(with: try #require(try shell.doctor().first { $0.name == "daemon" }).remedy)
        try expectGone("configuration")
    }

    // MARK: The daemon

    /// Runs the command that starts the daemon in the foreground, in the background of this test.
    private func start(with remedy: String) throws {
        let command = RemedyShell.command(in: remedy)
        #expect(command.hasPrefix("transitd"), "\(remedy)")
        let arguments = command.split(separator: " ").dropFirst().map(String.init)
        try daemon.start(arguments)
    }

    @Test func daemonWithoutUnitsIsStartedInTheForeground() throws {
        try configureCity()
        let error = try shell.run("transitctl next").error
        #expect(!error.contains("systemctl"), "\(error)")
        let unit = try #require(try shell.doctor().first { $0.name == "unit" })
        #expect(unit.outcome == "warning" && !unit.remedy.contains("systemctl"), "\(unit)")
        try start(with: try #require(try shell.doctor().first { $0.name == "daemon" }).remedy)
        #expect(try shell.run("transitctl status").code == 0)
    }

    @Test func wrongSocketVariableIsNamed() throws {
        try configureCity()
        let runtime = daemon.folder("runtime")
        try FileManager.default.createDirectory(atPath: runtime + "/transitd", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: runtime + "/transitd/transitd.sock", withDestinationPath: daemon.socket)
        try daemon.start(Self.clock)
        let environment = shell.environment.merging([
            "TRANSITD_SOCKET": daemon.folder("nowhere.sock"), "XDG_RUNTIME_DIR": runtime,
        ]) { $1 }
        let error = try shell.run("transitctl status", environment: environment).error
        #expect(error.contains("TRANSITD_SOCKET"), "\(error)")
        let daemonCheck = try #require(try shell.doctor(environment: environment).first { $0.name == "daemon" })
        let command = RemedyShell.command(in: daemonCheck.remedy)
        #expect(command == "unset TRANSITD_SOCKET", "\(daemonCheck)")
        #expect(try shell.run("\(command); transitctl status", environment: environment).code == 0)
        // An option is named too.
        let option = try shell.run("transitctl --socket \(daemon.folder("x")) status", environment: environment).error
        #expect(option.contains("--socket"), "\(option)")
    }

    @Test(.enabled(if: getuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0, "needs root and setpriv"))
    func userWithoutPermissionIsAddedToTheGroup() throws {
        try configureCity()
        try daemon.start(Self.clock)
        // The folder can be entered by all, and the socket belongs to the group "users", as that of a system daemon
        // belongs to "transitd".
        let group = try #require(getgrnam("users")).pointee.gr_gid
        for folder in [daemon.folder.path, daemon.folder("run")] { #expect(chmod(folder, 0o755) == 0) }
        #expect(chown(daemon.socket, 0, group) == 0 && chmod(daemon.socket, 0o660) == 0)
        func client(groups: String) throws -> RemedyShell.Result {
            try shell.run(
                "setpriv --reuid=65534 --regid=65534 \(groups) transitctl --socket \(daemon.socket) status")
        }
        let refused = try client(groups: "--clear-groups")
        #expect(refused.code == 77, "\(refused)")
        let command = RemedyShell.command(in: refused.error)
        #expect(command == "sudo usermod -aG users nobody", "\(refused)")
        // The command changes copies of the system's files.
        try FileManager.default.createDirectory(atPath: daemon.folder("root/etc"), withIntermediateDirectories: true)
        for file in ["passwd", "group", "shadow", "gshadow"] {
            try? FileManager.default.copyItem(atPath: "/etc/\(file)", toPath: daemon.folder("root/etc/\(file)"))
        }
        let changed = try shell.run(
            command.replacingOccurrences(of: "sudo usermod", with: "usermod --prefix \(daemon.folder("root"))"))
        #expect(changed.code == 0, "\(changed)")
        let groups = try String(contentsOfFile: daemon.folder("root/etc/group"), encoding: .utf8)
        #expect(groups.contains("users:x:\(group):nobody"), "\(groups)")
        let allowed = try client(groups: "--groups \(group)")
        #expect(allowed.code == 0, "\(allowed)")
        // The group of root gives much more than permission to use a socket.
        #expect(chown(daemon.socket, 0, 0) == 0)
        let root = try client(groups: "--clear-groups")
        #expect(root.code == 77 && !root.error.contains("usermod"), "\(root)")
    }

    @Test(.enabled(if: SmallDisk.canBeMounted, "this user cannot mount a tmpfs"))
    func fullDiskIsNamedAndFreed() throws {
        let disk = try SmallDisk(bytes: 8 << 20, at: daemon.folder("cache"))
        try configureCity()
        disk.fill()
        try daemon.start(Self.clock)
        let full = try fault("disk")
        #expect(full.message == "The disk is full." && full.remedy.contains(disk.path), "\(full)")
        #expect(try shell.run(RemedyShell.command(in: full.remedy)).output.contains(disk.path))
        let timetable = try daemon.eventually("the failed import") {
            try shell.fault("feed.city.timetable").flatMap { $0.message.contains("full") ? $0 : nil }
        }
        #expect(timetable.remedy.contains("Free disk space"), "\(timetable)")
        disk.free()
        try run(timetable.remedy)
        try expectGone("feed.city.timetable")
        #expect(try shell.fault("disk")?.message != "The disk is full.")
    }

    @Test(.enabled(if: SmallDisk.canBeMounted, "this user cannot mount a tmpfs"))
    func fullDiskThatPreventsTheStartIsNamed() throws {
        let disk = try SmallDisk(bytes: 1 << 20, at: daemon.folder("state"))
        try configureCity()
        disk.fill()
        #expect(try daemon.run([]).code != 0)
        let checks = try shell.doctor()
        let full = try #require(checks.first { $0.name == "disk.state" && $0.outcome == "failed" }, "\(checks)")
        #expect(full.remedy.contains(disk.path), "\(full)")
        #expect(checks.first { $0.name == "daemon" }?.remedy.contains("first") == true, "\(checks)")
        disk.free()
        try start(with: try #require(try shell.doctor().first { $0.name == "daemon" }).remedy)
        #expect(try shell.run("transitctl status").code == 0)
    }

    @Test func damagedStateIsRestoredByARestart() throws {
        try configureCity()
        try daemon.start(Self.clock)
        try run("transitctl place set home 53.5405,9.9805")
        daemon.signal(SIGTERM)
        #expect(daemon.wait().code == 0)
        try copyLogIntoState()
        try daemon.start(Self.clock)
        try damageState()
        let fault = try fault("state")
        // Without a unit, the command ends the daemon, and the user starts it again.
        #expect(fault.remedy.contains("`transitd`"), "\(fault)")
        try run(fault.remedy)
        #expect(daemon.wait().code == 0)
        try daemon.start(Self.clock)
        try expectGone("state")
    }

    /// Copies SQLite's log into the state file, so that a damaged page of the file is read.
    private func copyLogIntoState() throws {
        let copied = try shell.run(
            "python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(\"PRAGMA wal_checkpoint(TRUNCATE)\")' "
                + daemon.folder("state/state.sqlite"))
        #expect(copied.code == 0, "\(copied)")
    }

    /// Overwrites pages of the state file while the daemon uses it, except for the first one.
    private func damageState() throws {
        let path = daemon.folder("state/state.sqlite")
        let file = open(path, O_RDWR)
        defer { close(file) }
        var status = stat()
        #expect(file >= 0 && fstat(file, &status) == 0 && status.st_size > 8192)
        let garbage = [UInt8](repeating: 0xA5, count: 4096)
        for page in stride(from: 4096, to: Int(status.st_size), by: 4096) {
            #expect(pwrite(file, garbage, garbage.count, off_t(page)) == garbage.count)
        }
    }

    // MARK: The agent

    @Test(.enabled(if: AgentProcess.executable != nil, "transitd-notify is not built"))
    func refusedAgentIsReplacedWithTheCommand() throws {
        try configureCity()
        try daemon.start(Self.clock)
        try run("transitctl notify on")
        // No agent runs.
        let missing = try fault("notifications")
        #expect(RemedyShell.command(in: missing.remedy) == "transitd-notify", "\(missing)")
        // An agent of another version is refused. It inherits the signal mask of a thread of the tests, which blocks
        // SIGTERM; that of a user's shell does not.
        let script = """
            import signal, socket, sys, time
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
            s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":[{"topic":"notifications",\
            "from_the_future":true}]}}\\n')
            print(s.recv(4096)); sys.stdout.flush()
            time.sleep(600)
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: daemon.folder("agent.py")))
        let old = TestProcess()
        old.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        old.arguments = [daemon.folder("agent.py"), daemon.socket]
        try old.run()
        defer { if old.isRunning { kill(old.processIdentifier, SIGKILL) } }
        let refused = try daemon.eventually("the refusal") {
            try shell.fault("notifications").flatMap { $0.message.contains("refused") ? $0 : nil }
        }
        let command = RemedyShell.command(in: refused.remedy)
        try #require(command == "kill \(old.processIdentifier)", "\(refused)")
        #expect(try shell.run(command).code == 0)
        try #require(eventually { !old.isRunning }, "\(command) did not end the program")
        let agent = try AgentProcess(daemon)
        try expectGone("notifications")
        #expect(agent.end() == 0)
    }
}
