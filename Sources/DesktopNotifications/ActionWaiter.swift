internal import Glibc
internal import TransitClient
internal import TransitWire

/// What a waiting process needs.
package struct WaiterRequest: Equatable {
    package var event: DesktopNotification
    /// The notification to replace, if its server still runs.
    package var formerID: UInt32 = 0
    package var formerServer: ServerIdentity?
    /// When the notification expires, in milliseconds of CLOCK_BOOTTIME.
    package var expires: Int64
    /// The address of the message bus.
    package var address: String
    package var runtimeDirectory: String
    /// The path of transitctl.
    package var transitctl: String?
}

extension WaiterRequest {
    /// Decodes a request.
    package init?(_ bytes: [UInt8]) {
        guard let json = try? JSONValue(parsing: bytes), let event = try? DesktopNotification(json["event"] ?? .null),
            case .int(let id)? = json["former_id"], let formerID = UInt32(exactly: id),
            case .int(let expires)? = json["expires"],
            let address = json["address"]?.text, let runtimeDirectory = json["runtime_directory"]?.text
        else { return nil }
        var server: ServerIdentity?
        if let owner = json["former_owner"]?.text, let bus = json["former_bus"]?.text {
            server = ServerIdentity(owner: owner, bus: bus)
        }
        self.init(
            event: event, formerID: formerID, formerServer: server, expires: expires, address: address,
            runtimeDirectory: runtimeDirectory, transitctl: json["transitctl"]?.text)
    }

    /// The request as JSON.
    package var bytes: [UInt8] {
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        let json: JSONValue = [
            "event": event.json, "former_id": .int(Int64(formerID)), "former_owner": text(formerServer?.owner),
            "former_bus": text(formerServer?.bus), "expires": .int(expires), "address": .string(address),
            "runtime_directory": .string(runtimeDirectory), "transitctl": text(transitctl),
        ]
        return json.encoded
    }
}

/// The process that shows a notification and runs as long as it is shown, which can be longer than a hook may run.
///
/// It is the leader of a session, so that it does not end with the hook. A new event with the same key ends it.
enum ActionWaiter {
    /// The argument with which this program is started as a waiting process.
    static let argument = "--wait"
    private static let maximumRequest = 60_000

    /// Starts the process, and waits until the notification is shown.
    static func start(
        _ request: WaiterRequest, environment: [String], before deadline: Deadline
    ) throws(DesktopNotificationFailure) -> ShownNotification {
        let bytes = request.bytes
        guard bytes.count <= maximumRequest else {
            throw DesktopNotificationFailure(.permanent, "the event is too large")
        }
        let process: ChildProcess
        do throws(ChildProcess.Failure) {
            process = try ChildProcess(
                "/proc/self/exe", ["transitctl", DesktopNotificationHook.command, argument], environment: environment,
                input: bytes,
                reading: .output, isSessionLeader: true)
        } catch { throw DesktopNotificationFailure(error, starting: "/proc/self/exe") }
        defer { close(process.output) }
        let reply = Descriptors.read(process.output, limit: 4096, before: deadline) { $0.contains(0x0A) }
        guard let reply else {
            process.end()
            throw DesktopNotificationFailure(
                .temporary, "the notification server did not show the notification in time")
        }
        let text = String(decoding: reply.prefix { $0 != 0x0A }, as: UTF8.self)
        let parts = text.split(separator: " ", maxSplits: 3).map(String.init)
        if parts.count == 4, parts[0] == "shown", let id = UInt32(parts[1]) {
            return ShownNotification(
                id: id, server: ServerIdentity(owner: parts[2], bus: parts[3]), expires: request.expires / 1000,
                waiter: WaitingProcess(pid: process.pid))
        }
        process.waitForStatus()
        let failure = text.split(separator: " ", maxSplits: 2)
        let kind = failure.count > 2 ? Int32(failure[1]).flatMap(DesktopNotificationFailure.Kind.init(rawValue:)) : nil
        throw DesktopNotificationFailure(
            kind ?? .temporary, failure.count > 2 ? String(failure[2]) : "the process that shows the notification ended"
        )
    }

    /// The main function of the process. It reads a request from standard input, and writes to standard output where the
    /// notification is shown, or a failure.
    static func main(environment: [String]) -> Int32 {
        guard
            let input = Descriptors.read(
                STDIN_FILENO, limit: maximumRequest, before: Deadline(milliseconds: DesktopNotificationHook.timeout)),
            let request = WaiterRequest(input)
        else { return ExitStatus.usage.rawValue }
        signal(SIGPIPE, SIG_IGN)
        do throws(DesktopNotificationFailure) {
            var notification = try DisplayedNotification(request, environment: environment)
            let server = notification.shown
            answer("shown \(server.id) \(server.server.owner) \(server.server.bus)")
            notification.wait()
            return 0
        } catch {
            answer("failed \(error.kind.rawValue) \(error.message)")
            return error.kind.rawValue
        }
    }

    /// Writes the reply to the hook, and closes the pipe.
    private static func answer(_ text: String) {
        _ = Descriptors.write(Array((text + "\n").utf8), to: STDOUT_FILENO)
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        dup2(null, STDIN_FILENO)
        dup2(null, STDOUT_FILENO)
    }
}
