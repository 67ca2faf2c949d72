import Foundation
import Glibc
import Testing

@testable import NotificationAgent

@Suite struct HandledEventsFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var state: String { folder.path + "/state/transitd-notify" }

    @Test func folderFollowsTheEnvironment() {
        #expect(HandledEventsFile.folder { ["XDG_STATE_HOME": "/s"][$0] } == "/s/transitd-notify")
        #expect(HandledEventsFile.folder { ["HOME": "/h"][$0] } == "/h/.local/state/transitd-notify")
        #expect(HandledEventsFile.folder { _ in nil } == nil)
    }

    @Test func eventsAreReadAfterARestart() throws {
        do {
            let opened = try HandledEventsFile.open(inFolder: state)
            #expect(opened.events.ids.isEmpty)
            #expect(opened.file.add("e1", .done) && opened.file.add("e2", .failed))
        }
        let events = try HandledEventsFile.open(inFolder: state).events
        #expect(events.ids == ["e1", "e2"])
        #expect(events.outcome(of: "e1") == .done && events.outcome(of: "e2") == .failed)
        let mode = try FileManager.default.attributesOfItem(atPath: state)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test(arguments: ["leave/home", "a b:c\nd%", "départ/Zürich HB/08:12", "🚋"])
    func startedHooksAreReadAfterARestart(key: String) throws {
        let hooks = ["/home/me/.config/transitd/hooks.d/leave/log", "/tmp/a b:c/%41"]
        do {
            let opened = try HandledEventsFile.open(inFolder: state)
            for hook in hooks { #expect(opened.file.addStarted(key: key, hook: hook)) }
            #expect(opened.file.addStarted(key: "other", hook: "/h"))
        }
        do {
            let opened = try HandledEventsFile.open(inFolder: state)
            #expect(opened.events.startedHooks == [key: Set(hooks), "other": ["/h"]])
            #expect(opened.events.ids.isEmpty)
            #expect(opened.file.addWithdrawn(key: key))
        }
        #expect(try HandledEventsFile.open(inFolder: state).events.startedHooks == ["other": ["/h"]])
    }

    @Test func attemptsAreReadAfterARestartUntilTheEventIsHandled() throws {
        do {
            let opened = try HandledEventsFile.open(inFolder: state)
            for _ in 0..<2 { #expect(opened.file.addAttempt("a:b/c", hook: "/h d")) }
            #expect(opened.file.addAttempt("e2", hook: "/h"))
        }
        do {
            let opened = try HandledEventsFile.open(inFolder: state)
            #expect(opened.events.attempts == ["a:b/c": ["/h d": 2], "e2": ["/h": 1]])
            #expect(opened.file.add("a:b/c", .failed))
        }
        #expect(try HandledEventsFile.open(inFolder: state).events.attempts == ["e2": ["/h": 1]])
    }

    @Test func attemptsAreBoundedAndSurviveTheShorteningOfTheFile() throws {
        let lines = (0..<9_000).map { "a e\($0):/h\n" }.joined()
        try folder.file("state/transitd-notify/handled", lines, mode: 0o600)
        do { _ = try HandledEventsFile.open(inFolder: state) }
        let events = try HandledEventsFile.open(inFolder: state).events
        #expect(events.attempts.count == HandledEvents.capacity)
        #expect(events.attempts(of: "e8999", hook: "/h") == 1)
    }

    @Test func startedHooksSurviveTheShorteningOfTheFile() throws {
        let lines = "s old:/h\n" + (0..<9_000).map { "d e\($0)\n" }.joined() + "s new:/h\ns new:/i\n"
        try folder.file("state/transitd-notify/handled", lines, mode: 0o600)
        do { _ = try HandledEventsFile.open(inFolder: state) }
        let events = try HandledEventsFile.open(inFolder: state).events
        #expect(events.startedHooks == ["old": ["/h"], "new": ["/h", "/i"]])
        #expect(events.ids.count == HandledEvents.capacity)
    }

    @Test func damagedLinesAreIgnored() throws {
        try folder.file(
            "state/transitd-notify/handled", "d e1\n\u{0}\u{1}\nx e2\nd \nd a b\ns key\ns :\nw none\nf e3\nd e",
            mode: 0o600)
        do {
            let opened = try HandledEventsFile.open(inFolder: state)
            #expect(opened.events.ids == ["e1", "e3", "e"])
            #expect(opened.file.add("e4", .done))
        }
        #expect(try HandledEventsFile.open(inFolder: state).events.ids == ["e1", "e3", "e", "e4"])
    }

    @Test func secondAgentIsRefused() throws {
        let opened = try HandledEventsFile.open(inFolder: state)
        #expect(throws: HandledEventsFile.Failure.locked) { try HandledEventsFile.open(inFolder: state) }
        _ = opened
    }

    @Test func longFileIsShortened() throws {
        let lines = (0..<9_000).map { "d e\($0)\n" }.joined()
        try folder.file("state/transitd-notify/handled", lines, mode: 0o600)
        do { _ = try HandledEventsFile.open(inFolder: state) }
        let text = try #require(folder.text("state/transitd-notify/handled"))
        #expect(text.split(separator: "\n").count == HandledEvents.capacity)
        #expect(text.hasSuffix("d e8999\n"))
    }

    @Test func newestEventsOfAVeryLongFileAreRead() throws {
        let state = folder.path + "/state"
        do { #expect(try HandledEventsFile.open(inFolder: state).file.add("e0", .done)) }
        // One run appended more than is read.
        let line = "s " + String(repeating: "k", count: 1000) + ":/hook\n"
        let text = "d first\n" + String(repeating: line, count: 6000) + "d last\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: state + "/handled"))
        for _ in 1...2 {
            let events = try HandledEventsFile.open(inFolder: state).events
            #expect(events.outcome(of: "last") == .done && events.outcome(of: "first") == nil)
        }
    }

    @Test func otherFilesAreReported() throws {
        try folder.folder("state/transitd-notify/handled")
        #expect(throws: HandledEventsFile.Failure.self) { try HandledEventsFile.open(inFolder: state) }
        try folder.file("file", "")
        #expect(throws: HandledEventsFile.Failure.unusable("\(folder.path)/file/state: Not a directory")) {
            try HandledEventsFile.open(inFolder: folder.path + "/file/state")
        }
    }
}
