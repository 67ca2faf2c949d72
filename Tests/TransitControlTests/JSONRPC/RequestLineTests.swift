import Testing
import TransitControl
import TransitModel
import TransitWire

@Suite struct RequestLineTests {
    private func single(_ line: String) -> IncomingRequest? {
        guard case .single(let request) = Array(line.utf8).withUnsafeBufferPointer(RequestLine.parse) else {
            return nil
        }
        return request
    }

    private func error(_ line: String) -> ControlError? {
        do throws(ControlError) {
            if let request = single(line) { _ = try parameters(request) }
            return nil
        } catch {
            return error
        }
    }

    private func parameters(_ request: IncomingRequest) throws(ControlError) -> any ControlParameters {
        try ControlProtocol.parse(try request.call.get())
    }

    @Test func requestRoundTrips() throws {
        let request = single(#"{"jsonrpc":"2.0","id":1,"method":"next","params":{"count":5}}"#)
        #expect(request?.id == .number(1))
        #expect(try request.map(parameters) as? NextParameters == NextParameters(count: 5))
        var writer = JSONWriter()
        OutgoingLine.write(NextParameters(count: 5), id: .number(1), to: &writer)
        let written = #"{"jsonrpc":"2.0","id":1,"method":"next","params":{"count":5}}"# + "\n"
        #expect(String(decoding: writer.bytes, as: UTF8.self) == written)
    }

    @Test func notificationHasNoID() throws {
        let request = single(#"{"jsonrpc":"2.0","method":"status"}"#)
        #expect(request?.id == nil)
        #expect(try request.map(parameters) as? StatusParameters == StatusParameters())
        // An invalid notification has no response either.
        #expect(single(#"{"jsonrpc":"2.0","method":"nothing"}"#)?.id == nil)
    }

    @Test(
        arguments: [
            (#"{"jsonrpc":"2.0","method":"#, -32700, RequestID.null), ("5", -32600, .null), (#""next""#, -32600, .null),
            ("null", -32600, .null), ("[]", -32600, .null), ("{}", -32600, .null),
            (#"{"jsonrpc":"1.0","id":1,"method":"next"}"#, -32600, .number(1)),
            (#"{"id":"a","method":"next"}"#, -32600, .text("a")),
            (#"{"jsonrpc":"2.0","id":1}"#, -32600, .number(1)),
            (#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600, .number(1)),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"next"}"#, -32600, .null),
            (#"{"jsonrpc":"2.0","id":[],"method":"next"}"#, -32600, .null),
            (#"{"jsonrpc":"2.0","id":1,"method":"next","count":1}"#, -32600, .number(1)),
            (#"{"jsonrpc":"2.0","id":1,"method":"Next"}"#, -32601, .number(1)),
            (#"{"jsonrpc":"2.0","id":1,"method":""}"#, -32601, .number(1)),
            (#"{"jsonrpc":"2.0","id":1,"method":"next","params":[]}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","id":1,"method":"next","params":5}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","id":1,"method":"next","params":{"x":1}}"#, -32602, .number(1)),
        ] as [(String, Int, RequestID)])
    func invalidRequestHasErrorResponse(_ line: String, _ code: Int, _ id: RequestID) {
        #expect(error(line)?.code == code)
        #expect(single(line)?.id == id)
    }

    @Test func misspelledMethodHasSuggestion() {
        #expect(error(#"{"jsonrpc":"2.0","id":1,"method":"stop.search"}"#)?.hint == "Did you mean \"stops.search\"?")
    }

    @Test(
        arguments: [
            (
                "favorite.change", #"{"favorite":"1"}"#,
                #""favorite.change" is now "favorite.rename" and "favorite.category"."#
            ),
            ("providers", "{}", #""providers" is now "provider.list"."#),
            ("alerts", #"{"active_at":"08:00"}"#, #""active_at" is now "at"."#),
            ("place.set", #"{"name":"home","stop":"x"}"#, #""name" is now "place"."#),
            ("place.remove", #"{"name":"home"}"#, #""name" is now "place"."#),
            ("routes.stops", #"{"route":"x","direction":0}"#, #""direction" is now "direction_id"."#),
        ])
    func formerNameIsRejectedWithTheNewName(_ method: String, _ parameters: String, _ hint: String) {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
        #expect(error(line)?.hint == hint)
    }

    @Test func batchKeepsOrder() throws {
        let line = Array(#"[{"jsonrpc":"2.0","id":1,"method":"status"},1,{"jsonrpc":"2.0","method":"next"}]"#.utf8)
        guard case .batch(let requests) = line.withUnsafeBufferPointer(RequestLine.parse) else {
            Issue.record("no batch")
            return
        }
        #expect(requests.map(\.id) == [.number(1), .null, nil])
        #expect(try parameters(requests[2]) as? NextParameters == NextParameters())
    }

    @Test func rejectsLargeBatch() {
        let many = Array(repeating: "1", count: RequestLine.maximumBatch + 1).joined(separator: ",")
        #expect(error("[\(many)]")?.kind == .invalidRequest)
    }
}

@Suite struct ReplyLineTests {
    @Test func resultRoundTrips() throws {
        var writer = JSONWriter()
        OutgoingLine.write(.success(CancelResult(isCanceled: true)), id: .text("a"), to: &writer)
        #expect(writer.bytes.last == 0x0A)
        guard case .answer(let id, .success(let result)) = try ReplyLine(writer.bytes.dropLast()) else {
            Issue.record("no answer")
            return
        }
        #expect(id == .text("a"))
        #expect(try CancelParameters.reply(from: result) == CancelResult(isCanceled: true))
    }

    @Test func errorRoundTrips() throws {
        let error = ControlError(.stopAmbiguous, "Two stops", hint: "Choose", details: ["candidates": ["a", "b"]])
        var writer = JSONWriter()
        OutgoingLine.write(.failure(error), id: .null, to: &writer)
        guard case .answer(.null, .failure(let read)) = try ReplyLine(writer.bytes.dropLast()) else {
            Issue.record("no error")
            return
        }
        #expect(read == error)
    }

    @Test func readsErrorOfAnotherServer() throws {
        let line = Array(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}"#.utf8)
        guard case .answer(_, .failure(let error)) = try ReplyLine(line) else { return }
        #expect(error.kind.rawValue == "other")
        #expect(error.code == -32000)
    }

    @Test func notificationRoundTrips() throws {
        let progress = ProgressNotification(
            id: .number(4), RequestProgress(phase: "write", done: 1, total: nil, unit: "rows"))
        var writer = JSONWriter()
        OutgoingLine.write(notification: ProgressNotification.name, progress, to: &writer)
        guard case .notification("progress", let params) = try ReplyLine(writer.bytes.dropLast()) else {
            Issue.record("no notification")
            return
        }
        #expect(try ProgressNotification(reading: params, as: .result) == progress)
    }

    @Test(arguments: ["", "{", "5", "{}", #"{"id":1}"#, #"{"id":1,"error":5}"#, #"{"id":{},"result":5}"#])
    func rejectsInvalidResponse(_ line: String) {
        #expect(throws: ReplyError.self) { try ReplyLine(Array(line.utf8)) }
    }
}

@Suite struct EventLineTests {
    /// The line that ``EventPayload`` assembles equals the encoded notification.
    @Test(arguments: [true, false])
    func eventLineEqualsNotification(_ succeeds: Bool) throws {
        let at = try #require(Timestamp(rfc3339: "2026-03-28T08:12:00-07:00"))
        let error = ControlError(.stopNotFound, "No stop")
        let payload = EventPayload(
            topic: .departures, at: at, age: succeeds ? 23 : nil, answer: succeeds ? .success("x") : .failure(error)
        )
        var writer = JSONWriter()
        OutgoingLine.write(
            notification: TopicUpdate.name,
            TopicUpdate(
                subscription: 7, sequence: 9, topic: .departures, at: at, age: succeeds ? 23 : nil,
                data: succeeds ? "x" : nil, error: succeeds ? nil : error), to: &writer)
        #expect(payload.line(subscription: 7, sequence: 9) == writer.bytes)
    }

    @Test(arguments: [
        (Topic(topic: .departures), "stop"), (Topic(topic: .next, stop: "a"), "stop"),
        (Topic(topic: .status, count: 3), "count"), (Topic(topic: .vehicles, commute: "x"), "commute"),
        (Topic(topic: .favorite, feed: "a"), "feed"), (Topic(topic: .next, favorite: "a"), "favorite"),
        (Topic(topic: .favorite, count: 21), "count"), (Topic(topic: .departures, modes: ["bus"], stop: "a"), "modes"),
        (Topic(topic: .alerts, wheelchair: true), "wheelchair"), (Topic(topic: .journey, bicycles: true), "bicycles"),
    ])
    func topicRejectsUnrelatedMembers(_ topic: Topic, _ place: String) {
        #expect { try topic.parameters() } throws: { ($0 as? WireSchemaMismatch)?.place == place }
    }

    @Test func topicConvertsToRequest() throws {
        #expect(
            try Topic(topic: .next, commute: "gym", count: 2).parameters() as? NextParameters
                == NextParameters(commute: "gym", count: 2))
        #expect(
            try Topic(topic: .next, changes: 1, modes: ["bus"], wheelchair: true, bicycles: true).parameters()
                as? NextParameters
                == NextParameters(changes: 1, modes: ["bus"], wheelchair: true, bicycles: true))
        #expect(
            try Topic(topic: .departures, stop: "a", route: "24").parameters() as? DeparturesParameters
                == DeparturesParameters(stop: "a", route: "24"))
        #expect(
            try Topic(topic: .favorite, category: "work").parameters() as? FavoriteShowParameters
                == FavoriteShowParameters(category: "work"))
    }
}
