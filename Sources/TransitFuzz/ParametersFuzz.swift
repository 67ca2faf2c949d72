internal import TransitControl
internal import TransitSimulation
internal import TransitWire

/// Sends control protocol lines to a daemon that serves the demo city. The parameters of the methods are valid,
/// extreme, of the wrong type, or malformed. Each reply must match the result of parsing the line.
package struct ParametersFuzz: FuzzTarget {
    package static let name = "parameters"
    package static let defaultCount = 500_000

    private let daemon: FuzzedDaemon
    private let client: FuzzClient
    private let methods: [MethodParameters]
    private let words: [String]

    package init() async throws {
        daemon = try FuzzedDaemon()
        client = try FuzzClient(path: daemon.socket)
        methods = ControlMethod.allCases.map { MethodParameters($0) }
        words = try ParametersFuzz.words(from: client)
    }

    /// Stops the daemon and waits until it has ended.
    package func stop() async { await daemon.stop() }

    /// Returns strings from the demo city's data, and strings with a special meaning to parsers.
    private static func words(from client: FuzzClient) throws -> [String] {
        let update = try client.request(#"{"jsonrpc":"2.0","id":1,"method":"feed.update","params":{"feed":"demo"}}"#)
        guard update["result"] != nil else { throw FuzzFailure("cannot import the demo city: \(update)") }
        var words = [
            "demo", "demo:", "home", "work", "home-to-work", "Central Station", "Town Hall", "Harbor", "now", "08:00",
            "tomorrow 07:30", "2026-03-29T02:30:00Z", "2026-03-29", "24:35", "mon-fri", "07:00-09:00", "en", "de", "1",
            "#1", "file:///dev/null", "https://127.0.0.1:1/x", "53.5,10.0", "gtfs", "trip_updates",
            "demo:trip@2026-03-27",
        ]
        let board = try client.request(
            #"{"jsonrpc":"2.0","id":2,"method":"departures","params":{"stop":"Central Station","count":20}}"#)
        let departures = board["result"]?["departures"]
        guard case .array(let elements)? = departures, !elements.isEmpty else {
            throw FuzzFailure("the demo city has no departures: \(board)")
        }
        for departure in elements {
            words += [departure["id"], departure["trip"], departure["route"]?["id"], departure["stop"]?["id"]]
                .compactMap { $0?.text }
        }
        return words
    }

    package mutating func run(seed: UInt64) throws { try read(sample(seed: seed)) }

    package func sample(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return makeLine(&random)
    }

    /// Sends one line. A line feed in it becomes a space, and the rest beyond ``maximumLineLength`` is cut off.
    package func read(_ bytes: [UInt8]) throws {
        var line = bytes.prefix(Self.maximumLineLength).map { $0 == 0x0A ? 0x20 : $0 }
        // The daemon ignores a blank line.
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { line = [UInt8(ascii: "x")] }
        do { try client.exchange(line) } catch let failure as FuzzFailure {
            throw FuzzFailure("\(failure): \(String(decoding: line, as: UTF8.self))")
        }
    }

    // MARK: Lines

    /// The maximum length of a line in bytes. This length is below the protocol's limit, because a longer line ends the
    /// connection.
    private static let maximumLineLength = 60_000

    private func makeLine(_ random: inout SeededGenerator) -> [UInt8] {
        let count = random.once(in: 20) ? random.number(0...6) : random.once(in: 2000) ? random.number(60...70) : 1
        let requests = (0..<count).map { request(&random, id: $0) }
        var line = Array((count == 1 ? requests[0] : "[" + requests.joined(separator: ",") + "]").utf8)
        if random.once(in: 3) { damage(&line, &random) }
        return line
    }

    private func request(_ random: inout SeededGenerator, id: Int) -> String {
        var method = random.pick(methods)
        // Methods that fetch, import or scan the whole disk are rare, because they would take most of the time.
        if method.method.isLongRunning, !random.once(in: 12) { method = random.pick(methods) }
        let id = random.once(in: 30) ? random.pick(["null", "1.5", "\"\"", "[]", "-9223372036854775808"]) : "\(id)"
        let members = method.parameters.compactMap { parameter -> String? in
            // Required parameters are usually present, and optional ones usually absent.
            guard random.once(in: parameter.isRequired ? 12 : 3) != parameter.isRequired else { return nil }
            return "\"\(parameter.name)\":" + value(parameter.schema, &random, depth: 0)
        }
        let stray = random.once(in: 40) ? ["\"stray\":1"] : []
        return #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method.method.rawValue)","params":{"#
            + (members + stray).joined(separator: ",") + "}}"
    }

    private func value(_ schema: JSONValue, _ random: inout SeededGenerator, depth: Int) -> String {
        guard !random.once(in: 8), depth < 4 else { return Self.anything(&random) }
        if case .array(let options)? = schema["enum"], !options.isEmpty {
            return Self.quoted(random.pick(options).text ?? "")
        }
        var types: [String] = []
        if case .array(let several)? = schema["type"] { types = several.compactMap(\.text) }
        if let one = schema["type"]?.text { types = [one] }
        switch types.isEmpty ? "" : random.pick(types) {
        case "integer", "number": return Self.number(&random)
        case "boolean": return random.once(in: 2) ? "true" : "false"
        case "null": return "null"
        case "array":
            let items = schema["items"] ?? .null
            return "["
                + (0..<random.number(0...3)).map { _ in value(items, &random, depth: depth + 1) }
                .joined(separator: ",") + "]"
        case "object":
            guard case .object(let properties)? = schema["properties"] else { return "{}" }
            return "{"
                + properties.members.map { "\"\($0.name)\":" + value($0.value, &random, depth: depth + 1) }
                .joined(separator: ",") + "}"
        case "string": return text(&random)
        // A reference to a shared definition, such as a position or a topic.
        default:
            return random.pick([
                #"{"lat":53.55,"lon":10.0}"#, #"{"topic":"departures","stop":"Central Station"}"#, text(&random),
                Self.number(&random), Self.anything(&random),
            ])
        }
    }

    private func text(_ random: inout SeededGenerator) -> String {
        guard !random.once(in: 6) else { return Self.strangeText(&random) }
        var word = random.pick(words)
        if random.once(in: 4) { word += random.pick(words) }
        if random.once(in: 4) { word = String(word.prefix(random.number(0...max(1, word.count)))) }
        return Self.quoted(word)
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func number(_ random: inout SeededGenerator) -> String {
        random.once(in: 3)
            ? random.pick([
                "0", "-1", "-0", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e308",
                "-1e308",
                "1e999", "1e-999", "0.1", "90", "180", "91", "4294967296", "2147483648", "1E2", "001",
            ]) : "\(random.number(0...120))"
    }

    private static func strangeText(_ random: inout SeededGenerator) -> String {
        random.pick([
            #""""#, #"" ""#, #""\u0000""#, #""\ud800""#, #""\udc00\ud800""#, #""\u202e\u007f""#, #""🚋🚋""#,
            #""é̂̃""#, #""竹園""#, #""../../../etc/passwd""#, #""%s%n""#, #""'; DROP TABLE places; --""#,
            "\"" + String(repeating: "a", count: random.number(60...5000)) + "\"",
            "\"" + String(repeating: "é", count: random.number(60...5000)) + "\"", #""\"\\\/\b\f\n\r\t""#,
        ])
    }

    private static func anything(_ random: inout SeededGenerator) -> String {
        random.pick([
            "null", "true", "[]", "{}", "[[[[[[]]]]]]", #"{"a":{"b":[1,2]}}"#, number(&random), strangeText(&random),
            String(repeating: "[", count: random.number(1...600)), "[" + String(repeating: "1,", count: 500) + "1]",
        ])
    }

    /// Changes a few single bytes and short sections.
    private func damage(_ line: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0..<random.number(1...4) where !line.isEmpty {
            let place = random.number(0...line.count - 1)
            let end = min(line.count, place + random.number(1...20))
            switch random.number(0...4) {
            case 0: line[place] ^= 1 << UInt8(random.number(0...7))
            case 1: line[place] = UInt8(random.number(0...255))
            case 2: line.removeSubrange(place..<end)
            case 3: line.insert(contentsOf: line[place..<end], at: random.number(0...line.count))
            default: line.insert(random.pick(Array("{}[]\",:\\0-.eu".utf8)), at: place)
            }
        }
    }
}

/// The parameters of a method, taken from the protocol's description of itself.
private struct MethodParameters {
    struct Parameter {
        let name: String
        let schema: JSONValue
        let isRequired: Bool
    }

    let method: ControlMethod
    let parameters: [Parameter]

    init(_ method: ControlMethod) {
        self.method = method
        parameters = DescribeResult(of: method).methods[0].params.map {
            Parameter(name: $0.name, schema: $0.schema, isRequired: $0.required)
        }
    }
}
