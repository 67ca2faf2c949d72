internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// Keeps the line of a status bar current until its reader is gone. One thread waits for everything with `poll`.
final class BarUpdater<Call: ControlParameters> where Call.Reply: BarResult {
    struct Settings {
        var socketPath: SocketPath
        /// The possible meanings of the command line, in the order in which they are tried.
        var topics: [Topic]
        var format: BarFormat
        /// The descriptor for the lines.
        var output = STDOUT_FILENO
        /// The descriptor on which a bar reports clicks, which are discarded; -1 for none.
        var input: CInt = -1
        var silenceLimit = BarState.silenceLimit
        /// Returns the request with a similar name if the daemon does not know a name in it; `nil` if there is none.
        var corrected: (SubscribeParameters, ControlError) -> SubscribeParameters? = { _, _ in nil }
    }

    private var settings: Settings
    private let interrupt: Interrupt
    private let timer: BootTimer
    private var state: BarState
    private var reconnection = Reconnection(now: LinuxClock.monotonic)
    private var watch: SocketWatch?
    private var client: ControlClient?
    private var request: SubscribeParameters
    private var subscription = RequestID.null
    /// The position of the topic of the request.
    private var meaning = 0
    /// The number of names in the request that were corrected.
    private var corrections = 0
    /// Whether the daemon refused the subscription on this connection. It sends no heartbeats then.
    private var isRefused = false
    /// The last line that was written, and the one to write when the reader has room.
    private var written: [UInt8] = []
    private var pending: [UInt8]?
    /// Whether the memory of the start was returned, after the first result.
    private var isSettled = false

    /// The maximum time for connecting and sending, in seconds. Nothing else happens meanwhile.
    private static var connectionTimeout: Int { 1 }
    /// The maximum number of names in a request that are corrected.
    private static var maximumCorrections: Int { 4 }
    /// The time after which a refused request is sent again, in milliseconds: the commute may exist by then.
    private static var refusalDelay: Int64 { 60_000 }

    /// - Throws: ``ClientError/system(call:number:)`` if the system is out of descriptors.
    init(_ settings: Settings, interrupt: Interrupt) throws(ClientError) {
        self.settings = settings
        self.interrupt = interrupt
        timer = try BootTimer()
        state = BarState(silenceLimit: settings.silenceLimit)
        request = SubscribeParameters(topics: [settings.topics[0]])
        if !Self.isPipe(settings.input) { self.settings.input = -1 }
    }

    /// Runs until the reader is gone, which is a success, or a signal arrives.
    ///
    /// - Throws: ``ClientError/system(call:number:)`` if the output cannot be written for another reason.
    func run() throws(ClientError) -> ExitStatus {
        while true {
            if client == nil || isRefused, reconnection.due <= LinuxClock.monotonic { connect() }
            update()
            switch wait() {
            case .interrupted: return .interrupted
            case .readerGone: return .success
            case .writable:
                guard try write() else { return .success }
            case .other: break
            }
            receive()
        }
    }

    // MARK: Waiting

    private enum Wake { case interrupted, readerGone, writable, other }

    private func wait() -> Wake {
        var watched = [
            pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0),
            // Without events, poll still reports that the reader is gone.
            pollfd(fd: settings.output, events: pending == nil ? 0 : Int16(POLLOUT), revents: 0),
            pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: client?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: watch?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: settings.input, events: Int16(POLLIN), revents: 0),
        ]
        let timeout = timeout
        // The last before the wait, because code that runs after it is mapped again. With a line to write, there is no wait.
        if isSettled, pending == nil { ProcessMemory.returnFilePages() }
        _ = poll(&watched, nfds_t(watched.count), timeout)
        if watched[2].revents != 0 { timer.clear() }
        if watched[4].revents != 0 { socketAppeared() }
        if watched[5].revents != 0, !discardInput() { settings.input = -1 }
        if watched[0].revents != 0 { return .interrupted }
        if watched[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return .readerGone }
        return watched[1].revents & Int16(POLLOUT) != 0 ? .writable : .other
    }

    /// The milliseconds until the next attempt to connect, or until the daemon is silent for too long.
    private var timeout: CInt {
        let now = LinuxClock.monotonic
        guard let client, !isRefused else { return CInt(clamping: max(0, reconnection.due - now)) }
        var remaining = Int64(client.silenceTimeout)
        if let silence = state.silenceTime, silence > now { remaining = min(remaining, silence - now) }
        return CInt(clamping: max(0, remaining))
    }

    private func socketAppeared() {
        watch?.drain()
        if settings.socketPath.chosen(exists: Self.exists) != nil {
            reconnection.socketAppeared(now: LinuxClock.monotonic)
        } else {
            // The folder of the socket may be new.
            watch = SocketWatch(settings.socketPath.candidates)
        }
    }

    /// Discards the clicks that a bar reports, so that it never blocks. Returns `false` at the end of the input.
    private func discardInput() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = read(settings.input, &buffer, buffer.count)
        return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }

    private static func isPipe(_ descriptor: CInt) -> Bool {
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    // MARK: The line

    private var now: BarTime { BarTime(boot: LinuxClock.boot, monotonic: LinuxClock.monotonic) }

    /// Determines the line and when it changes by itself.
    private func update() {
        let now = now
        let (line, nextChange) = settings.format.line(state, now)
        pending = line == written ? nil : line
        timer.set(nextChange.map { now.boot + $0 - state.daemonTime(now) })
    }

    /// Writes the line. Returns `false` if the reader is gone.
    private func write() throws(ClientError) -> Bool {
        guard let line = pending else { return true }
        if Descriptors.write(line + [0x0A], to: settings.output) {
            written = line
            if !isSettled, state.board != nil {
                isSettled = true
                ProcessMemory.returnFreed()
            }
            return true
        }
        guard errno == EPIPE else { throw .system(call: "writing the line", number: errno) }
        return false
    }

    // MARK: Connection

    private func connect() {
        isRefused = false
        client = nil
        meaning = 0
        corrections = 0
        let path = settings.socketPath.chosen(exists: Self.exists) ?? settings.socketPath.candidates[0]
        do throws(ClientError) {
            let client = try ControlClient(path: path, timeout: Self.connectionTimeout)
            request = SubscribeParameters(topics: [settings.topics[0]])
            subscription = try client.send(request)
            self.client = client
            reconnection.connected(now: LinuxClock.monotonic)
            watch = nil
        } catch { lost(error) }
    }

    private func lost(_ error: ClientError) {
        client = nil
        isRefused = false
        reconnection.lost(now: LinuxClock.monotonic, random: Double.random(in: 0...1))
        // The watch begins before the next attempt, so that no socket appears unnoticed.
        watch = SocketWatch(settings.socketPath.candidates)
        if case .closed(let path, _) = error { return state.lose("The daemon at \(path) closed the connection.") }
        state.lose(error.message.split(separator: "\n").first.map(String.init) ?? "")
    }

    private func receive() {
        guard let client else { return }
        do throws(ClientError) {
            let messages = try client.received()
            if !isRefused { try client.checkSilence() }
            for message in messages { try handle(message) }
        } catch {
            // A daemon that hangs stays silent over a new connection, too.
            if case .silent = error {
                self.client = nil
                reconnection.lost(now: LinuxClock.monotonic, random: Double.random(in: 0...1))
            } else {
                lost(error)
            }
        }
    }

    private func handle(_ message: ControlClient.Message) throws(ClientError) {
        switch message {
        case .answer(subscription, .success(let answer)):
            guard let first = (try? SubscribeParameters.reply(from: answer))?.subscriptions.first else {
                throw .unexpectedReply(reason: "The daemon's response has no subscription.")
            }
            try take(first.data)
        case .answer(subscription, .failure(let error)), .answer(.null, .failure(let error)): try refused(error)
        case .event(_, let error?): state.fail(error.message, now)
        case .event(let data?, nil): try take(data)
        case .heartbeat(let at): state.heartbeat(at, now)
        case .lagged(let message): throw .unexpectedReply(reason: message)
        case .answer, .progress, .event, .other, .interrupted: break
        }
    }

    private func take(_ data: JSONValue) throws(ClientError) {
        do { state.take(try Call.reply(from: data).board, now) } catch {
            throw .unexpectedReply(reason: error.reason)
        }
    }

    /// Tries the next meaning of the command line, or a similar name. Otherwise, the bar shows the error.
    private func refused(_ error: ControlError) throws(ClientError) {
        guard let client else { return }
        let preferred = settings.topics.count > 1 ? 1 : 0
        if corrections == 0, JourneyWords.unknownNames.contains(error.kind), settings.topics.count > 1,
            meaning < settings.topics.count
        {
            meaning += 1
            // If no meaning is known, the error is about the most likely one.
            request.topics = [settings.topics[meaning < settings.topics.count ? meaning : preferred]]
            subscription = try client.send(request)
            return
        }
        if corrections < Self.maximumCorrections, let corrected = settings.corrected(request, error) {
            corrections += 1
            request = corrected
            subscription = try client.send(request)
            return
        }
        state.fail(ClientError.refused(error).namingArguments.message, now)
        isRefused = true
        reconnection.refused(now: LinuxClock.monotonic, delay: Self.refusalDelay)
    }
}

extension Session {
    /// Writes lines for a status bar.
    ///
    /// - Parameter topics: The possible meanings of the command line, in the order in which they are tried.
    func showBar<Call: ControlParameters>(
        _ topics: [Topic], _ call: Call.Type, _ format: String
    ) throws(ClientError) -> ExitStatus where Call.Reply: BarResult {
        if settings.json || settings.plain {
            throw .usage("--format cannot be used with --\(settings.json ? "json" : "plain")")
        }
        var format = try BarFormat(format)
        format.hasColor = !settings.noColor && (Environment.variable("NO_COLOR") ?? "").isEmpty
        var bar = BarUpdater<Call>.Settings(
            socketPath: socketPath, topics: topics, format: format, input: STDIN_FILENO)
        bar.corrected = { request, error in try? corrected(request, error, changesData: false) }
        // A closed pipe is not an error.
        signal(SIGPIPE, SIG_IGN)
        return try BarUpdater<Call>(bar, interrupt: .catching([SIGINT, SIGTERM, SIGHUP])).run()
    }
}
