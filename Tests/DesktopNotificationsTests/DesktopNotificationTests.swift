import Foundation
import Testing
import TransitClient
import TransitWire

@testable import DesktopNotifications

@Suite struct DesktopNotificationTests {
    private func read(_ changes: [String: Any] = [:]) throws -> DesktopNotification {
        try DesktopNotification(json: Array(SampleEvent(changes).json.utf8))
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
        #expect { try DesktopNotification(json: Array(text.utf8)) } throws: { error in
            guard let failure = error as? DesktopNotificationFailure else { return false }
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
        #expect(throws: DesktopNotificationFailure.self) { try read(changes) }
    }

    /// Changes each byte of an event. Most results are invalid; no text reaches the program transitctl except a word.
    @Test func changedBytesReachNoOption() throws {
        let bytes = Array(SampleEvent().json.utf8)
        let capabilities = ServerCapabilities(["body", "body-markup", "actions", "persistence"])
        for place in bytes.indices {
            for byte in [0, 0x22, 0x2D, 0x5C, 0x7B, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] = byte
                guard let event = try? DesktopNotification(json: changed), event.expiresIn > 0 else { continue }
                let arguments = NotifyArguments(event, capabilities, DesktopNotificationSettings(), replacing: 3)
                // A NUL would end a string of D-Bus.
                #expect(!(arguments.title + arguments.body).utf8.contains(0))
                #expect(event.id.wholeMatch(of: /[A-Za-z0-9][-_.:+\/=@A-Za-z0-9]*/) != nil)
                #expect(arguments.actions.allSatisfy { $0.id.wholeMatch(of: /[A-Za-z0-9][-_A-Za-z0-9]*/) != nil })
                #expect(try DesktopNotification(json: event.json.encoded).json == event.json)
            }
        }
    }

    @Test func rejectsHugeEvent() {
        let huge = [UInt8](repeating: UInt8(ascii: " "), count: ReceivedEvent.maximumLength + 1)
        #expect(throws: DesktopNotificationFailure(.invalidEvent, "the event is invalid: it is larger than 256 KiB")) {
            try DesktopNotification(json: huge)
        }
    }
}

@Suite struct DesktopNotificationTextTests {
    @Test func removesControlCharacters() {
        #expect(DesktopNotificationText.line("a\u{1B}[31mb\u{7}\u{202E}c\u{0}") == "a[31mbc")
        #expect(DesktopNotificationText.line("  a\nb\tc  ") == "a b c")
        #expect(DesktopNotificationText.body("\n a\r\nb\n\nc\u{2028}d\n\n") == "a\nb\n\ncd")
        #expect(DesktopNotificationText.line("\u{7}\n") == "")
    }

    @Test func shortensTexts() {
        let long = DesktopNotificationText.line(String(repeating: "é", count: 500))
        #expect(long.count == DesktopNotificationText.maximumTitleLength)
        #expect(long.hasSuffix("é…"))
        #expect(DesktopNotificationText.line(String(repeating: "x", count: 120)).count == 120)
        let lines = DesktopNotificationText.body(String(repeating: "line\n", count: 100_000))
        #expect(lines.split(separator: "\n").count == DesktopNotificationText.maximumLineCount)
        #expect(lines.hasSuffix("\n…"))
        #expect(
            DesktopNotificationText.body(String(repeating: "x", count: 100_000)).count
                == DesktopNotificationText.maximumBodyLength)
        // One character with many combining marks.
        let marks = DesktopNotificationText.line("a" + String(repeating: "\u{301}", count: 100_000))
        #expect(marks.unicodeScalars.count <= 4 * DesktopNotificationText.maximumTitleLength)
    }

    @Test func markupIsEscaped() {
        #expect(DesktopNotificationText.escapingMarkup("<b>a & b</b>") == "&lt;b&gt;a &amp; b&lt;/b&gt;")
    }
}

@Suite struct NotifyArgumentsTests {
    private let all = ServerCapabilities(["body", "body-markup", "actions"])

    private func arguments(
        _ changes: [String: Any] = [:], _ capabilities: ServerCapabilities? = nil, settings: String = "",
        replacing: UInt32 = 0, isRepeated: Bool = false
    ) throws -> NotifyArguments {
        var problems: [String] = []
        let settings = DesktopNotificationSettings(settings, problems: &problems)
        #expect(problems.isEmpty)
        return NotifyArguments(
            try DesktopNotification(json: Array(SampleEvent(changes).json.utf8)), capabilities ?? all, settings,
            replacing: replacing, isRepeated: isRepeated)
    }

    @Test func hasAllArguments() throws {
        #expect(
            try arguments(replacing: 7).values == [
                .string("transitd"), .uint32(7), .string("transitd"), .string("Leave in 5 min for the 08:12"),
                .string("Tram 4 toward Harbor from Central Station, 3 min late.\nNext: 08:19, 08:27"),
                .strings(["taken", "I took it", "next", "Next one", "mute-today", "Mute today"]),
                .dictionary([
                    "category": .string("x-transitd.leave"), "desktop-entry": .string("transitd"),
                    "sound-name": .string("dialog-warning"), "urgency": .byte(1),
                ]),
                .int32(1_200_000),
            ])
    }

    @Test func urgencyIsNeverCriticalByDefault() throws {
        for urgency in ["low", "normal", "high", "critical", "other"] {
            #expect(try arguments(["urgency": urgency]).hints["urgency"] == .byte(urgency == "low" ? 0 : 1))
        }
        let settings = "high_urgency = critical"
        #expect(try arguments(settings: settings).hints["urgency"] == .byte(2))
        #expect(try arguments(["urgency": "normal"], settings: settings).hints["urgency"] == .byte(1))
    }

    @Test(arguments: [
        ("low", "dialog-information"), ("normal", "message-new-instant"), ("high", "dialog-warning"),
        ("other", "message-new-instant"),
    ])
    func soundFollowsUrgency(_ urgency: String, _ sound: String) throws {
        let sounding = try arguments(["urgency": urgency]).hints
        #expect(sounding["sound-name"] == .string(sound))
        #expect(sounding["suppress-sound"] == nil)
        for silent in [
            try arguments(["urgency": urgency, "sound": false]),
            try arguments(["urgency": urgency], settings: "sound = no"),
            try arguments(["urgency": urgency], isRepeated: true),
        ] {
            #expect(silent.hints["sound-name"] == nil)
            #expect(silent.hints["suppress-sound"] == .boolean(true))
        }
    }

    @Test func textsFollowCapabilities() throws {
        let texts: [String: Any] = ["title": "-r 5 <x>", "body": #"A & B \n <i>"#]
        #expect(try arguments(texts).title == "-r 5 <x>")
        #expect(try arguments(texts).body == #"A &amp; B \n &lt;i&gt;"#)
        #expect(try arguments(texts, ServerCapabilities(["body"])).body == #"A & B \n <i>"#)
        let bare = try arguments(texts, ServerCapabilities([]))
        #expect(bare.title == #"-r 5 <x>: A & B \n <i>"#)
        #expect(bare.body == "")
        #expect(try arguments(["title": "\u{7}", "body": ""]).title == "transitd")
        #expect(
            try arguments(["body": "Rain", "attribution": ["Open-Meteo", "\n"]]).body == "Rain\nSource: Open-Meteo")
    }

    /// Xfce and GNOME show one line of a title.
    @Test func longTitleContinuesInBody() throws {
        let title = "Tram 4, Express and 2 more: Elevator out of service at Technology Park"
        let long = try arguments(["title": title, "body": "Until <Friday>."])
        #expect(long.title == "Tram 4, Express and 2 more")
        #expect(long.body == "Elevator out of service at Technology Park\nUntil &lt;Friday&gt;.")
        let leave = try arguments(["title": "Leave by 06:16: Bus 11 at 06:15, expected 06:22", "body": ""])
        #expect(leave.title == "Leave by 06:16")
        #expect(leave.body == "Bus 11 at 06:15, expected 06:22")
        let plain = "The last tram home from Technology Park leaves at 23:52"
        #expect(try arguments(["title": plain, "body": ""]).title == "The last tram home from Technology Park…")
        #expect(try arguments(["title": plain, "body": ""]).body == plain)
        #expect(try arguments(["title": title], ServerCapabilities([])).title.hasPrefix(title))
        let word = String(repeating: "x", count: 80)
        #expect(try arguments(["title": word]).title.count == DesktopNotificationText.headlineLength)
        let fitting = String(repeating: "x", count: DesktopNotificationText.headlineLength)
        #expect(try arguments(["title": fitting, "body": ""]).body == "")
    }

    @Test func actionsFollowCapabilitiesAndSettings() throws {
        #expect(try arguments([:], ServerCapabilities(["body"])).actions.isEmpty)
        #expect(try arguments(settings: "actions = no").actions.isEmpty)
    }

    @Test func marksTestsAndShortNotifications() throws {
        let test = try arguments(["test": true])
        #expect(test.title == "Test: Leave in 5 min for the 08:12")
        #expect(test.hints["transient"] == .boolean(true))
        #expect(try arguments(["test": true, "title": "Test of the rule"]).title == "Test of the rule")
        #expect(try arguments(["expires_in": 120]).hints["transient"] == .boolean(true))
        #expect(try arguments().hints["transient"] == nil)
    }

    @Test func requestOfWaiterRoundTrips() throws {
        var request = WaiterRequest(
            event: try DesktopNotification(json: Array(SampleEvent(["title": "\u{1F}é", "body": "\n"]).json.utf8)),
            expires: 12,
            address: "unix:path=/x", runtimeDirectory: "/run/user/1000", transitctl: nil)
        let read = try #require(WaiterRequest(request.bytes))
        #expect(read.event.json == request.event.json)
        #expect(read.formerServer == nil)
        request = read
        request.formerID = 4
        request.formerServer = ServerIdentity(owner: ":1.2", bus: "ab")
        request.transitctl = "/usr/bin/transitctl"
        #expect(WaiterRequest(request.bytes) == request)
        #expect(WaiterRequest([]) == nil)
        #expect(WaiterRequest(Array("{}".utf8)) == nil)
    }

    @Test func settingsReportProblems() {
        var problems: [String] = []
        let settings = DesktopNotificationSettings(
            "# x\n\nsound=no\nvolume = 7\nactions = maybe\n", problems: &problems)
        #expect(!settings.playsSounds)
        #expect(problems == ["line 4: unknown setting \"volume=7\"", "line 5: unknown setting \"actions=maybe\""])
    }
}
