internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitWire

struct RawCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "raw", abstract: "Send a raw request and print the response.",
        discussion: """
            With a method, prints its result as one line of JSON. Without one, reads JSON-RPC messages from standard \
            input, one per line, and prints the responses.
            """)

    @Argument(help: "The method, such as stops.search.")
    var method: String?
    @Argument(help: "The parameters, a JSON object.")
    var parameters: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        guard let method else { return try global.run { $0.relay { readLine() } } }
        let line = RawLine.request(method, try parameters.map(RawLine.read))
        try global.run { $0.send(line) }
    }

    func validate() throws {
        do { _ = try parameters.map(RawLine.read) } catch {
            throw ValidationError("The parameters are not valid JSON: \(error)")
        }
    }
}

/// JSON-RPC messages that are not built from the types of the protocol.
enum RawLine {
    static func read(_ text: String) throws(JSONError) -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    static func request(_ method: String, _ parameters: JSONValue?) -> [UInt8] {
        var request: JSONObject = ["jsonrpc": "2.0", "id": 1, "method": .string(method)]
        request["params"] = parameters
        return JSONValue.object(request).encoded
    }

    /// Returns whether the daemon responds to `line`. It does not respond to notifications or to batches that contain
    /// only notifications.
    static func hasResponse(_ line: String) -> Bool {
        // The response to invalid input is an error.
        guard let value = try? read(line) else { return true }
        guard case .array(let elements) = value, !elements.isEmpty else { return !isNotification(value) }
        return !elements.allSatisfy(isNotification)
    }

    private static func isNotification(_ value: JSONValue) -> Bool { value["method"] != nil && value["id"] == nil }
}

extension Session {
    /// Sends a request and prints its result. An error is printed to standard error as JSON.
    func send(_ line: [UInt8]) -> ExitStatus {
        run { (client) throws(ClientError) in
            let (answer, reply) = try client.exchange(line) {
                printNotice(Line(String(decoding: $0, as: UTF8.self), .faint))
            }
            switch reply {
            case .answer(_, .success(let result)):
                try write(json: result.encoded)
                return .success
            case .answer(_, .failure(let error)):
                writeRawError(error)
                return error.exitStatus
            case .notification, .batch:
                throw .invalidReply(path: "the daemon", reason: String(decoding: answer.prefix(80), as: UTF8.self))
            }
        }
    }

    /// Sends lines, one after the other, and prints every response, including errors.
    func relay(_ next: () -> String?) -> ExitStatus {
        run { (client) throws(ClientError) in
            var status = ExitStatus.success
            while let line = next() {
                guard !line.isEmpty else { continue }
                guard RawLine.hasResponse(line) else {
                    try client.notify(Array(line.utf8))
                    continue
                }
                let (answer, reply) = try client.exchange(Array(line.utf8)) {
                    self.progress(SafeText.clean(String(decoding: $0, as: UTF8.self)) + "\n")
                }
                try write(json: answer)
                if case .answer(_, .failure) = reply { status = .failure }
            }
            return status
        }
    }
}

struct DescribeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe", abstract: "List the methods of the protocol, or print an OpenRPC document with --json."
    )

    @Argument(help: "Show this method only, such as stops.search.", transform: method)
    var method: ControlMethod?
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.show(DescribeParameters(method: method), .describe) } }

    private static func method(_ name: String) throws -> ControlMethod {
        if let method = ControlMethod(rawValue: name) { return method }
        let close = Spelling.closest(to: name, among: ControlMethod.allCases.map(\.rawValue))
        throw ValidationError("There is no method \"\(name)\"." + (close.map { " Did you mean \"\($0)\"?" } ?? ""))
    }
}
