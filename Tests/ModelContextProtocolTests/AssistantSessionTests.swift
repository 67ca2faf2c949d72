import Testing
import TransitControl
import TransitWire

@testable import ModelContextProtocol

/// Tests of the state machine: lines in, lines and calls out.
@Suite struct AssistantSessionTests {
    private var session = AssistantSession(catalog: ToolCatalog(offersPersonalData: false))

    /// Passes a line to the session and returns what it asks for.
    private mutating func receive(_ line: String) -> [AssistantSession.Action] {
        session.receive(.complete(Array(line.utf8)))
    }

    /// Returns the messages that the session writes.
    private func messages(_ actions: [AssistantSession.Action]) throws -> [JSONValue] {
        try actions.compactMap { action in
            guard case .write(let line) = action else { return nil }
            #expect(line.last == UInt8(ascii: "\n") && line.count { $0 == UInt8(ascii: "\n") } == 1)
            return try JSONValue(parsing: line)
        }
    }

    private func calls(_ actions: [AssistantSession.Action]) -> [(number: Int, parameters: any ControlParameters)] {
        actions.compactMap { action in
            guard case .call(let number, let parameters) = action else { return nil }
            return (number, parameters)
        }
    }

    @discardableResult
    private mutating func initialize(_ revision: String = "2025-06-18") throws -> JSONValue {
        let line = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(revision)"}}"#
        let answers = try messages(receive(line))
        try #require(answers.count == 1)
        #expect(receive(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).isEmpty)
        return answers[0]
    }

    private static func call(_ id: String, _ name: String, _ arguments: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(name)","arguments":\#(arguments)}}"#
    }

    private static let departures = #"{"stop":"Mill Lane"}"#

    // MARK: Revisions

    @Test(arguments: [
        ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("1999-01-01", "2025-11-25"), ("", "2025-11-25"),
    ])
    mutating func revisionIsNegotiated(requested: String, negotiated: String) throws {
        let answer = try initialize(requested)
        #expect(answer["result"]?["protocolVersion"]?.text == negotiated)
        #expect(answer["result"]?["serverInfo"]?["name"] == "transitd")
        #expect(answer["result"]?["capabilities"]?["tools"] != nil)
        #expect(answer["result"]?["instructions"]?.text?.contains("--personal") == true)
    }

    @Test mutating func requestsBeforeInitializationAreRefused() throws {
        let early = try messages(receive(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#))
        #expect(early.first?["error"]?["code"] == -32600)
        #expect(try messages(receive(#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)).first?["result"] == [:])
        let invalid = #"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":7}}"#
        #expect(try messages(receive(invalid)).first?["error"]?["code"] == -32602)
        try initialize()
        let again = #"{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#
        #expect(try messages(receive(again)).first?["error"]?["code"] == -32600)
    }

    @Test(arguments: [
        ("2024-11-05", ["name", "description", "inputSchema"]),
        ("2025-03-26", ["name", "description", "inputSchema", "annotations"]),
        ("2025-06-18", ["name", "title", "description", "inputSchema", "outputSchema", "annotations"]),
    ])
    mutating func toolsHaveMembersOfRevision(revision: String, members: [String]) throws {
        try initialize(revision)
        let answer = try #require(try messages(receive(#"{"jsonrpc":"2.0","id":"x","method":"tools/list"}"#)).first)
        #expect(answer["id"] == "x")
        guard case .array(let tools)? = answer["result"]?["tools"], case .object(let tool)? = tools.first else {
            Issue.record("no tools")
            return
        }
        #expect(tool.members.map(\.name) == members)
        #expect(tools.count == session.catalog.tools.count)
        if revision > "2025" { #expect(tool["annotations"]?["readOnlyHint"] == true) }
        #expect(answer["result"]?["resultType"] == nil)
    }

    private static let modern =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

    @Test mutating func requestsWithRevisionNeedNoInitialization() throws {
        let discover = #"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{\#(Self.modern)}}"#
        let discovered = try #require(try messages(receive(discover)).first?["result"])
        #expect(discovered["resultType"] == "complete")
        #expect(
            discovered["supportedVersions"] == ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
        #expect(discovered["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "transitd")
        let list = #"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{\#(Self.modern)}}"#
        let tools = try #require(try messages(receive(list)).first?["result"])
        #expect(tools["ttlMs"] == 3_600_000 && tools["cacheScope"] == "private" && tools["resultType"] == "complete")
        let call =
            #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"departures","arguments":{"stop":"a"},"#
            + Self.modern + "}}"
        let number = try #require(calls(receive(call)).first?.number)
        let result = try messages(session.finish(number, with: .answer(text: "words", ["at": "now"]))).first?["result"]
        #expect(result?["resultType"] == "complete" && result?["structuredContent"] == ["at": "now"])
        let ping = #"{"jsonrpc":"2.0","id":4,"method":"ping","params":{\#(Self.modern)}}"#
        #expect(try messages(receive(ping)).first?["error"]?["code"] == -32601)
    }

    @Test mutating func unsupportedRevisionNamesSupportedOnes() throws {
        for revision in [#""2027-01-01""#, #""2025-11-25""#, "7"] {
            let line = #"""
                {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":\#(revision)}}}
                """#
            let error = try messages(receive(line)).first?["error"]
            #expect(error?["code"] == -32022)
            #expect(error?["data"]?["requested"] == (try JSONValue(parsing: Array(revision.utf8))))
        }
        let incomplete = #"""
            {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
            """#
        #expect(try messages(receive(incomplete)).first?["error"]?["code"] == -32602)
    }

    // MARK: Messages

    @Test(arguments: [
        ("{", -32700), ("\u{1}", -32700), ("[]", -32600), ("7", -32600), (#"{"id":1,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"nope"}"#, -32601),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32601),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"next","arguments":[]}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"place_set","arguments":{}}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"place_list","arguments":{}}}"#, -32602),
    ])
    mutating func invalidMessagesAreRefusedAndSessionContinues(line: String, code: Int64) throws {
        try initialize()
        let answers = try messages(receive(line))
        #expect(answers.count == 1)
        #expect(answers.first?["error"]?["code"] == .int(code), "\(answers)")
        #expect(try messages(receive(#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#)).first?["id"] == 9)
    }

    @Test mutating func overlongLineIsRefused() throws {
        try initialize()
        #expect(try messages(session.receive(.tooLong)).first?["error"]?["code"] == -32600)
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"notifications/unknown"}"#, #"{"jsonrpc":"2.0","id":7,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}"#, #"{"jsonrpc":"2.0","method":"ping"}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}"#,
    ])
    mutating func notificationsAndResponsesHaveNoAnswer(line: String) throws {
        try initialize()
        #expect(receive(line).isEmpty)
    }

    // MARK: Calls

    @Test mutating func callIsAnsweredWithTextAndStructuredContent() throws {
        try initialize()
        let made = calls(receive(Self.call(#""a""#, "departures", #"{"stop":"Mill Lane","count":3}"#)))
        #expect(made.first?.parameters as? DeparturesParameters == DeparturesParameters(stop: "Mill Lane", count: 3))
        let number = try #require(made.first?.number)
        let answer = try #require(
            try messages(session.finish(number, with: .answer(text: "Leave by 08:04.", ["a": 1]))).first)
        #expect(answer["id"] == "a")
        #expect(answer["result"]?["content"] == [["type": "text", "text": "Leave by 08:04."]])
        #expect(answer["result"]?["structuredContent"] == ["a": 1])
        #expect(answer["result"]?["isError"] == false)
        #expect(session.finish(number, with: .failure("late")).isEmpty)
    }

    @Test mutating func earlierRevisionsHaveNoStructuredContent() throws {
        try initialize("2024-11-05")
        let number = try #require(calls(receive(Self.call("1", "departures", Self.departures))).first?.number)
        let result = try messages(session.finish(number, with: .answer(text: "x", ["a": 1]))).first?["result"]
        #expect(result?["structuredContent"] == nil && result?["content"] != nil)
    }

    @Test mutating func failureIsResultForModel() throws {
        try initialize()
        let number = try #require(calls(receive(Self.call("1", "departures", Self.departures))).first?.number)
        let result = try messages(session.finish(number, with: .failure("no daemon"))).first?["result"]
        #expect(result?["isError"] == true)
        #expect(result?["content"] == [["type": "text", "text": "no daemon"]])
        #expect(result?["structuredContent"] == nil)
    }

    /// A model can correct its arguments only if it sees the error (specification 2025-11-25, *Tools*, "Error Handling").
    @Test(arguments: [
        (#"{}"#, "from is missing"), (#"{"from":"a","to":"b","commute":"gym"}"#, "commute is not available"),
        (#"{"from":"a","to":"b","interactive":true}"#, "interactive is not available"),
        (#"{"from":"a","to":"b","count":51}"#, "at most 50"), (#"{"from":"a","to":7}"#, "to must be a string"),
        (#"{"from":"a","to":"b","nope":1}"#, "nope is not a parameter"),
    ])
    mutating func invalidArgumentsAreReported(arguments: String, words: String) throws {
        var modern = self
        try modern.initialize("2025-11-25")
        let result = try messages(modern.receive(Self.call("1", "next", arguments))).first?["result"]
        #expect(result?["isError"] == true)
        guard case .array(let content)? = result?["content"] else {
            Issue.record("no content")
            return
        }
        #expect(content.first?["text"]?.text?.contains(words) == true, "\(content)")
        try initialize("2025-06-18")
        let error = try messages(receive(Self.call("1", "next", arguments))).first?["error"]
        #expect(error?["code"] == -32602)
        #expect(error?["message"]?.text?.contains(words) == true)
    }

    @Test mutating func canceledCallHasNoAnswer() throws {
        try initialize()
        let number = try #require(calls(receive(Self.call("5", "departures", Self.departures))).first?.number)
        let actions = receive(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#)
        guard actions.count == 1, case .cancel(number) = actions[0] else {
            Issue.record("\(actions)")
            return
        }
        #expect(session.pendingCalls.isEmpty)
        #expect(session.finish(number, with: .failure("canceled")).isEmpty)
        #expect(calls(receive(Self.call("5", "departures", Self.departures))).count == 1)
    }

    @Test mutating func idInProgressIsRefused() throws {
        try initialize()
        #expect(calls(receive(Self.call("5", "departures", Self.departures))).count == 1)
        #expect(try messages(receive(Self.call("5", "departures", Self.departures))).first?["error"]?["code"] == -32600)
        #expect(calls(receive(Self.call(#""5""#, "departures", Self.departures))).count == 1)
    }

    @Test mutating func callsInProgressAreLimited() throws {
        try initialize()
        for id in 1...AssistantSession.maximumCalls {
            #expect(calls(receive(Self.call("\(id)", "departures", Self.departures))).count == 1)
        }
        let result = try messages(receive(Self.call("99", "departures", Self.departures))).first?["result"]
        #expect(result?["isError"] == true)
    }

    // MARK: Batches

    @Test mutating func batchIsAnsweredTogether() throws {
        try initialize("2025-03-26")
        let call = Self.call("2", "departures", Self.departures)
        let note = #"{"jsonrpc":"2.0","method":"notifications/x"}"#
        let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        let actions = receive("[\(ping),\(call),\(note),7]")
        #expect(try messages(actions).isEmpty)
        let number = try #require(calls(actions).first?.number)
        let answers = try messages(session.finish(number, with: .answer(text: "x", [:])))
        guard answers.count == 1, case .array(let responses) = answers[0] else {
            Issue.record("\(answers)")
            return
        }
        #expect(responses.map { $0["id"] } == [1, .null, 2])
        #expect(receive("[\(note)]").isEmpty)
    }

    @Test mutating func canceledElementDoesNotBlockBatch() throws {
        try initialize("2025-03-26")
        let batch = ["1", "2"].map { Self.call($0, "departures", Self.departures) }.joined(separator: ",")
        let numbers = calls(receive("[\(batch)]")).map(\.number)
        #expect(try messages(session.finish(numbers[0], with: .failure("x"))).isEmpty)
        let actions = receive(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#)
        guard case .array(let responses)? = try messages(actions).first else {
            Issue.record("\(actions)")
            return
        }
        #expect(responses.map { $0["id"] } == [1])
    }

    @Test(arguments: ["2024-11-05", "2025-06-18", "2025-11-25"]) mutating func otherRevisionsHaveNoBatches(
        revision: String
    ) throws {
        try initialize(revision)
        let answers = try messages(receive(#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#))
        #expect(answers.first?["error"]?["code"] == -32600)
    }
}

@Suite struct LineReaderTests {
    @Test func linesAreSplitAnywhere() {
        let text = Array("one\r\n\n  \ntwo\nthree".utf8)
        for size in 1...text.count {
            var reader = LineReader()
            var lines: [LineReader.Line] = []
            for start in stride(from: 0, to: text.count, by: size) {
                lines += reader.lines(in: text[start..<min(text.count, start + size)])
            }
            #expect(lines == [.complete(Array("one".utf8)), .complete(Array("two".utf8))])
            #expect(reader.end() == .complete(Array("three".utf8)))
            #expect(reader.end() == nil)
        }
    }

    @Test func overlongLineIsDropped() {
        var reader = LineReader()
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: LineReader.maximumLength + 1)
        #expect(reader.lines(in: long).isEmpty)
        #expect(reader.lines(in: Array("more\nnext\n".utf8)) == [.tooLong, .complete(Array("next".utf8))])
        #expect(reader.lines(in: long.dropLast() + [UInt8(ascii: "\n")]) == [.complete(Array(long.dropLast()))])
        #expect(reader.lines(in: long).isEmpty)
        #expect(reader.end() == .tooLong)
    }
}

@Suite struct ResultLimitTests {
    private func list(_ count: Int, _ size: Int) -> JSONValue {
        .array((0..<count).map { ["n": .int(Int64($0)), "t": .string(String(repeating: "x", count: size))] })
    }

    @Test func longestListIsCutFirst() throws {
        let value: JSONValue = ["at": "now", "short": list(3, 100), "inner": ["long": list(500, 200)]]
        let shortened = try #require(ResultLimit.shortened(value))
        #expect(shortened.value.encoded.count <= ResultLimit.structured)
        #expect(shortened.value["short"] == value["short"] && shortened.value["at"] == "now")
        #expect(
            shortened.remarks == ["The structured content has only 125 of 500 elements of inner.long."])
        guard case .array(let kept)? = shortened.value["inner"]?["long"] else {
            Issue.record("no list")
            return
        }
        #expect(kept.first?["n"] == 0 && kept.count == 125)
    }

    @Test func smallResultIsUnchanged() {
        let value: JSONValue = ["list": list(10, 10)]
        #expect(ResultLimit.shortened(value) == .init(value: value, remarks: []))
    }

    @Test func resultWithoutListsCannotBeCut() {
        #expect(ResultLimit.shortened(["t": .string(String(repeating: "x", count: 40_000))]) == nil)
        #expect(ResultLimit.shortened(["l": [.string(String(repeating: "x", count: 40_000))]])?.value == ["l": []])
    }

    @Test func textIsCutBetweenLines() {
        let text = (1...2000).map { "line \($0)" }.joined(separator: "\n")
        let short = ResultLimit.shortened(text)
        #expect(short.utf8.count < ResultLimit.text + 100)
        #expect(short.hasPrefix("line 1\nline 2\n"))
        #expect(short.contains("more lines"))
        #expect(ResultLimit.shortened("short") == "short")
        #expect(ResultLimit.shortened(String(repeating: "é", count: 20_000)).utf8.count <= ResultLimit.text)
    }
}
