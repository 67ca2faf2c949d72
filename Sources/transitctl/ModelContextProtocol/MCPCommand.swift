internal import ArgumentParser
internal import Glibc
internal import ModelContextProtocol
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

struct MCPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Offer the queries as tools to an assistant (Model Context Protocol).",
        discussion: """
            An assistant starts this command and sends JSON-RPC messages to its standard input. It can only read. Without \
            --personal, it sees none of your places, commutes, favorites, trips and notifications.
            """)

    @Flag(help: "Let the assistant read your places, commutes, favorites, trips and notifications.")
    var personal = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            if StandardStream.standardInput.isTerminal {
                session.printNotice(
                    Line("note: ", .caution) + Line("waiting for the messages of an assistant; see transitctl(1)"))
            }
            return AssistantServer(session, offersPersonalData: personal).run()
        }
    }
}

/// Connects a client of the Model Context Protocol on standard input and output with the daemon.
///
/// A single thread waits for both. The connection is made for the first call, and again after the daemon was restarted.
final class AssistantServer {
    private var assistant: AssistantSession
    private let session: Session
    private let text: AssistantText
    private let interrupt = Interrupt.catching()
    private let restriction: ConnectionRestriction
    private var reader = LineReader()
    private var client: ControlClient?
    /// The requests that the daemon has not answered.
    private var requests: [RequestID: Request] = [:]
    /// Expires when calls in progress are given up after the end of the input; `nil` before that.
    private var end: Deadline?

    private struct Request {
        /// The number of the call.
        var number: Int
        var parameters: any ControlParameters
        var deadline: Deadline
    }

    /// The time in milliseconds for calls in progress when the input ends.
    private static let endGrace = 2000

    init(_ session: Session, offersPersonalData: Bool) {
        self.session = session
        text = AssistantText(units: session.units)
        restriction = offersPersonalData ? .readOnly : .anonymous
        assistant = AssistantSession(
            catalog: ToolCatalog(offersPersonalData: offersPersonalData), language: session.language)
    }

    func run() -> ExitStatus {
        while true {
            if let end, assistant.pendingCalls.isEmpty || end.remaining == 0 { return .success }
            // poll ignores negative descriptors.
            var watched = [
                pollfd(fd: end == nil ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: client?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&watched, nfds_t(watched.count), timeout)
            if count < 0, errno != EINTR {
                session.report(.system(call: "poll", number: errno))
                return .failure
            }
            if watched[2].revents != 0 { return .interrupted }
            do throws(ClientError) {
                // The end of a connection is noticed before the next call uses it.
                if watched[1].revents != 0 { try receive() }
                if watched[0].revents != 0 { try read() }
                try expire()
            } catch {
                session.report(error)
                return error.exitStatus
            }
        }
    }

    /// The time in milliseconds until a request or the end of the session is due; -1 if neither is.
    private var timeout: CInt {
        let due = requests.values.map(\.deadline.remaining) + [end?.remaining].compactMap { $0 }
        return due.filter { $0 >= 0 }.min() ?? -1
    }

    // MARK: The assistant

    /// Reads what has arrived on standard input.
    private func read() throws(ClientError) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
        if count < 0 {
            guard errno == EINTR || errno == EAGAIN else {
                throw .system(call: "reading standard input", number: errno)
            }
            return
        }
        if count == 0 {
            if let line = reader.end() { try perform(assistant.receive(line)) }
            end = Deadline(milliseconds: Self.endGrace)
            return
        }
        for line in reader.lines(in: bytes[..<count]) { try perform(assistant.receive(line)) }
    }

    private func perform(_ actions: [AssistantSession.Action]) throws(ClientError) {
        for action in actions {
            switch action {
            case .write(let line):
                guard session.output.write(line) else { throw .system(call: "writing a response", number: errno) }
            case .call(let number, let parameters): try call(number, parameters)
            case .cancel(let number):
                guard let request = requests.first(where: { $0.value.number == number }) else { continue }
                requests[request.key] = nil
                // The end of the connection is reported when it is read.
                try? client?.cancel(request.key)
            }
        }
    }

    // MARK: The daemon

    private func call(_ number: Int, _ parameters: any ControlParameters) throws(ClientError) {
        do throws(ClientError) {
            let client = try connected()
            let method = type(of: parameters).method
            let seconds = method.isLongRunning ? ControlClient.longTimeout : ControlClient.timeout
            requests[try client.send(parameters)] = Request(
                number: number, parameters: parameters, deadline: Deadline(seconds: seconds))
        } catch {
            if case .interrupted = error { throw error }
            try finish(number, .failure(AssistantText.text(of: error)))
        }
    }

    /// Returns the connection, which is made if there is none.
    private func connected() throws(ClientError) -> ControlClient {
        if let client { return client }
        let client = try ControlClient(session.socketPath, exists: { access($0, F_OK) == 0 }, interrupt: interrupt)
        do throws(ClientError) {
            // Nothing is requested before the daemon has confirmed the restriction.
            _ = try client.request(HelloParameters(client: "transitctl mcp", restriction: restriction))
        } catch {
            guard case .refused(let refusal) = error, refusal.kind == .invalidParameters else { throw error }
            throw .failed(
                "the daemon is of an earlier version, which cannot limit what a connection may read\n"
                    + "restart it, so that the installed version runs: systemctl restart transitd")
        }
        self.client = client
        return client
    }

    /// Handles the messages that have arrived from the daemon.
    private func receive() throws(ClientError) {
        guard let client else { return }
        do throws(ClientError) {
            for message in try client.received() {
                switch message {
                case .answer(.null, .failure(let error)): throw ClientError.refused(error)
                case .answer(let id, let outcome): try answer(id, outcome)
                case .progress(let notification): requests[notification.id]?.deadline.restart()
                case .event, .lagged, .heartbeat, .other, .interrupted: continue
                }
            }
        } catch {
            self.client = nil
            let waiting = requests.values.map(\.number).sorted()
            requests = [:]
            for number in waiting { try finish(number, .failure(AssistantText.text(of: error))) }
        }
    }

    private func answer(_ id: RequestID, _ outcome: Result<JSONValue, ControlError>) throws(ClientError) {
        // The response to a canceled request is dropped.
        guard let request = requests.removeValue(forKey: id) else { return }
        switch outcome {
        case .failure(let error): try finish(request.number, .failure(AssistantText.text(of: .refused(error))))
        case .success(let result):
            let outcome: AssistantSession.Outcome
            do throws(ClientError) {
                outcome = .answer(text: try text.text(of: result, for: request.parameters), result)
            } catch { outcome = .failure(AssistantText.text(of: error)) }
            try finish(request.number, outcome)
        }
    }

    /// Gives up requests whose time has passed.
    private func expire() throws(ClientError) {
        for (id, request) in requests where request.deadline.remaining == 0 {
            requests[id] = nil
            try? client?.cancel(id)
            let failure = ClientError.silent(
                path: session.socketPath.candidates[0], seconds: request.deadline.seconds ?? 0)
            try finish(request.number, .failure(AssistantText.text(of: failure)))
        }
    }

    private func finish(_ number: Int, _ outcome: AssistantSession.Outcome) throws(ClientError) {
        try perform(assistant.finish(number, with: outcome))
    }
}
