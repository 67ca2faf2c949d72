internal import Glibc
internal import TransitControl

/// One run of the program: asks, shows the answer, and tells with which status to end.
struct Session {
    let settings: Settings
    let terminal: Terminal
    /// In which the names of stops and routes are asked for.
    let language = Environment.language(Environment.variable)
    let output = StandardStream.output
    private let error = StandardStream.error

    init(_ settings: Settings) {
        self.settings = settings
        terminal = .ofThisProcess(settings)
    }

    var socketPath: SocketPath { SocketPath(option: settings.socket, environment: Environment.variable) }

    /// Runs `body` with a connection; what goes wrong is told on standard error.
    func run(_ body: (inout ControlClient) throws(ClientError) -> ExitStatus) -> ExitStatus {
        attempt { () throws(ClientError) in
            var client = try ControlClient(socketPath, exists: { access($0, F_OK) == 0 }, interrupt: .catching())
            return try body(&client)
        }
    }

    /// Runs `body`; what goes wrong is told on standard error.
    func attempt(_ body: () throws(ClientError) -> ExitStatus) -> ExitStatus {
        do throws(ClientError) { return try body() } catch {
            tell(error)
            return error.exitStatus
        }
    }

    /// Asks and shows the answer.
    ///
    /// - Parameters:
    ///   - heading: words for people before the answer; not part of it.
    ///   - status: with which the program ends when the question was answered; success when left out.
    func show<Call: ControlParameters>(
        _ call: Call, _ view: View<Call.Reply>, heading: (Call.Reply) -> String? = { _ in nil },
        status: ((Call.Reply) -> ExitStatus)? = nil
    ) -> ExitStatus {
        run { (client) throws(ClientError) in
            try show(try answer(to: call, &client), of: call, view, heading: heading, status: status)
        }
    }

    /// Asks over a connection of its own.
    func ask<Call: ControlParameters>(_ call: Call) throws(ClientError) -> Call.Reply {
        var client = try ControlClient(socketPath, exists: { access($0, F_OK) == 0 }, interrupt: .catching())
        return try Self.read(try answer(to: call, &client), of: call)
    }

    /// Shows a result that has come.
    func show<Call: ControlParameters>(
        _ result: JSONValue, of call: Call, _ view: View<Call.Reply>, heading: (Call.Reply) -> String? = { _ in nil },
        status: ((Call.Reply) -> ExitStatus)? = nil
    ) throws(ClientError) -> ExitStatus {
        if settings.json {
            try write(json: result.encoded)
            // What programs read need not be understood here: a newer daemon may say more.
            guard let status else { return .success }
            return status(try Self.read(result, of: call))
        }
        let reply = try Self.read(result, of: call)
        if let words = heading(reply), !settings.plain { note(Line(words, .faint)) }
        try write(settings.plain ? PlainRows.text(view.rows(reply)) : paint(view.page(reply)))
        for notice in view.notices(reply) { note(notice) }
        return status?(reply) ?? .success
    }

    static func read<Call: ControlParameters>(
        _ result: JSONValue, of call: Call
    ) throws(ClientError) -> Call.Reply {
        do { return try Call.reply(from: result) } catch { throw .unexpectedReply(reason: error.reason) }
    }

    func paint(_ page: Page) -> String { Painter(canvas: terminal.output).paint(page) }

    /// Writes data.
    func write(_ text: String) throws(ClientError) { try write(bytes: Array(text.utf8)) }

    /// Writes one line of JSON.
    func write(json: [UInt8]) throws(ClientError) {
        var line = SafeJSON.clean(json)
        line.append(UInt8(ascii: "\n"))
        try write(bytes: line)
    }

    private func write(bytes: [UInt8]) throws(ClientError) {
        guard !output.write(bytes) else { return }
        // Nobody reads any more: that is the reader's right, and nothing to complain about.
        if errno == EPIPE { exit(ExitStatus.success.rawValue) }
        throw .system(call: "writing the answer", number: errno)
    }

    /// Tells people something that is not the answer.
    func note(_ line: Line) { if !settings.quiet { tell(line) } }

    /// The same as ``note(_:)``, but also with `--quiet`.
    func tell(_ line: Line) {
        var page = Page()
        page.line(line)
        _ = error.write(Array(Painter(canvas: terminal.error).paint(page).utf8))
    }

    /// Rewrites the terminal's line, or adds one: for progress.
    func progress(_ text: String) {
        guard !settings.quiet else { return }
        _ = error.write(Array(text.utf8))
    }

    /// Tells what the daemon refused, as one line of JSON for programs.
    func writeRawError(_ refusal: ControlError) {
        _ = error.write(SafeJSON.clean(refusal.encoded) + [UInt8(ascii: "\n")])
    }

    /// Tells why there is no answer. With `--json` what the daemon refused is one line of JSON, for programs.
    func tell(_ failure: ClientError) {
        if settings.json, case .refused(let refusal) = failure {
            writeRawError(refusal)
        } else {
            _ = error.write(Array(Painter(canvas: terminal.error).paint(failure.page).utf8))
        }
    }
}
