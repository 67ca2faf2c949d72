internal import ModelContextProtocol
internal import TransitControl
internal import TransitWire

internal import struct TransitSimulation.SeededGenerator

/// Passes damaged messages of the Model Context Protocol to the reader of lines and the session. Each line that is written
/// must be one JSON-RPC message or batch, and each call has one outcome.
package struct AssistantFuzz: FuzzTarget {
    package static let name = "assistant"
    package static let defaultCount = 100_000

    package init() {}

    package mutating func run(seed: UInt64) throws { try read(sample(seed: seed)) }

    /// The first byte selects whether personal data is offered.
    package func sample(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var bytes: [UInt8] = [UInt8(random.number(0...1))]
        for _ in 0..<random.number(1...8) { bytes += Array((Self.message(&random) + "\n").utf8) }
        guard random.once(in: 3) else { return bytes }
        for _ in 0..<random.number(1...6) {
            let place = random.number(1...bytes.count - 1)
            switch random.number(0...2) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(UInt8(random.number(0...255)), at: place)
            default: bytes[place] ^= 1 << UInt8(random.number(0...7))
            }
            if bytes.count < 2 { break }
        }
        return bytes
    }

    private static func message(_ random: inout SeededGenerator) -> String {
        let id = random.pick(["1", "2", "\"a\"", "null", "-1", "1.5", "{}"])
        var parameters = random.pick([
            #""protocolVersion":"2025-03-26""#, #""protocolVersion":"2024-11-05""#, #""requestId":1"#,
            #""name":"next","arguments":{"from":"a","to":"b"}"#,
            #""name":"departures","arguments":{"stop":"a","count":3}"#,
            #""name":"alerts","arguments":null"#, #""name":"next","arguments":{"commute":"x","count":1e9}"#,
            #""name":7"#, "",
        ])
        if random.once(in: 3) {
            parameters += parameters.isEmpty ? "" : ","
            parameters += #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
            parameters += #""io.modelcontextprotocol/clientCapabilities":{}}"#
        }
        let method = random.pick([
            "initialize", "initialize", "notifications/initialized", "notifications/cancelled", "tools/list",
            "tools/call",
            "tools/call", "tools/call", "ping", "server/discover", "nope",
        ])
        let message = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(parameters)}}"#
        return random.once(in: 4) ? "[\(message),\(message)]" : message
    }

    package func read(_ bytes: [UInt8]) throws {
        var session = AssistantSession(catalog: ToolCatalog(offersPersonalData: (bytes.first ?? 0) & 1 == 1))
        var reader = LineReader()
        var lines = reader.lines(in: bytes.dropFirst())
        if let last = reader.end() { lines.append(last) }
        for line in lines { try check(session.receive(line), session) }
        for number in session.pendingCalls {
            let actions = session.finish(number, with: .answer(text: "text", ["at": "now"]))
            try check(actions, session)
            guard session.finish(number, with: .failure("again")).isEmpty else {
                throw FuzzFailure("call \(number) has two outcomes")
            }
        }
        guard session.pendingCalls.isEmpty else { throw FuzzFailure("calls remain") }
    }

    private func check(_ actions: [AssistantSession.Action], _ session: AssistantSession) throws {
        for action in actions {
            switch action {
            case .write(let line):
                guard line.last == UInt8(ascii: "\n"), let value = try? JSONValue(parsing: line.dropLast()),
                    !line.dropLast().contains(UInt8(ascii: "\n"))
                else { throw FuzzFailure("wrote \(String(decoding: line, as: UTF8.self))") }
                let messages = if case .array(let elements) = value { elements } else { [value] }
                guard !messages.isEmpty, messages.allSatisfy({ $0["jsonrpc"] == "2.0" && $0["id"] != nil }) else {
                    throw FuzzFailure("wrote \(value)")
                }
            case .call(_, let parameters):
                let purpose = type(of: parameters).method.purpose
                guard purpose == .query || purpose == .personalQuery && session.catalog.offersPersonalData else {
                    throw FuzzFailure("called \(type(of: parameters).method.rawValue)")
                }
            case .cancel: break
            }
        }
    }
}
