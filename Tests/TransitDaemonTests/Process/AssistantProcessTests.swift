import Foundation
import Glibc
import Testing
import TransitControl
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of the built `transitctl mcp` with the built daemon.
@Suite(.enabled(if: BuiltClient.path != nil), .ownThreads) struct AssistantProcessTests {
    private let daemon: DaemonProcess

    init() throws {
        daemon = try DaemonProcess()
        try Data(FeedBuilder.small.zip()).write(to: URL(fileURLWithPath: daemon.folder("city.zip")))
        try daemon.configure(
            """
            [[feed]]
            id = "city"
            provider = "gtfs"
            static = "\(daemon.folder("city.zip"))"
            """)
    }

    private func start() throws {
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        _ = try daemon.ask("feed.update", ["feed": "city"])
    }

    /// The user's own data, whose names occur nowhere else.
    private func addPersonalData() throws {
        _ = try daemon.ask("place.set", ["place": "home", "position": ["lat": 53.5453, "lon": 9.9902]])
        _ = try daemon.ask("place.set", ["place": "work", "stop": "city:central"])
        _ = try daemon.ask("place.set", ["place": "zzplace", "stop": "city:market"])
        _ = try daemon.ask("commute.add", ["name": "zzcommute", "from": "zzplace", "to": "city:central"])
        _ = try daemon.ask("favorite.add", ["name": "zzfavorite", "stop": "city:market"])
    }

    /// A running `transitctl mcp`.
    private final class Assistant {
        private let process = TestProcess()
        private let (input, output, error) = (Pipe(), Pipe(), Pipe())
        private var received: [UInt8] = []
        private var lastID = 0

        init(_ daemon: DaemonProcess, _ options: [String] = []) throws {
            process.executableURL = URL(fileURLWithPath: try #require(BuiltClient.path))
            process.arguments = ["mcp", "--socket", daemon.socket] + options
            process.environment = ["HOME": daemon.folder.path]
            (process.standardInput, process.standardOutput, process.standardError) = (input, output, error)
            try process.run()
            let answer = try request(
                "initialize", ["protocolVersion": "2025-06-18", "capabilities": [:], "clientInfo": ["name": "test"]])
            #expect(answer["result"]?["protocolVersion"] == "2025-06-18")
            try send(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        func send(_ line: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }

        /// Returns the next line of standard output, which is always JSON.
        func reply() throws -> JSONValue {
            while true {
                if let end = received.firstIndex(of: 0x0A) {
                    defer { received.removeSubrange(...end) }
                    return try JSONValue(parsing: Array(received[..<end]))
                }
                let data = output.fileHandleForReading.availableData
                try #require(!data.isEmpty, "transitctl mcp ended")
                received += data
            }
        }

        func request(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
            lastID += 1
            let message: JSONValue = [
                "jsonrpc": "2.0", "id": .int(Int64(lastID)), "method": .string(method), "params": parameters,
            ]
            try send(message.description)
            let answer = try reply()
            #expect(answer["id"] == .int(Int64(lastID)))
            return answer
        }

        func call(_ name: String, _ arguments: JSONValue = [:]) throws -> (
            text: String, isError: Bool, result: JSONValue
        ) {
            let answer = try request("tools/call", ["name": .string(name), "arguments": arguments])
            let result = try #require(answer["result"], "\(answer)")
            guard case .array(let content)? = result["content"] else { throw DaemonFailure(reason: "\(answer)") }
            return (content.first?["text"]?.text ?? "", result["isError"] == true, result)
        }

        func interrupt() { kill(process.processIdentifier, SIGINT) }

        /// Ends the input, and returns the status, the rest of the output, and the standard error.
        func end(closesInput: Bool = true) throws -> (status: Int32, output: String, error: String) {
            if closesInput { try input.fileHandleForWriting.close() }
            let texts = [output, error].map {
                String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            }
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: received, as: UTF8.self) + texts[0], texts[1])
        }
    }

    @Test func assistantAnswersWhenToLeave() throws {
        try start()
        try addPersonalData()
        let assistant = try Assistant(daemon, ["--personal"])
        let next = try assistant.call("next", ["commute": "home-to-work"])
        #expect(next.text.contains("As of Friday 27 March 2026, 07:3"), "\(next.text)")
        #expect(next.text.contains("Leave by 08:0"), "\(next.text)")
        #expect(next.text.contains("Bus 24 at 08:09 from Market Square"), "\(next.text)")
        #expect(next.text.contains("from the timetable"), "\(next.text)")
        #expect(next.result["structuredContent"]?["commute"]?["name"] == "home-to-work")
        #expect(try assistant.call("place_list").text.contains("zzplace"))
        let ended = try assistant.end()
        #expect(ended.status == 0 && ended.output.isEmpty && ended.error.isEmpty, "\(ended)")
    }

    @Test func withoutOptionNothingPersonalIsShown() throws {
        try start()
        try addPersonalData()
        let assistant = try Assistant(daemon)
        var texts: [String] = []
        for (tool, arguments): (String, JSONValue) in [
            ("next", ["from": "home", "to": "work"]), ("next", ["from": "zzplace", "to": "central"]),
            ("departures", ["stop": "home"]), ("explain", ["departure": "08:09"]), ("weather", ["location": "work"]),
            ("departures", ["stop": "market"]), ("feed_list", [:]), ("alerts", ["stop": "home"]),
        ] {
            texts.append(try assistant.call(tool, arguments).result.description)
        }
        let asked = texts.joined()
        #expect(!asked.contains("zzcommute") && !asked.contains("zzfavorite") && !asked.contains("53.5453"), "\(asked)")
        let board = try assistant.call("departures", ["stop": "market"])
        #expect(
            !board.isError && board.text.contains("08:09") && !board.text.contains("going to work"), "\(board.text)")
        let journey = try assistant.call("next", ["from": "Market Square", "to": "Central Station"])
        #expect(journey.text.contains("Be at the stop by 08:09"), "\(journey.text)")
        let refused = try assistant.request("tools/call", ["name": "place_list", "arguments": [:]])
        #expect(refused["error"]?["code"] == -32602)
        #expect(try daemon.ask("recent.list")["searches"] == [])
    }

    /// Calls each tool once. People see the JSON of the list of providers only with other programs.
    @Test func everyToolAnswersInWords() throws {
        try start()
        try addPersonalData()
        let assistant = try Assistant(daemon, ["--personal"])
        guard case .array(let tools)? = try assistant.request("tools/list", [:])["result"]?["tools"] else {
            Issue.record("no tools")
            return
        }
        #expect(tools.count > 30)
        let samples: [String: JSONValue] = [
            "text": "market", "stop": "market", "route": "24", "trip": "b1", "feed": "city",
            "departure": "24 08:09 from market",
            "usual": "1", "from": "Market Square", "to": "Central Station",
        ]
        // They need a service that the configuration does not have, learned data, a second version, or notifications.
        let failing: Set = ["address_search", "weather", "events", "usual_explain", "feed_diff", "notify_rehearse"]
        for tool in tools {
            guard let name = tool["name"]?.text, name != "feed_find" else { continue }
            var arguments = JSONObject()
            if case .array(let required)? = tool["inputSchema"]?["required"] {
                for member in required.compactMap(\.text) { arguments[member] = samples[member] ?? "1" }
            }
            if name == "stops_near" { arguments["place"] = "zzplace" }
            // Either it or `on_board` is required.
            if name == "journeys" { arguments["from"] = samples["from"] }
            let answer = try assistant.call(name, .object(arguments))
            #expect(answer.isError == failing.contains(name), "\(name): \(answer.text)")
            #expect(!answer.text.isEmpty && answer.text.hasPrefix("{") == (name == "provider_list"), "\(name)")
            #expect(answer.result.encoded.count < 45_000, "\(name)")
        }
    }

    @Test func restartedDaemonIsFoundAgain() throws {
        let assistant = try Assistant(daemon)
        let early = try assistant.call("departures", ["stop": "market"])
        #expect(early.isError && early.text.contains("cannot reach the daemon"), "\(early.text)")
        #expect(early.text.contains("start it with") || early.text.contains("--socket names the path"), "\(early.text)")
        try start()
        #expect(try !assistant.call("departures", ["stop": "market"]).isError)
        daemon.signal(SIGTERM)
        _ = daemon.wait()
        #expect(try assistant.call("departures", ["stop": "market"]).isError)
        try start()
        let again = try assistant.call("departures", ["stop": "market"])
        #expect(!again.isError && again.text.contains("08:09"), "\(again.text)")
    }

    @Test func invalidLinesDoNotEndSession() throws {
        try start()
        let assistant = try Assistant(daemon)
        try assistant.send("{")
        #expect(try assistant.reply()["error"]?["code"] == -32700)
        try assistant.send(String(repeating: "x", count: 300_000))
        #expect(try assistant.reply()["error"]?["code"] == -32600)
        #expect(try !assistant.call("stops_search", ["text": "market"]).isError)
    }

    /// A script that writes all its messages first gets all answers.
    @Test func callsBeforeEndOfInputAreAnswered() throws {
        try start()
        let assistant = try Assistant(daemon)
        for id in 100..<105 {
            try assistant.send(
                #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"stops_search","arguments":{"text":"a"}}}"#
            )
        }
        let ended = try assistant.end()
        #expect(ended.status == 0)
        #expect(ended.output.split(separator: "\n").count == 5, "\(ended.output)")
    }

    @Test func interruptEndsProcess() throws {
        let assistant = try Assistant(daemon)
        assistant.interrupt()
        let ended = try assistant.end(closesInput: false)
        #expect(ended.status == 130 && ended.output.isEmpty)
    }
}
