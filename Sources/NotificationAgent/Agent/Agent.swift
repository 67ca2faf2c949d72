internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitWire

/// Connects to the daemon and runs hooks until a signal arrives. One thread waits for everything with `poll`.
final class Agent {
    struct Settings {
        var socketPath: SocketPath
        var folders: HookFolders
        var language: String?
        var limits = HookLimits.standard
        /// Whether the agent ends when all events of the first result are handled.
        var isOnce = false
        /// Returns a variable of the environment.
        var variable: (String) -> String? = Environment.variable
    }

    private let settings: Settings
    private let journal: Journal
    private let file: HandledEventsFile?
    private let runner: HookRunner
    private var queue: DeliveryQueue
    private var reconnection = Reconnection(now: LinuxClock.monotonic)
    private var client: ControlClient?
    /// The first two requests of this connection.
    private var hello = RequestID.null
    private var subscription = RequestID.null
    private var watch: SocketWatch?
    /// The path of the socket in use.
    private var socket = ""
    /// The runs in progress, for the lines about them.
    private var starts: [Int: DeliveryQueue.Start] = [:]
    /// The last line about the connection and about each hook that is not run, so that each is written once.
    private var lastConnectionLine = ""
    private var reported: [String: Distrust] = [:]
    /// Whether the daemon refused the subscription on this connection. The agent waits until ``Reconnection/due``.
    private var isRefused = false
    private var hasResult = false
    private var hasFailures = false
    private var status: ExitStatus?

    /// The maximum time for connecting and sending, in seconds. The agent does nothing else meanwhile.
    private static let connectionTimeout = 1
    /// The maximum number of identifiers in one acknowledgment.
    private static let maximumIDs = 64
    /// The maximum length of a failure's message in characters.
    static let maximumMessageLength = 500
    /// The maximum number of lines of a hook's output that are written to the journal.
    private static let maximumOutputLines = 50

    private static let programFolder: String? = {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        }
        let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }()

    /// - Parameters:
    ///   - file: The record of handled events; `nil` if there is none, in which case it is kept in memory.
    ///   - handled: The contents of the file.
    init(_ settings: Settings, file: HandledEventsFile?, handled: HandledEvents, journal: Journal) {
        self.settings = settings
        self.file = file
        self.journal = journal
        queue = DeliveryQueue(handled: handled)
        runner = HookRunner(limits: settings.limits, user: settings.folders.user)
    }

    /// Runs until a byte arrives on `signals`, and returns the exit status.
    func run(signals: CInt) -> ExitStatus {
        while true {
            let now = LinuxClock.monotonic
            if client == nil || isRefused, reconnection.due <= now { connect() }
            startHooks()
            if settings.isOnce, hasResult, queue.isIdle { status = hasFailures ? .failure : .success }
            if let status { return status }
            if wait(signals) {
                stop(signals)
                return .success
            }
            receive()
            for ended in runner.advance(now: LinuxClock.monotonic) { hookEnded(ended) }
        }
    }

    /// Waits for the next event. Returns whether a signal has arrived.
    private func wait(_ signals: CInt) -> Bool {
        let descriptors = [signals, client?.descriptor ?? -1, watch?.descriptor ?? -1] + runner.descriptors
        var watched = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let now = LinuxClock.monotonic
        var waits: [Int64] = []
        if let client, !isRefused {
            waits.append(Int64(client.silenceTimeout))
        } else {
            waits.append(reconnection.due - now)
        }
        if let time = runner.wakeTime { waits.append(time - now) }
        if let time = queue.wakeTime { waits.append(time - LinuxClock.boot) }
        let timeout = waits.min().map { CInt(clamping: max(0, $0)) } ?? -1
        _ = poll(&watched, nfds_t(watched.count), timeout)
        if let watch, watched[2].revents != 0 {
            watch.drain()
            if settings.socketPath.chosen(exists: { access($0, F_OK) == 0 }) != nil {
                reconnection.socketAppeared(now: LinuxClock.monotonic)
            } else {
                // The folder of the socket may be new.
                self.watch = SocketWatch(settings.socketPath.candidates)
            }
        }
        return watched[0].revents != 0
    }

    // Connection

    private func connect() {
        isRefused = false
        socket = settings.socketPath.chosen { access($0, F_OK) == 0 } ?? settings.socketPath.candidates[0]
        do throws(ClientError) {
            let client = try ControlClient(path: socket, timeout: Self.connectionTimeout)
            hello = try client.send(HelloParameters(client: "transitd-notify \(ReleaseVersion.text)"))
            var topic: JSONObject = ["topic": "notifications"]
            topic["language"] = settings.language.map { .string($0) }
            let topics: JSONValue = ["topics": .array([.object(topic)])]
            subscription = try client.send(.subscribe, topics)
            self.client = client
            reconnection.connected(now: LinuxClock.monotonic)
            watch = nil
        } catch {
            if settings.isOnce {
                journal.line(.error, Self.cause(error))
                status = error.exitStatus
            }
            lost(error)
        }
    }

    private func lost(_ error: ClientError) {
        client = nil
        isRefused = false
        reconnection.lost(now: LinuxClock.monotonic, random: Double.random(in: 0...1))
        // The watch begins before the next attempt, so that no socket appears unnoticed.
        watch = SocketWatch(settings.socketPath.candidates)
        reportConnection(.warning, "\(Self.cause(error)); trying again")
    }

    private func reportConnection(_ priority: Journal.Priority, _ line: String) {
        guard line != lastConnectionLine else { return }
        lastConnectionLine = line
        journal.line(priority, line)
    }

    /// Returns the first line of an error without the advice to try again, which the agent follows by itself.
    private static func cause(_ error: ClientError) -> String {
        if case .closed(let path, 0) = error { return "the daemon at \(path) closed the connection" }
        let line = error.message.split(separator: "\n").first.map(String.init) ?? ""
        let advice = "; try again"
        return line.hasSuffix(advice) ? String(line.dropLast(advice.count)) : line
    }

    private func receive() {
        guard let client else { return }
        do throws(ClientError) {
            let messages = try client.received()
            // The daemon sends nothing to a connection without subscriptions.
            if !isRefused { try client.checkSilence() }
            for message in messages { try handle(message) }
        } catch {
            if settings.isOnce {
                journal.line(.error, Self.cause(error))
                status = error.exitStatus
            }
            lost(error)
        }
    }

    private func handle(_ message: ControlClient.Message) throws(ClientError) {
        switch message {
        case .answer(subscription, .success(let result)):
            guard case .array(let subscriptions)? = result["subscriptions"], let data = subscriptions.first?["data"]
            else { throw .unexpectedReply(reason: "The daemon's response has no subscription.") }
            reportConnection(.information, "connected to \(socket)")
            try take(data, isFirst: true)
        case .answer(subscription, .failure(let error)), .answer(.null, .failure(let error)): try refused(error)
        case .answer(hello, _): break
        case .answer(_, .failure(let error)):
            journal.line(.warning, "the daemon did not record that hooks ran: \(error.message)")
        case .event(_, let error?):
            // The subscription stays active.
            journal.line(.warning, "the daemon cannot list notifications: \(error.message)")
        case .event(let result?, nil): try take(result, isFirst: false)
        case .lagged(let message): throw .unexpectedReply(reason: message)
        case .answer, .progress, .event, .heartbeat, .other, .interrupted: break
        }
    }

    /// Handles the refusal of the subscription.
    private func refused(_ error: ControlError) throws(ClientError) {
        // After a temporary condition, such as too many connections, the request is sent again soon.
        if settings.isOnce || error.isRetryable { throw .refused(error) }
        isRefused = true
        reconnection.refused(now: LinuxClock.monotonic)
        reportConnection(
            .error,
            "the daemon at \(socket) refuses this program, so no notification is shown: \(error.message) It is tried "
                + "again every \(Reconnection.refusalDelay / 60_000) minutes and when the daemon restarts")
    }

    private func take(_ result: JSONValue, isFirst: Bool) throws(ClientError) {
        guard let list = DeliveryList(result) else {
            throw .unexpectedReply(reason: "The daemon's response is not a list of notifications.")
        }
        for problem in list.problems {
            journal.line(.warning, "ignoring the event \(problem.id ?? "without id"): \(problem.reason)")
        }
        hasResult = true
        apply(queue.take(list, isFirst: isFirst, now: LinuxClock.boot, hooks: hooks))
    }

    // Hooks

    private func hooks(for delivery: Delivery) -> HookPlan {
        var plan = settings.folders.plan(for: delivery.rule)
        if delivery.isWithdrawal {
            plan.otherHooks = settings.folders.allEntries().filter { $0.state == .ready }.map { Hook(path: $0.path) }
        }
        let refused = Dictionary(plan.refusals.map { ($0.hook.path, $0.reason) }) { first, _ in first }
        for (path, reason) in refused where reported[path] != reason {
            journal.line(.warning, "not running \(path): \(reason.reason)")
        }
        reported.merge(refused) { $1 }
        for hook in plan.hooks { reported[hook.path] = nil }
        return plan
    }

    private func startHooks() {
        var effects: [DeliveryQueue.Effect] = []
        while let start = queue.next(now: LinuxClock.boot, &effects) {
            // The attempt is on disk before the hook runs, because the hook may end this program.
            apply(effects)
            effects = []
            let environment = HookEnvironment.variables(
                for: start.delivery, socket: socket, programFolder: Self.programFolder, settings.variable)
            starts[start.run] = start
            let failure = runner.start(
                run: start.run, hook: start.hook, input: start.delivery.json + [0x0A], environment: environment,
                now: LinuxClock.monotonic)
            if let failure { hookEnded(HookRunner.Ended(run: start.run, outcome: failure, output: [])) }
        }
        apply(effects)
    }

    private func hookEnded(_ ended: HookRunner.Ended) {
        let start = starts.removeValue(forKey: ended.run)
        if let start {
            let lines = PrintableText.lines(ended.output)
            if lines.count > Self.maximumOutputLines {
                let count = lines.count - Self.maximumOutputLines
                journal.line(.information, "hook \(start.hook.name): (\(count) lines are omitted)")
            }
            for line in lines.suffix(Self.maximumOutputLines) {
                journal.line(.information, "hook \(start.hook.name): \(line)")
            }
            let about = "hook \(start.hook.path) for \(start.delivery.rule) event \(start.delivery.id)"
            switch ended.outcome {
            case .succeeded: break
            case .failed(let reason): journal.line(.warning, "\(about) failed: \(reason)")
            case .failedTemporarily(let reason):
                journal.line(.warning, "\(about) failed (attempt \(start.attempt + 1)): \(reason)")
            }
        }
        apply(queue.ended(ended.run, ended.outcome, now: LinuxClock.boot))
        apply(queue.takeWaiting(now: LinuxClock.boot, hooks: hooks))
    }

    /// Records the stages of events and reports them to the daemon.
    private func apply(_ effects: [DeliveryQueue.Effect]) {
        var handedOut: [String] = []
        var done: [String] = []
        var failed: [(id: String, message: String)] = []
        for effect in effects {
            switch effect {
            case .handedOut(let id): handedOut.append(id)
            case .started(let key, let hook): record(file?.addStarted(key: key, hook: hook))
            case .attempted(let id, let hook): record(file?.addAttempt(id, hook: hook))
            case .withdrawn(let key): record(file?.addWithdrawn(key: key))
            case .done(let id):
                done.append(id)
                record(file?.add(id, .done))
            case .failed(let id, let message):
                failed.append((id, message))
                record(file?.add(id, .failed))
                hasFailures = true
            }
        }
        do throws(ClientError) {
            // What the daemon does not receive is sent again after the next subscription, since it still lists the events.
            try acknowledge(handedOut, .handedOut)
            try acknowledge(done, .done)
            for event in failed {
                try acknowledge([event.id], .failed, message: event.message)
            }
        } catch { lost(error) }
    }

    /// Reports the stages of events to the daemon.
    private func acknowledge(
        _ ids: [String], _ stage: NotificationStage, message: String? = nil
    ) throws(ClientError) {
        let clean = message.map { PrintableText.clean($0, maximumLength: Self.maximumMessageLength) }
        for start in stride(from: 0, to: ids.count, by: Self.maximumIDs) {
            let part = Array(ids[start...].prefix(Self.maximumIDs))
            _ = try client?.send(NotifyAckParameters(ids: part, stage: stage, message: clean))
        }
    }

    /// Reports that a line could not be added to the record of handled events.
    private func record(_ isAdded: Bool?) {
        guard isAdded == false else { return }
        journal.line(.warning, "cannot record a handled event: \(ErrnoText.text(errno))")
    }

    /// Ends the hooks. A second signal kills them immediately.
    private func stop(_ signals: CInt) {
        discard(signals)
        runner.stop(now: LinuxClock.monotonic)
        while !runner.isIdle {
            var watched = ([signals] + runner.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let wait = max(0, (runner.wakeTime ?? 0) - LinuxClock.monotonic)
            _ = poll(&watched, nfds_t(watched.count), CInt(clamping: wait))
            if watched[0].revents != 0 {
                discard(signals)
                runner.kill()
            }
            // Other events stay unfinished, so that the daemon hands them out again.
            for ended in runner.advance(now: LinuxClock.monotonic) where ended.outcome == .succeeded {
                hookEnded(ended)
            }
        }
    }

    private func discard(_ signals: CInt) {
        var byte: UInt8 = 0
        while read(signals, &byte, 1) == 1 {}
    }
}
