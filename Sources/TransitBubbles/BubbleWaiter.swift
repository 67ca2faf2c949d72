internal import CLinux
internal import Glibc
internal import TransitClient

/// What a waiting process needs.
package struct WaiterRequest: Equatable {
    /// The path of notify-send.
    package var program: String
    package var arguments: [String]
    /// The actions that notify-send can report.
    package var actionIDs: [String]
    /// The identifier of the event.
    package var event: String
    /// When the bubble expires, in milliseconds of CLOCK_BOOTTIME.
    package var expires: Int64
    /// The address of the message bus.
    package var address: String
    package var server: ServerIdentity
    /// The path of transitctl.
    package var transitctl: String?

    package init(
        program: String, arguments: [String], actionIDs: [String], event: String, expires: Int64, address: String,
        server: ServerIdentity, transitctl: String?
    ) {
        self.program = program
        self.arguments = arguments
        self.actionIDs = actionIDs
        self.event = event
        self.expires = expires
        self.address = address
        self.server = server
        self.transitctl = transitctl
    }

    /// Decodes a request.
    package init?(_ bytes: [UInt8]) {
        let fields = bytes.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard fields.count > 8, let expires = Int64(fields[3]) else { return nil }
        self.init(
            program: fields[0], arguments: Array(fields[8...]),
            actionIDs: fields[1].split(separator: ",").map(String.init), event: fields[2], expires: expires,
            address: fields[4], server: ServerIdentity(owner: fields[5], bus: fields[6]),
            transitctl: fields[7].isEmpty ? nil : fields[7])
    }

    /// The request as strings that are separated by NUL, which none of them contains.
    package var bytes: [UInt8] {
        let fields = [
            program, actionIDs.joined(separator: ","), event, String(expires), address, server.owner, server.bus,
            transitctl ?? "",
        ]
        return Array((fields + arguments).joined(separator: "\0").utf8)
    }
}

/// The running program notify-send, which has shown a bubble.
struct NotifySend: ~Copyable {
    let process: ChildProcess
    /// The server's identifier of the bubble.
    let id: UInt32
    /// What it has printed after the identifier.
    let rest: [UInt8]

    private static let maximumOutput = 4096

    /// Starts the program and waits until it has printed the identifier of the bubble.
    init(_ request: WaiterRequest, environment: [String], before deadline: Deadline) throws(BubbleFailure) {
        let bus = "DBUS_SESSION_BUS_ADDRESS="
        // Version 0.8.1, that of Debian 12, buffers the identifier until it ends, unless it writes to a terminal.
        let process = try ChildProcess(
            request.program, ["notify-send"] + request.arguments,
            environment: environment.filter { !$0.hasPrefix(bus) } + [bus + request.address], usesTerminal: true)
        let line = Descriptors.read(process.output, limit: Self.maximumOutput, before: deadline) { $0.contains(0x0A) }
        guard let line else {
            process.end()
            throw BubbleFailure(.temporary, "the notification server did not show the bubble in time")
        }
        let parts = line.filter { $0 != 0x0D }.split(separator: 0x0A, maxSplits: 1)
        // notify-send prints 0 when the server refuses the bubble.
        guard line.contains(0x0A), let first = parts.first, let id = UInt32(String(decoding: first, as: UTF8.self)),
            id > 0, id <= Int32.max
        else {
            // notify-send does not end then if the bubble has actions.
            let text = Descriptors.read(
                process.errors, limit: Self.maximumOutput, before: Deadline(milliseconds: 500)
            ) { $0.contains(0x0A) }
            process.end()
            let cause = BubbleText.line(String(decoding: text ?? [], as: UTF8.self), maximumLength: 160)
            if cause.hasPrefix("Unknown option") {
                throw BubbleFailure(.unavailable, "notify-send is too old (\(cause)); install libnotify 0.8 or later")
            }
            throw BubbleFailure(.temporary, "notify-send failed: \(cause.isEmpty ? "it printed no identifier" : cause)")
        }
        self.process = process
        self.id = id
        rest = parts.count > 1 ? Array(parts[1]) : []
    }

    /// Shows a bubble for which nothing waits.
    static func show(
        _ request: WaiterRequest, environment: [String], before deadline: Deadline
    ) throws(BubbleFailure) -> UInt32 {
        let shown = try NotifySend(request, environment: environment, before: deadline)
        // It ends after it has printed the identifier.
        if Descriptors.read(shown.process.output, limit: maximumOutput, before: deadline) == nil {
            shown.process.end()
        } else {
            shown.process.waitForStatus()
        }
        return shown.id
    }
}

/// The process that runs notify-send as long as the bubble exists, which can be longer than a hook may run.
///
/// It is the leader of a session, so that it does not end with the hook. It tells transitctl which action the user chose,
/// and closes the bubble when it expires. A new event with the same key ends it.
enum BubbleWaiter {
    /// The argument with which this program is started as a waiting process.
    static let argument = "--wait"
    /// The time limit of transitctl in milliseconds.
    private static let answerTimeout = 20_000
    /// The time limit for showing a bubble in milliseconds. The hook ends earlier and then ends this process too.
    private static let startTimeout = 10_000
    private static let maximumRequest = 60_000

    /// Starts the process, and waits until the bubble is shown.
    static func start(
        _ request: WaiterRequest, environment: [String], before deadline: Deadline
    ) throws(BubbleFailure) -> (id: UInt32, waiter: WaitingProcess?) {
        guard request.bytes.count <= maximumRequest else { throw BubbleFailure(.permanent, "the event is too large") }
        let process = try ChildProcess(
            "/proc/self/exe", ["transitd-notify-send", argument], environment: environment, input: request.bytes,
            keepsErrors: false, isSessionLeader: true)
        let reply = Descriptors.read(process.output, limit: 4096, before: deadline) { $0.contains(0x0A) }
        guard let reply else {
            kill(-process.pid, SIGKILL)
            process.waitForStatus()
            throw BubbleFailure(.temporary, "the notification server did not show the bubble in time")
        }
        let text = String(decoding: reply.prefix { $0 != 0x0A }, as: UTF8.self)
        if let id = UInt32(text) { return (id, WaitingProcess(pid: process.pid)) }
        process.waitForStatus()
        let parts = text.split(separator: " ", maxSplits: 1)
        let kind = parts.first.flatMap { Int32($0) }.flatMap(BubbleFailure.Kind.init(rawValue:)) ?? .temporary
        throw BubbleFailure(kind, parts.count > 1 ? String(parts[1]) : "the waiting process ended")
    }

    /// The main function of the process. It reads a request from standard input, and writes the identifier of the bubble,
    /// or the exit status and message of a failure, to standard output.
    static func main(environment: [String]) -> Int32 {
        let deadline = Deadline(milliseconds: startTimeout)
        guard let input = Descriptors.read(STDIN_FILENO, limit: maximumRequest, before: deadline),
            let request = WaiterRequest(input)
        else { return ExitStatus.usage.rawValue }
        _ = chdir("/")
        do throws(BubbleFailure) {
            let shown = try NotifySend(request, environment: environment, before: deadline)
            answer("\(shown.id)")
            let outcome = wait(for: shown.process, shown.rest, until: request.expires)
            shown.process.end()
            finish(outcome, shown.id, request, environment: environment)
            return 0
        } catch {
            answer("\(error.kind.rawValue) \(error.message)")
            return error.kind.rawValue
        }
    }

    /// Writes the reply to the hook, and closes the pipe.
    private static func answer(_ text: String) {
        signal(SIGPIPE, SIG_IGN)
        _ = Descriptors.write(Array((text + "\n").utf8), to: STDOUT_FILENO)
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        dup2(null, STDIN_FILENO)
        dup2(null, STDOUT_FILENO)
    }

    private enum Outcome: Equatable {
        case expired
        case closed
        /// notify-send printed this line.
        case action(String)
    }

    /// Waits until notify-send ends or the bubble expires.
    private static func wait(for process: borrowing ChildProcess, _ rest: [UInt8], until expires: Int64) -> Outcome {
        // The time of poll stands still while the machine is suspended, unlike that of the timer.
        let timer = linux_boot_timer_create()
        linux_timer_set(timer, expires * 1_000_000)
        defer { close(timer) }
        var output = rest
        var buffer = [UInt8](repeating: 0, count: 1024)
        var descriptors = [process.output, process.errors, timer].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while true {
            if poll(&descriptors, 3, -1) < 0, errno != EINTR { return .closed }
            if descriptors[2].revents != 0 { return .expired }
            if descriptors[1].revents != 0, read(process.errors, &buffer, buffer.count) <= 0 { descriptors[1].fd = -1 }
            guard descriptors[0].revents != 0 else { continue }
            let count = read(process.output, &buffer, buffer.count)
            if count > 0 { output += buffer.prefix(count).filter { $0 != 0x0D } }
            if count <= 0 || output.count > 4096 || output.contains(0x0A) { break }
        }
        let line = String(decoding: output.prefix { $0 != 0x0A }, as: UTF8.self)
        if !line.isEmpty { return .action(line) }
        // notify-send has a timer of its own.
        return BootTime.milliseconds() > expires - 2000 ? .expired : .closed
    }

    /// Closes the bubble, unless the server was restarted and the identifier is that of another program's bubble.
    private static func closeBubble(_ id: UInt32, _ request: WaiterRequest) {
        guard
            var server = try? NotificationServer(
                address: request.address, deadline: Deadline(milliseconds: NotificationServer.timeout)),
            (try? server.identity()) == request.server
        else { return }
        try? server.close(id)
    }

    private static func finish(
        _ outcome: Outcome, _ id: UInt32, _ request: WaiterRequest, environment: [String]
    ) {
        switch outcome {
        case .closed: return
        case .expired: closeBubble(id, request)
        case .action(let action):
            // A server may leave the bubble open after an action.
            closeBubble(id, request)
            guard request.actionIDs.contains(action), let message = act(action, request, environment: environment)
            else { return }
            // The user believes that the daemon knows it.
            var failure = request
            failure.arguments = [
                "-p", "-a", "transitd", "-c", "x-transitd.error", "-t", "15000", "--", "transitd",
                BubbleText.escapingBackslashes(BubbleText.escapingMarkup("The action was not recorded: \(message)")),
            ]
            _ = try? NotifySend.show(
                failure, environment: environment, before: Deadline(milliseconds: NotificationServer.timeout))
        }
    }

    /// Tells the daemon about an action. Returns a phrase on failure.
    private static func act(_ action: String, _ request: WaiterRequest, environment: [String]) -> String? {
        guard let transitctl = request.transitctl else { return "transitctl was not found" }
        do throws(BubbleFailure) {
            // In a session of its own, it does not end with this process, which a new event for the bubble ends.
            let process = try ChildProcess(
                transitctl, ["transitctl", "notify", "act", request.event, action], environment: environment,
                isSessionLeader: true)
            let deadline = Deadline(milliseconds: answerTimeout)
            guard let errors = Descriptors.read(process.errors, limit: 65_536, before: deadline) else {
                process.end()
                return "transitctl did not respond within \(answerTimeout / 1000) s"
            }
            guard process.waitForStatus() != 0 else { return nil }
            let line = errors.split(separator: 0x0A).first ?? []
            return BubbleText.line(String(decoding: line, as: UTF8.self), maximumLength: 160)
        } catch { return error.message }
    }
}
