internal import CLinux
internal import Glibc
package import TransitClient

/// The hook `notify-send`: shows a notification event as a desktop notification.
///
/// A process for each notification shows it and waits for its end. The hook remembers which notification each key has, so that
/// an update replaces it and a withdrawal closes it. The server's identifier of a notification is used only while the same server runs:
/// another server, or the same one after a restart, may have given it to a notification of another program.
package struct DesktopNotificationHook {
    /// The time limit of a run in milliseconds, less than the 10 s that hooks have.
    package static let timeout = 8000

    private let variable: (String) -> String?
    private let environment: [String]
    private let deadline: Deadline
    /// Receives warnings.
    private let report: (String) -> Void

    /// - Parameters:
    ///   - environment: The environment, as `NAME=value`.
    ///   - report: Receives warnings that do not prevent the notification.
    package init(environment: [String], deadline: Deadline, report: @escaping (String) -> Void) {
        self.environment = environment
        self.deadline = deadline
        self.report = report
        variable = Self.variable(of: environment)
    }

    /// Returns a function that finds a variable in an environment.
    static func variable(of environment: [String]) -> (String) -> String? {
        { name in
            environment.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
        }
    }

    /// The first argument of `transitctl` that runs the hook.
    package static let command = "notify-send"

    /// The main function of the hook. Returns the exit status.
    ///
    /// - Parameter arguments: ``command``, then the path of the script if this program is the interpreter of one
    ///   (execve(2)), then the arguments of the hook.
    package static func main(_ arguments: [String]) -> Int32 {
        var arguments = arguments.dropFirst()
        if arguments.first?.contains("/") == true { arguments.removeFirst() }
        // A waiting process outlives the program that runs the hook, and must not keep open what was inherited from it.
        linux_close_from(STDERR_FILENO + 1)
        let environment = Environment.all
        if arguments == [ActionWaiter.argument] { return ActionWaiter.main(environment: environment) }
        if let argument = arguments.first { return help(argument) }
        let report = { (message: String) in
            _ = Descriptors.write(Array("transitd-notify-send: \(message)\n".utf8), to: STDERR_FILENO)
        }
        let deadline = Deadline(milliseconds: timeout)
        do throws(DesktopNotificationFailure) {
            guard let input = Descriptors.read(STDIN_FILENO, limit: ReceivedEvent.maximumLength, before: deadline)
            else {
                throw DesktopNotificationFailure(
                    .invalidEvent, "the event on standard input is larger than 256 KiB or incomplete")
            }
            try DesktopNotificationHook(environment: environment, deadline: deadline, report: report).run(
                DesktopNotification(json: input))
            return 0
        } catch {
            report(error.message)
            return error.kind.rawValue
        }
    }

    private static func help(_ argument: String) -> Int32 {
        let isHelp = ["-h", "--help"].contains(argument)
        let text = """
            Usage: transitctl notify-send < EVENT
            Shows a notification event of transitd, as JSON on standard input, as a desktop notification.
            It is installed as a hook of transitd-notify. See transitd-notify-send(1).

            """
        _ = Descriptors.write(Array(text.utf8), to: isHelp ? STDOUT_FILENO : STDERR_FILENO)
        return isHelp ? 0 : ExitStatus.usage.rawValue
    }

    /// Handles one event.
    package func run(_ event: DesktopNotification) throws(DesktopNotificationFailure) {
        if case .other(let name) = event.operation {
            return report("the operation \"\(name)\" is not known to this version, and is ignored")
        }
        guard let runtime = variable("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else {
            throw DesktopNotificationFailure(
                .unavailable, "XDG_RUNTIME_DIR is not set; transitd-notify-send runs in a user's session")
        }
        guard hasDesktop(runtime) else {
            return report("there is no desktop: no session message bus and no display; no notification is shown")
        }
        guard let address = DBusAddress.session(variable) else {
            throw DesktopNotificationFailure(
                .unavailable, "there is no session message bus: DBUS_SESSION_BUS_ADDRESS is not set")
        }
        let file = try DesktopNotificationFile(runtimeDirectory: runtime, before: deadline)
        var notifications = file.load()
        if event.operation == .withdraw || event.expiresIn == 0 {
            guard let shown = notifications[event.key] else { return }
            // Some servers let only the connection that showed a notification close it, unless it has ended.
            shown.waiter?.end()
            var server = try NotificationServer(address: address, deadline: deadline)
            if try server.identity() == shown.server { try server.close(shown.id) }
            notifications[event.key] = nil
        } else {
            notifications[event.key] = try show(event, replacing: notifications[event.key], address, runtime)
            // The new one is remembered first, so that a failure below does not lose it.
            let excess = notifications.removeExcess(except: event.key)
            if !excess.isEmpty {
                try file.save(notifications, now: LinuxClock.boot / 1000)
                close(excess, address)
            }
        }
        try file.save(notifications, now: LinuxClock.boot / 1000)
    }

    /// Closes notifications, and ends the processes that wait for them.
    private func close(_ excess: [ShownNotification], _ address: String) {
        for shown in excess { shown.waiter?.end() }
        do throws(DesktopNotificationFailure) {
            var server = try NotificationServer(address: address, deadline: deadline)
            let identity = try server.identity()
            for shown in excess where shown.server == identity { try server.close(shown.id) }
        } catch {
            report(
                "the oldest of more than \(ShownNotifications.maximumCount) notifications cannot be closed: \(error.message)"
            )
        }
    }

    /// Whether there may be a desktop. On a machine without one, failures of all events would only hide others.
    private func hasDesktop(_ runtime: String) -> Bool {
        ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"].contains { variable($0)?.isEmpty == false }
            || access("\(runtime)/bus", F_OK) == 0
    }

    private func show(
        _ event: DesktopNotification, replacing former: ShownNotification?, _ address: String, _ runtime: String
    ) throws(DesktopNotificationFailure) -> ShownNotification {
        var problems: [String] = []
        _ = DesktopNotificationSettings.load(variable, problems: &problems)
        problems.forEach(report)
        // Otherwise two processes would report the action of one notification, and some servers let only the connection
        // that showed a notification replace it.
        former?.waiter?.end()
        let request = WaiterRequest(
            event: event, formerID: former?.id ?? 0, formerServer: former?.server,
            expires: LinuxClock.boot + Int64(event.expiresIn) * 1000, address: address,
            runtimeDirectory: runtime,
            transitctl: event.actions.isEmpty ? nil : transitctl())
        return try ActionWaiter.start(request, environment: environment, before: deadline)
    }

    /// Returns the path of transitctl: this program, else that in PATH.
    private func transitctl() -> String? {
        if let named = variable("TRANSITCTL"), named.hasPrefix("/"), ProgramPath.isProgram(named) { return named }
        if let own = ProgramPath.own(), own.hasSuffix("/transitctl") { return own }
        return ProgramPath.find("transitctl", path: variable("PATH"))
    }
}
