import Foundation
import Testing
import TransitBubbles

@Suite struct BubbleEventTests {
    private func read(_ changes: [String: Any] = [:]) throws -> BubbleEvent {
        try BubbleEvent(json: Array(SampleEvent(changes).json.utf8))
    }

    @Test func readsEvent() throws {
        let event = try read()
        #expect(event.id == "n1")
        #expect(event.operation == .show)
        #expect(event.expiresIn == 1200)
        #expect(event.actions.map(\.id) == ["taken", "next", "mute-today"])
        #expect(event.category == "x-transitd.leave")
        #expect(try read(["op": "update"]).operation == .show)
        #expect(try read(["op": "withdraw"]).operation == .withdraw)
        #expect(try read(["op": "pulse"]).operation == .other("pulse"))
    }

    @Test func boundsNumbersAndLists() throws {
        #expect(try read(["expires_in": -5]).expiresIn == 0)
        #expect(try read(["expires_in": 1_000_000_000_000]).expiresIn == 86_400)
        let many = (0..<100).map { ["id": "a\($0)", "label": "x"] }
        #expect(try read(["actions": many]).actions.count == 4)
        let odd: [Any] = [7, ["id": "a b", "label": "x"], ["id": "-x", "label": "x"], ["id": "ok", "label": "\n"]]
        #expect(try read(["actions": odd]).actions.isEmpty)
        #expect(try read(["actions": "x", "attribution": 7, "urgency": 1, "body": NSNull()]).actions.isEmpty)
        #expect(try read(["rule": "x\u{1B}[2J"]).category == "x-transitd.other")
    }

    @Test(arguments: [
        "", "[]", "{", "{\"schema\":2}", "{\"schema\":1}", "\u{0}", "{\"schema\":1,\"id\":\"--help\"}",
        String(repeating: "[", count: 100_000),
    ])
    func rejectsInvalidEvents(_ text: String) {
        #expect { try BubbleEvent(json: Array(text.utf8)) } throws: { error in
            guard let failure = error as? BubbleFailure else { return false }
            return failure.kind == .invalidEvent && failure.message.hasPrefix("the event is invalid: ")
                && !failure.message.contains("\n")
        }
    }

    @Test(
        arguments: [
            ["id": "-x"], ["id": "a b"], ["id": ""], ["key": ""], ["key": String(repeating: "k", count: 513)],
            ["op": 1],
            ["expires_in": "soon"], ["title": 7], ["id": String(repeating: "i", count: 129)], ["schema": "1"],
        ] as [[String: any Sendable]])
    func rejectsInvalidMembers(_ changes: [String: any Sendable]) {
        #expect(throws: BubbleFailure.self) { try read(changes) }
    }

    /// Changes each byte of an event. Most results are invalid; no text reaches the options of notify-send.
    @Test func changedBytesReachNoOption() {
        let bytes = Array(SampleEvent().json.utf8)
        let capabilities = ServerCapabilities(["body", "body-markup", "actions", "persistence"])
        for place in bytes.indices {
            for byte in [0, 0x22, 0x2D, 0x5C, 0x7B, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] = byte
                guard let event = try? BubbleEvent(json: changed), event.expiresIn > 0 else { continue }
                let command = NotifySendCommand(event, capabilities, BubbleSettings(), replacing: 3)
                #expect(command.arguments.count { $0 == "--" } == 1)
                #expect(!command.arguments.contains { $0.utf8.contains(0) })
                #expect(command.actionIDs.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9][-_A-Za-z0-9]*/) != nil })
            }
        }
    }

    @Test func rejectsHugeEvent() {
        let huge = [UInt8](repeating: UInt8(ascii: " "), count: BubbleEvent.maximumLength + 1)
        #expect(throws: BubbleFailure(.invalidEvent, "the event is invalid: it is larger than 1 MiB")) {
            try BubbleEvent(json: huge)
        }
    }
}

@Suite struct BubbleTextTests {
    @Test func removesControlCharacters() {
        #expect(BubbleText.line("a\u{1B}[31mb\u{7}\u{202E}c\u{0}") == "a[31mbc")
        #expect(BubbleText.line("  a\nb\tc  ") == "a b c")
        #expect(BubbleText.body("\n a\r\nb\n\nc\u{2028}d\n\n") == "a\nb\n\ncd")
        #expect(BubbleText.line("\u{7}\n") == "")
    }

    @Test func shortensTexts() {
        let long = BubbleText.line(String(repeating: "é", count: 500))
        #expect(long.count == BubbleText.maximumTitleLength)
        #expect(long.hasSuffix("é…"))
        #expect(BubbleText.line(String(repeating: "x", count: 120)).count == 120)
        let lines = BubbleText.body(String(repeating: "line\n", count: 100_000))
        #expect(lines.split(separator: "\n").count == BubbleText.maximumLineCount)
        #expect(lines.hasSuffix("\n…"))
        #expect(BubbleText.body(String(repeating: "x", count: 100_000)).count == BubbleText.maximumBodyLength)
        // One character with many combining marks.
        let marks = BubbleText.line("a" + String(repeating: "\u{301}", count: 100_000))
        #expect(marks.unicodeScalars.count <= 4 * BubbleText.maximumTitleLength)
    }

    @Test func escapes() {
        #expect(BubbleText.escapingMarkup("<b>a & b</b>") == "&lt;b&gt;a &amp; b&lt;/b&gt;")
        #expect(BubbleText.escapingBackslashes(#"a\nb"#) == #"a\\nb"#)
    }
}

@Suite struct NotifySendCommandTests {
    private let all = ServerCapabilities(["body", "body-markup", "actions"])

    private func command(
        _ changes: [String: Any] = [:], _ capabilities: ServerCapabilities? = nil, settings: String = "",
        replacing: UInt32? = nil
    ) throws -> NotifySendCommand {
        var problems: [String] = []
        let settings = BubbleSettings(settings, problems: &problems)
        #expect(problems.isEmpty)
        return NotifySendCommand(
            try BubbleEvent(json: Array(SampleEvent(changes).json.utf8)), capabilities ?? all, settings,
            replacing: replacing)
    }

    @Test func hasAllOptions() throws {
        let command = try command(replacing: 7)
        #expect(
            command.arguments == [
                "-p", "-a", "transitd", "-c", "x-transitd.leave", "-u", "normal", "-t", "1200000", "-h",
                "string:sound-name:message-new-instant", "-r", "7", "-A", "taken=I took it", "-A", "next=Next one",
                "-A", "mute-today=Mute today", "--", "Leave in 5 min for the 08:12",
                "Tram 4 toward Harbor from Central Station, 3 min late.\nNext: 08:19, 08:27",
            ])
        #expect(command.actionIDs == ["taken", "next", "mute-today"])
        #expect(command.waits)
    }

    @Test func urgencyIsNeverCriticalByDefault() throws {
        for urgency in ["low", "normal", "high", "critical", "other"] {
            #expect(try !command(["urgency": urgency]).arguments.contains("critical"))
        }
        #expect(try command(["urgency": "low"]).arguments.contains("low"))
        #expect(try command(settings: "high_urgency = critical").arguments.contains("critical"))
        #expect(try !command(["urgency": "normal"], settings: "high_urgency = critical").arguments.contains("critical"))
    }

    @Test func textsFollowCapabilities() throws {
        let texts: [String: Any] = ["title": "-r 5 <x>", "body": #"A & B \n <i>"#]
        #expect(try command(texts).arguments.suffix(3) == ["--", "-r 5 <x>", #"A &amp; B \\n &lt;i&gt;"#])
        #expect(
            try command(texts, ServerCapabilities(["body"])).arguments.suffix(3) == [
                "--", "-r 5 <x>", #"A & B \\n <i>"#,
            ])
        #expect(try command(texts, ServerCapabilities([])).arguments.suffix(2) == ["--", #"-r 5 <x>: A & B \n <i>"#])
        #expect(try command(["title": "\u{7}", "body": ""]).arguments.suffix(2) == ["--", "transitd"])
        #expect(
            try command(["body": "Rain", "attribution": ["Open-Meteo", "\n"]]).arguments.last
                == "Rain\nSource: Open-Meteo")
    }

    @Test func waitsForActionsAndPersistence() throws {
        let none = try command([:], ServerCapabilities(["body"]))
        #expect(!none.waits)
        #expect(!none.arguments.contains("-A"))
        #expect(none.actionIDs.isEmpty)
        let persistent = try command(["actions": [] as [Any]], ServerCapabilities(["body", "actions", "persistence"]))
        #expect(persistent.waits)
        #expect(persistent.arguments.contains("-w"))
        #expect(try !command(settings: "actions = no").waits)
    }

    @Test func marksTestsAndShortBubbles() throws {
        let test = try command(["test": true])
        #expect(test.arguments.contains("Test: Leave in 5 min for the 08:12"))
        #expect(test.arguments.contains("-e"))
        #expect(try command(["test": true, "title": "Test: x"]).arguments.contains("Test: x"))
        #expect(try command(["expires_in": 120]).arguments.contains("-e"))
        #expect(try !command().arguments.contains("-e"))
        #expect(try command(["sound": false]).arguments.contains("boolean:suppress-sound:true"))
        #expect(try command(settings: "sound = no").arguments.contains("boolean:suppress-sound:true"))
    }

    @Test func requestOfWaiterRoundTrips() throws {
        let request = WaiterRequest(
            program: "/usr/bin/notify-send", arguments: try command(["body": ""]).arguments,
            actionIDs: ["taken", "next"],
            event: "n1", expires: 12, address: "unix:path=/x", server: ServerIdentity(owner: ":1.2", bus: "ab"),
            transitctl: nil)
        #expect(WaiterRequest(request.bytes) == request)
        #expect(WaiterRequest([]) == nil)
        #expect(WaiterRequest(Array("a\0b".utf8)) == nil)
    }

    @Test func settingsReportProblems() {
        var problems: [String] = []
        let settings = BubbleSettings("# x\n\nsound=no\nvolume = 7\nactions = maybe\n", problems: &problems)
        #expect(!settings.playsSounds)
        #expect(problems == ["line 4: unknown setting \"volume=7\"", "line 5: unknown setting \"actions=maybe\""])
    }
}
