internal import Glibc
internal import TransitControl
internal import TransitWire

/// A run of the program, which sends requests, shows their results and determines the exit status.
struct Session {
    let settings: Settings
    let terminal: Terminal
    /// The requested language of names and texts.
    let language = Environment.language(Environment.variable)
    let output = StandardStream.output
    private let error = StandardStream.error

    init(_ settings: Settings) {
        self.settings = settings
        terminal = .ofThisProcess(settings)
    }

    var socketPath: SocketPath { SocketPath(option: settings.socket, environment: Environment.variable) }

    /// Runs `body` with a connection and prints errors on standard error.
    func run(_ body: (inout ControlClient) throws(ClientError) -> ExitStatus) -> ExitStatus {
        attempt { () throws(ClientError) in
            var client = try ControlClient(socketPath, exists: { access($0, F_OK) == 0 }, interrupt: .catching())
            return try body(&client)
        }
    }

    /// Runs `body` and prints errors on standard error.
    func attempt(_ body: () throws(ClientError) -> ExitStatus) -> ExitStatus {
        do throws(ClientError) { return try body() } catch {
            report(error)
            return error.exitStatus
        }
    }

    /// Sends a request and shows its result.
    ///
    /// - Parameters:
    ///   - call: The parameters of the request.
    ///   - view: The view of the result.
    ///   - heading: A line to print on standard error before the result.
    ///   - status: The exit status for a result. The default is success.
    func show<Call: ControlParameters>(
        _ call: Call, _ view: View<Call.Reply>, heading: (Call.Reply) -> String? = { _ in nil },
        status: ((Call.Reply) -> ExitStatus)? = nil
    ) -> ExitStatus {
        run { (client) throws(ClientError) in
            try show(try result(of: call, &client), of: call, view, heading: heading, status: status)
        }
    }

    /// Sends a request over a new connection and returns its result.
    func request<Call: ControlParameters>(_ call: Call) throws(ClientError) -> Call.Reply {
        var client = try ControlClient(socketPath, exists: { access($0, F_OK) == 0 }, interrupt: .catching())
        return try Self.read(try result(of: call, &client), of: call)
    }

    /// Shows a result.
    func show<Call: ControlParameters>(
        _ result: JSONValue, of call: Call, _ view: View<Call.Reply>, heading: (Call.Reply) -> String? = { _ in nil },
        status: ((Call.Reply) -> ExitStatus)? = nil
    ) throws(ClientError) -> ExitStatus {
        if settings.json {
            try write(json: result.encoded)
            // JSON output is not parsed unless necessary, since a newer daemon may send more.
            guard let status else { return .success }
            return status(try Self.read(result, of: call))
        }
        let reply = try Self.read(result, of: call)
        if let words = heading(reply), !settings.plain { printNotice(Line(words, .faint)) }
        try write(settings.plain ? PlainRows.text(view.rows(reply)) : paint(view.page(reply)))
        for notice in view.notices(reply) { printNotice(notice) }
        return status?(reply) ?? .success
    }

    static func read<Call: ControlParameters>(
        _ result: JSONValue, of call: Call
    ) throws(ClientError) -> Call.Reply {
        do { return try Call.reply(from: result) } catch { throw .unexpectedReply(reason: error.reason) }
    }

    func paint(_ page: Page) -> String { Painter(canvas: terminal.output).paint(page) }

    /// Writes text to standard output.
    func write(_ text: String) throws(ClientError) { try write(bytes: Array(text.utf8)) }

    /// Writes one line of JSON to standard output.
    func write(json: [UInt8]) throws(ClientError) {
        var line = SafeJSON.clean(json)
        line.append(UInt8(ascii: "\n"))
        try write(bytes: line)
    }

    private func write(bytes: [UInt8]) throws(ClientError) {
        guard !output.write(bytes) else { return }
        // The reader closed the pipe, which is not an error.
        if errno == EPIPE { exit(ExitStatus.success.rawValue) }
        throw .system(call: "writing the result", number: errno)
    }

    /// Prints a line on standard error unless `--quiet` is given.
    func printNotice(_ line: Line) { if !settings.quiet { report(line) } }

    /// Prints a line on standard error, even with `--quiet`.
    func report(_ line: Line) {
        var page = Page()
        page.line(line)
        _ = error.write(Array(Painter(canvas: terminal.error).paint(page).utf8))
    }

    /// Writes progress text to standard error unless `--quiet` is given.
    func progress(_ text: String) {
        guard !settings.quiet else { return }
        _ = error.write(Array(text.utf8))
    }

    /// Prints an error of the daemon on standard error as one line of JSON.
    func writeRawError(_ refusal: ControlError) {
        _ = error.write(SafeJSON.clean(refusal.encoded) + [UInt8(ascii: "\n")])
    }

    /// Prints an error on standard error. With `--json`, an error of the daemon is one line of JSON.
    func report(_ failure: ClientError) {
        if settings.json, case .refused(let refusal) = failure {
            writeRawError(refusal)
        } else {
            _ = error.write(Array(Painter(canvas: terminal.error).paint(failure.page).utf8))
        }
    }
}
