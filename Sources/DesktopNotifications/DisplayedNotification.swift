internal import CLinux
internal import Glibc
internal import TransitClient

/// A notification on the screen, and the connection that showed it.
///
/// The connection stays open, because some servers report actions only to it. When another server takes over, the
/// notification is shown again without a sound: it is still valid then, since it was not withdrawn, which ends the process,
/// and neither closed nor acted on.
struct DisplayedNotification: ~Copyable {
    /// The server's identifier of the notification, and the server.
    private(set) var shown: (id: UInt32, server: ServerIdentity)

    private let request: WaiterRequest
    private let environment: [String]
    private var server: NotificationServer
    /// Whether ``shown`` is on the screen. It is not after the server has ended.
    private var isCurrent = true
    /// How often another server has not shown the notification.
    private var failures = 0

    /// The time limit of transitctl in milliseconds.
    private static let answerTimeout = 20_000
    /// The time after which a new server is asked again that has not shown the notification, in milliseconds.
    private static let retryInterval: Int32 = 2000
    /// The number of failures after which the notification is given up.
    private static let maximumFailures = 10

    /// Shows the notification of a request.
    init(_ request: WaiterRequest, environment: [String]) throws(DesktopNotificationFailure) {
        var server = try NotificationServer(
            address: request.address, deadline: Deadline(milliseconds: NotificationServer.timeout))
        try server.subscribe()
        shown = try Self.show(request, &server, environment, isRepeated: false)
        self.request = request
        self.environment = environment
        self.server = server
    }

    private static func show(
        _ request: WaiterRequest, _ server: inout NotificationServer, _ environment: [String], isRepeated: Bool
    ) throws(DesktopNotificationFailure) -> (id: UInt32, server: ServerIdentity) {
        // The hook has reported invalid settings.
        var problems: [String] = []
        let settings = DesktopNotificationSettings.load(
            DesktopNotificationHook.variable(of: environment), problems: &problems)
        server.restartTimeout()
        let capabilities = try server.capabilities()
        guard let identity = try server.identity() else {
            throw DesktopNotificationFailure(.temporary, "the notification server has ended")
        }
        var event = request.event
        if isRepeated { event.expiresIn = Int(max(1, (request.expires - LinuxClock.boot) / 1000)) }
        let replaced = identity == request.formerServer ? request.formerID : 0
        server.restartTimeout()
        var arguments = NotifyArguments(event, capabilities, settings, replacing: replaced, isRepeated: isRepeated)
        arguments.icon = ProgramPath.icon() ?? arguments.icon
        return (try server.show(arguments), identity)
    }

    /// Waits until the notification is closed or expires, and handles its actions.
    mutating func wait() {
        // The time of poll stands still while the machine is suspended, unlike that of the timer.
        let timer = linux_boot_timer_create()
        linux_timer_set(timer, request.expires * 1_000_000)
        defer { close(timer) }
        while true {
            do throws(DesktopNotificationFailure) {
                while let signal = try server.nextSignal() {
                    if try !handle(signal) { return }
                }
            } catch {
                // The message bus has ended, and with it the session.
                return
            }
            var descriptors = [server.descriptor, timer].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let isRetrying = failures > 0
            let count = poll(&descriptors, 2, isRetrying ? Self.retryInterval : -1)
            if descriptors[1].revents != 0 { return closeOnScreen() }
            if count == 0, isRetrying, !showAgain() { return }
        }
    }

    /// Handles a signal. Returns whether to wait for more.
    private mutating func handle(_ signal: NotificationServer.Signal) throws(DesktopNotificationFailure) -> Bool {
        switch signal {
        case .closed(let id): return !isCurrent || id != shown.id
        case .action(let id, let name):
            guard isCurrent, id == shown.id else { return true }
            // A server may leave the notification open after an action.
            closeOnScreen()
            if request.event.actions.contains(where: { $0.id == name }) { act(name) }
            return false
        case .ownerChanged:
            server.restartTimeout()
            // Several changes can have happened since the signal was sent.
            let identity = try server.identity()
            if identity == shown.server { return true }
            isCurrent = false
            failures = 0
            return identity == nil || showAgain()
        }
    }

    /// Shows the notification on another server. Returns whether to wait for more.
    private mutating func showAgain() -> Bool {
        guard request.expires > LinuxClock.boot, let process = WaitingProcess(pid: getpid()) else {
            return false
        }
        do throws(DesktopNotificationFailure) {
            let file = try DesktopNotificationFile(
                runtimeDirectory: request.runtimeDirectory,
                before: Deadline(milliseconds: DesktopNotificationHook.timeout))
            var notifications = file.load()
            // Another event has the key now.
            guard notifications[request.event.key]?.waiter == process else { return false }
            shown = try Self.show(request, &server, environment, isRepeated: true)
            isCurrent = true
            failures = 0
            notifications[request.event.key] = ShownNotification(
                id: shown.id, server: shown.server, expires: request.expires / 1000, waiter: process)
            try file.save(notifications, now: LinuxClock.boot / 1000)
            return true
        } catch {
            // A server that has just started may not be ready yet, or may end again.
            failures += 1
            return isCurrent || error.kind == .temporary && failures < Self.maximumFailures
        }
    }

    /// Closes the notification. The connection is that of its server, unless the server has ended in this moment: another
    /// program's notification may then have the identifier.
    private mutating func closeOnScreen() {
        server.restartTimeout()
        guard isCurrent, (try? server.identity()) == shown.server else { return }
        // The server may have closed it already.
        try? server.close(shown.id)
    }

    /// Passes an action to transitctl, and shows its failure, since the user believes that the action was recorded.
    private mutating func act(_ action: String) {
        guard let message = failure(of: action) else { return }
        let body = "The action was not recorded: \(message)"
        server.restartTimeout()
        let hasMarkup = (try? server.capabilities())?.hasMarkup ?? true
        var arguments = NotifyArguments(
            title: NotifyArguments.program, body: hasMarkup ? DesktopNotificationText.escapingMarkup(body) : body,
            hints: ["category": .string("x-transitd.error"), "urgency": .byte(1)], timeout: 15_000)
        arguments.icon = ProgramPath.icon() ?? arguments.icon
        _ = try? server.show(arguments)
    }

    /// Runs transitctl for an action. Returns a phrase on failure.
    private func failure(of action: String) -> String? {
        guard let transitctl = request.transitctl else { return "transitctl was not found" }
        do throws(ChildProcess.Failure) {
            // In a session of its own, it does not end with this process, which a new event with the key ends.
            let process = try ChildProcess(
                transitctl, ["transitctl", "notify", "act", request.event.id, action], environment: environment,
                reading: .errors, isSessionLeader: true)
            defer { close(process.output) }
            let deadline = Deadline(milliseconds: Self.answerTimeout)
            guard let errors = Descriptors.read(process.output, limit: 65_536, before: deadline) else {
                process.end()
                return "transitctl did not respond within \(Self.answerTimeout / 1000) s"
            }
            guard process.waitForStatus() != 0 else { return nil }
            let line = errors.split(separator: 0x0A).first ?? []
            return DesktopNotificationText.line(String(decoding: line, as: UTF8.self), maximumLength: 160)
        } catch { return DesktopNotificationFailure(error, starting: transitctl).message }
    }
}
