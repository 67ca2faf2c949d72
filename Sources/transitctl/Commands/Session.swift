internal import ArgumentParser
internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// A run of the program, which sends requests, shows their results and determines the exit status.
struct Session {
    let settings: Settings
    let terminal: Terminal
    /// The requested language of names and texts.
    let language = Environment.language(Environment.variable)
    /// The units of the user's locale.
    let units = DisplayUnits.ofLocale(Environment.variable)
    let output = StandardStream.output
    private let error = StandardStream.error

    init(_ settings: Settings) {
        self.settings = settings
        terminal = .ofThisProcess(settings)
        if let problem = terminal.appearance?.problem { printNotice(Line("note: ", .caution) + Line(problem)) }
    }

    /// Whether a person reads the result on a terminal, rather than a program that may repeat the request.
    var isInteractive: Bool { output.isTerminal && !settings.json && !settings.plain }

    var socketPath: SocketPath { SocketPath(option: settings.socket, environment: Environment.variable) }

    /// Runs `body` with a connection and prints errors on standard error.
    func run(_ body: (ControlClient) throws(ClientError) -> ExitStatus) -> ExitStatus {
        attempt { () throws(ClientError) in
            let client = try ControlClient(socketPath, exists: { access($0, F_OK) == 0 }, interrupt: .catching())
            return try body(client)
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
            try show(try result(of: call, client), of: call, view, heading: heading, status: status)
        }
    }

    /// Sends a request over a new connection and returns its result.
    ///
    /// - Parameter changesData: Whether a following request changes data according to the result of this one.
    func request<Call: ControlParameters>(
        _ call: Call, changesData: Bool = false
    ) throws(ClientError) -> Call.Reply {
        let client = try ControlClient(socketPath, exists: { access($0, F_OK) == 0 }, interrupt: .catching())
        var call = call
        return try Self.read(try result(correcting: &call, client, changesData: changesData), of: call)
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
        try write(settings.plain ? PlainRows.text(view.rows(reply)) : paint(page(of: reply, in: view)))
        for notice in view.notices(reply) { printNotice(notice) }
        return status?(reply) ?? .success
    }

    /// Returns the page of a result. On a terminal, rows have numbers if the following commands can refer to them.
    func page<Result>(of result: Result, in view: View<Result>) -> Page {
        guard isInteractive, let listed = view.listed?(result), let file = TerminalRowsFile.ofThisProcess else {
            return view.page(result)
        }
        let failure = file.write(
            TerminalRows(
                time: LinuxClock.boot / 1000, socket: chosenSocket, command: listed.command, kind: listed.kind,
                rows: listed.rows, mentioned: listed.mentioned))
        guard let failure else { return listed.page }
        printNotice(
            Line("note: ", .caution) + Line("rows have no numbers, because \(file.path): \(ErrnoText.text(failure))"))
        return view.page(result)
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
            _ = error.write(Array(Painter(canvas: terminal.error).paint(failure.namingArguments.page).utf8))
        }
    }
}

extension ClientError {
    /// The error with the argument or option of this process's command line in place of the name of a parameter.
    var namingArguments: ClientError {
        guard case .refused(let refusal) = self, refusal.kind == .invalidParameters else { return self }
        return .refused(refusal.naming(TypedArguments(Array(CommandLine.arguments.dropFirst())).name))
    }
}

/// The global options that change a result and that a command supports.
struct UsedGlobalOptions: OptionSet {
    let rawValue: Int

    static let at = UsedGlobalOptions(rawValue: 1)
    static let count = UsedGlobalOptions(rawValue: 2)
}

extension OptionsOfCommand {
    /// Runs a command and ends the process with its status.
    ///
    /// - Parameters:
    ///   - uses: The options that the command supports. Other options are errors, because ignoring them would give a
    ///     result that the user did not request.
    ///   - body: The command.
    func run(_ uses: UsedGlobalOptions = [], _ body: (Session) throws(ClientError) -> ExitStatus) throws {
        let session = Session(settings)
        let status = unused(uses).map { problem in
            session.report(.usage(problem))
            return ExitStatus.usage
        }
        switch status ?? session.attempt({ () throws(ClientError) in try body(session) }) {
        case .success: return
        case let status: throw ExitCode(status.rawValue)
        }
    }

    /// Returns an error message if the user gave an option that the command does not support.
    func unused(_ uses: UsedGlobalOptions) -> String? {
        if at != nil, !uses.contains(.at) {
            return
                "this command does not support --at\nuse it with next, journey, departures, alerts, weather and favorite"
        }
        if count != nil, !uses.contains(.count) {
            return "this command does not support -n\ntransitctl(1) lists the commands that do"
        }
        return nil
    }
}

/// The words of a name that was given without quotes.
extension [String] {
    var name: String { joined(separator: " ") }
}

extension Session {
    /// Returns the best match and prints it on standard error.
    func bestAddress(_ text: String) throws(ClientError) -> AddressMatch {
        let found = try addresses(text, count: 1)
        printNotice(Line("near ", .faint) + Line(found[0].name, .faint))
        return found[0]
    }

    /// Returns the address to store. With several matches, it prompts for one on a terminal, and fails in a script.
    func chosenAddress(_ text: String) throws(ClientError) -> AddressMatch {
        let found = try addresses(text, count: settings.count ?? 5)
        if found.count == 1 { return found[0] }
        guard isatty(STDIN_FILENO) == 1 else {
            throw .severalAddresses(found.map { "\($0.position.words)  \($0.name)" })
        }
        do throws(Prompter.Failure) {
            return found[try Prompter(session: self).choose("Which one", among: found.map(\.name))]
        } catch {
            throw error.clientError
        }
    }

    /// Returns at least one address.
    private func addresses(_ text: String, count: Int) throws(ClientError) -> [AddressMatch] {
        let found = try request(AddressSearchParameters(text: text, count: count, language: language)).addresses
        if found.isEmpty { throw .noAddress(text) }
        return found
    }

    /// Connects for search-as-you-type requests. Returns `nil` if the daemon cannot be reached.
    func searchClient() -> ControlClient? {
        guard let path = socketPath.chosen(exists: { access($0, F_OK) == 0 }) else { return nil }
        return try? ControlClient(path: path, timeout: ControlClient.timeout)
    }
}

extension Session {
    /// Returns the location of the machine and prints it with its accuracy on standard error.
    func currentLocation() throws(ClientError) -> Position {
        do throws(LocationFailure) {
            var geoclue = try GeoClue(address: DBusAddress.system(Environment.variable), interrupt: .catching())
            let found = try geoclue.locate()
            // With an imprecise location, the listed stops may not be the nearest.
            let isImprecise = found.accuracy > GeoClue.sufficientAccuracy
            printNotice(
                Line(
                    "within \(units.distance(meters: found.accuracy)) of \(found.position.words), according to GeoClue",
                    isImprecise ? .caution : .faint))
            return found.position
        } catch {
            throw error == .interrupted ? .interrupted : .location(error)
        }
    }
}

extension Session {
    /// Updates a feed and shows the progress on standard error.
    ///
    /// - Parameters:
    ///   - call: The parameters of the request.
    ///   - printOutcome: Receives the outcome as a line. Without it, the outcome is printed on standard output.
    func update(_ call: FeedUpdateParameters, to printOutcome: ((Line) -> Void)? = nil) -> ExitStatus {
        run { (client) throws(ClientError) in
            var meter = ProgressMeter(
                subject: call.feed.rawValue, canvas: terminal.error, rewrites: terminal.rewritesErrorLine)
            let outcome = Result { () throws(ClientError) in
                try client.request(call, timeout: ControlClient.longTimeout) { progress in
                    if let text = meter.text(for: progress) { self.progress(text) }
                }
            }
            progress(meter.ending())
            guard let printOutcome else { return try show(try outcome.get(), of: call, .feedUpdate) }
            let reply = try Self.read(try outcome.get(), of: call)
            printOutcome(Line("\(reply.feed): \(reply.message)"))
            return .success
        }
    }
}

// The first request may start the daemon (systemd socket activation), whose first import is then still running.
extension Session {
    /// The maximum number of seconds to wait for a first import.
    private static let importTimeout = 120
    /// The maximum number of seconds until a newly started daemon begins its first import.
    private static let startTimeout = 5
    /// The number of milliseconds between two checks of the import.
    private static let importPollInterval = 250

    /// Sends a request. If the daemon has no timetable yet, waits for the running import, shows its progress and repeats
    /// the request.
    ///
    /// - Throws: The daemon's last error, which is ``ErrorKind/feedNoData`` if no timetable is ready in time or no import
    ///   is running.
    ///
    /// If a name in the request is not known, the request is repeated with the name that is meant
    /// (``corrected(_:_:)``).
    func result<Call: ControlParameters>(of call: Call, _ client: ControlClient) throws(ClientError) -> JSONValue {
        var call = call
        return try result(correcting: &call, client)
    }

    /// Like ``result(of:_:)``. The request then contains the names that are meant.
    func result<Call: ControlParameters>(
        correcting call: inout Call, _ client: ControlClient, changesData: Bool = false
    ) throws(ClientError) -> JSONValue {
        for _ in 0..<Self.maximumCorrections {
            do { return try exactResult(of: call, client) } catch {
                guard case .refused(let refusal) = error, NameQuestion(refusal) != nil else { throw error }
                call = try corrected(call, refusal, changesData: changesData)
            }
        }
        return try exactResult(of: call, client)
    }

    /// The maximum number of names in a request that are corrected.
    private static let maximumCorrections = 4

    /// Sends a request as it is, and waits for the first timetable.
    func exactResult<Call: ControlParameters>(
        of call: Call, _ client: ControlClient
    ) throws(ClientError) -> JSONValue {
        let timeout = call.responseTime == .lengthy ? ControlClient.longTimeout : ControlClient.timeout
        let began = Deadline(seconds: Self.startTimeout)
        let end = Deadline(seconds: Self.importTimeout)
        var meter: ProgressMeter?
        var subject: FeedID?
        var isLastAttempt = false
        defer { if let meter { progress(meter.ending()) } }
        while true {
            let refusal: ControlError
            do { return try client.request(call, timeout: timeout) } catch {
                guard case .refused(let error) = error, error.kind == .feedNoData, error.isRetryable else {
                    throw error
                }
                refusal = error
            }
            guard !isLastAttempt, end.remaining > 0 else { throw .refused(refusal) }
            guard let feed = try firstImport(began, client) else {
                // The import may have ended after the error, so one more attempt is made.
                isLastAttempt = true
                continue
            }
            if subject != feed.id || meter == nil {
                if let meter { progress(meter.ending()) }
                subject = feed.id
                meter = ProgressMeter(
                    subject: feed.id.rawValue, canvas: terminal.error, rewrites: terminal.rewritesErrorLine)
            }
            if let done = feed.progress, let text = meter?.text(for: done) { progress(text) }
            if client.interrupt.waits(milliseconds: Self.importPollInterval) { throw .interrupted }
        }
    }

    /// Returns the first feed whose first import is running. If the daemon may have just started, a feed whose import is
    /// about to begin also counts.
    private func firstImport(
        _ began: Deadline, _ client: ControlClient
    ) throws(ClientError) -> FeedStatus? {
        let list = FeedListParameters()
        let feeds = try Self.read(try client.request(list), of: list).feeds
        if let importing = feeds.first(where: { $0.state == .importing }) { return importing }
        guard began.remaining > 0 else { return nil }
        return feeds.first { $0.state == .empty && $0.lastAttempt == nil }
    }
}
