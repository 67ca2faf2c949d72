import Foundation
import TransitTestTraits

/// A user's session with a private message bus, a notification server and a fake transitctl, in a temporary folder.
final class NotificationDesktop {
    let folder: TemporaryFolder
    let address: String
    private var programs: [RunningProgram] = []
    /// The programs that the session ends, oldest first. Servers come last.
    private(set) var server: RunningProgram?
    private var display: String?
    private var lastQuestion = 0
    /// Changes of the environment of hooks.
    var variables: [String: String] = [:]

    static let isAvailable = TestPath.has(["dbus-daemon", "python3"], for: "desktop notifications")
    static let hasDunst =
        isAvailable && TestPath.has(["dunst", "dunstctl", "Xvfb", "notify-send"], for: "notifications with dunst")
    static let hasXfce =
        isAvailable && FileManager.default.isExecutableFile(atPath: xfceServer)
        && TestPath.has(["Xvfb", "dbus-monitor"], for: "notifications with xfce4-notifyd")
    private static let xfceServer: String = {
        let folder =
            "/usr/lib/" + ((try? ProgramOutcome.run(["uname", "-m"]).output.trimmingCharacters(in: .newlines)) ?? "")
        return folder + "-linux-gnu/xfce4/notifyd/xfce4-notifyd"
    }()

    init() throws {
        folder = try TemporaryFolder()
        address = "unix:path=\(folder.path)/bus"
        let configuration = try folder.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
              "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
              </policy>
            </busconfig>
            """, to: "bus.conf")
        try folder.write("#!/bin/sh\necho \"$@\" >>\(folder.path)/acted\n", to: "bin/transitctl", permissions: 0o755)
        let bus = try RunningProgram(
            ["dbus-daemon", "--nofork", "--print-address", "--config-file=\(configuration)"])
        try bus.wait(for: "unix:")
        programs.append(bus)
    }

    deinit {
        // A waiting process ends when its notification is closed, but the server may be gone.
        for line in (folder.read("transitd/bubbles") ?? "").split(separator: "\n") {
            let fields = line.split(separator: " ")
            if fields.count > 4, let pid = Int32(fields[4]), pid > 1 { kill(-pid, SIGKILL) }
        }
        server?.stop()
        for program in programs.reversed() { program.stop() }
    }

    var environment: [String: String] {
        [
            "PATH": TestPath.path, "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "LANG": "C.UTF-8",
            "DBUS_SESSION_BUS_ADDRESS": address, "TRANSITCTL": folder.path + "/bin/transitctl",
        ].merging(variables) { $1 }
    }

    // MARK: Servers

    /// Starts a fake server, instead of the present one.
    func startFakeServer(_ capabilities: String = "body,body-markup,actions", mode: String = "") throws {
        server?.stop()
        server = try RunningProgram([
            "python3", TestPath.upstream("fake_notifications.py"), folder.path + "/bus", capabilities, mode,
        ])
        try server?.wait(for: "ready\n")
    }

    /// The calls that the fake server has answered. What it prints arrives later than its replies, so this waits until the
    /// answer to a question, which comes after them, has arrived.
    var calls: [[String: Any]] {
        lastQuestion += 1
        try? server?.send("sync \(lastQuestion)\n")
        try? server?.wait(for: "{\"sync\": \(lastQuestion)}\n")
        return (server?.output ?? "").split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }.filter { $0["call"] != nil }
    }

    private func startScreen() throws {
        if display == nil {
            let screen = try RunningProgram([
                "Xvfb", "-displayfd", "1", "-screen", "0", "480x104x24", "-nolisten", "tcp",
            ])
            programs.append(screen)
            // It prints the number of the screen in a line, among warnings.
            eventually { screen.lines.contains { Int($0) != nil } || !screen.isRunning }
            display = screen.lines.first { Int($0) != nil }.map { ":" + $0 }
        }
    }

    /// Starts xfce4-notifyd, instead of the present server.
    func startXfce() throws {
        server?.stop()
        try startScreen()
        server = try RunningProgram(
            [Self.xfceServer],
            environment: environment.merging(["DISPLAY": display ?? "", "GDK_BACKEND": "x11"]) { $1 })
        eventually { (try? serverName())?.contains("Xfce") == true || server?.isRunning != true }
        guard server?.isRunning == true else {
            throw RunningProgram.Failure(reason: "xfce4-notifyd: \(server.map { $0.output + $0.error } ?? "")")
        }
    }

    /// Asks the present server for its name.
    private func serverName() throws -> String {
        try ProgramOutcome.run(
            [
                "dbus-send", "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.Notifications",
                "/org/freedesktop/Notifications", "org.freedesktop.Notifications.GetServerInformation",
            ], environment: environment
        ).output
    }

    /// Starts dunst, instead of the present server. Its default action is "taken".
    func startDunst() throws {
        server?.stop()
        try startScreen()
        try folder.write(
            """
            [global]
            width = (300, 440)
            origin = top-right
            offset = 8x8
            font = DejaVu Sans 11
            markup = full
            frame_color = "#c8a050"
            frame_width = 2
            corner_radius = 6
            background = "#2a2420"
            foreground = "#f4ead8"
            [all]
            appname = "*"
            action_name = taken
            """, to: "dunstrc")
        server = try RunningProgram(
            ["dunst", "-config", folder.path + "/dunstrc"],
            environment: environment.merging(["DISPLAY": display ?? ""]) { $1 })
        // dunstctl fails until dunst owns its name.
        eventually { (try? dunstctl("is-paused").status) == 0 || server?.isRunning != true }
        guard server?.isRunning == true else {
            throw RunningProgram.Failure(reason: "dunst: \(server.map { $0.output + $0.error } ?? "")")
        }
    }

    func dunstctl(_ arguments: String...) throws -> ProgramOutcome {
        try ProgramOutcome.run(["dunstctl"] + arguments, environment: environment)
    }

    // MARK: Hooks

    /// Runs the hook for an event.
    @discardableResult
    func run(_ changes: [String: Any] = [:]) throws -> ProgramOutcome {
        try ProgramOutcome.run([TestPath.hook], environment: environment, input: SampleEvent(changes).json)
    }

    /// Shows a notification of another program, and returns its identifier.
    func showOther(_ title: String) throws -> String {
        try ProgramOutcome.run(["notify-send", "-p", "--", title], environment: environment).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// What the fake transitctl was told.
    var acted: String { folder.read("acted") ?? "" }

    /// The processes of all notifications in the file, which may have ended.
    var processes: [Int32] {
        (folder.read("transitd/bubbles") ?? "").split(separator: "\n").compactMap { Int32($0.split(separator: " ")[4]) }
            .filter { $0 > 1 }
    }

    /// The process of the only notification, if it runs.
    var waiter: Int32? { processes.first.flatMap { Self.isRunning($0) ? $0 : nil } }

    func stopBus() { programs.first?.stop() }

    /// Whether a process runs. One that nothing has waited for has ended too.
    static func isRunning(_ pid: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return false }
        return !text[end...].hasPrefix(") Z")
    }
}
