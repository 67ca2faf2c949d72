import Synchronization
import Testing
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitStore

/// Notification events and the languages of programs on disk.
@Suite(.ownThreads) struct NotificationStoreTests {
    private let folder: TemporaryDirectory
    private let now = Instant(secondsSince1970: 1_774_656_000)

    init() throws { folder = try TemporaryDirectory() }

    private func open() throws -> StateStore {
        try StateStore(directory: folder.path, today: ServiceDate(daysSince1970: 20_540))
    }

    private func event(_ id: String, _ stage: SavedNotificationEvent.Stage = .decided) -> SavedNotificationEvent {
        SavedNotificationEvent(
            id: id, key: "bus", rule: "leave", stage: stage, decided: now, validUntil: now.advanced(by: 600),
            event: "{}")
    }

    private func stage(of id: String) throws -> SavedNotificationEvent.Stage? {
        try open().notificationEvents(of: 1, since: now).first { $0.id == id }?.stage
    }

    private static let allStages: [SavedNotificationEvent.Stage] = [
        .decided, .handedOut, .done, .failed, .suppressed, .replaced,
    ]
    /// The changes that are made, as pairs.
    private static let advances: [(SavedNotificationEvent.Stage, [SavedNotificationEvent.Stage])] = [
        (.decided, [.handedOut, .done, .failed, .suppressed, .replaced]),
        (.handedOut, [.done, .failed, .suppressed, .replaced]), (.replaced, [.done, .failed, .suppressed]),
        (.done, []), (.failed, []), (.suppressed, []),
    ]

    @Test(arguments: advances) func stagesOnlyAdvance(
        from stage: SavedNotificationEvent.Stage, to later: [SavedNotificationEvent.Stage]
    ) throws {
        for next in Self.allStages {
            let store = try open()
            var saved = event("e1", stage)
            saved.failure = "before"
            try store.saveNotifications(SavedNotifications(state: "{}", events: [saved]), of: 1)
            // The event exists, whether or not its stage changes.
            #expect(try store.setStage(next, failure: "after", ofEvents: ["e1"], of: 1) == 1)
            let read = try #require(try open().notificationEvents(of: 1, since: now).first)
            #expect(read.stage == (later.contains(next) ? next : stage))
            #expect(read.failure == (later.contains(next) ? "after" : "before"))
        }
    }

    /// Whichever operation of the disk hangs, requests for the log are answered.
    @Test func eventsAreReadWhileErasingHangs() async throws {
        try DiskFaults.prepare()
        for operation in 1... {
            let folder = try TemporaryDirectory()
            let store = try StateStore(directory: folder.path, today: ServiceDate(daysSince1970: 20_540))
            try store.saveNotifications(SavedNotifications(state: "{}", events: [event("e1")]), of: 1)
            #expect(try store.notificationEvents(of: 1, since: now).count == 1)
            let disk = try DiskFaults(in: folder.path, first: operation, isLasting: false, kind: .hanging)
            let isErased = Mutex(false)
            let erasing = startTask {
                #expect(throws: Never.self) { try store.eraseRemains(today: ServiceDate(daysSince1970: 20_540)) }
                isErased.withLock { $0 = true }
            }
            eventually { disk.failures > 0 || isErased.withLock { $0 } }
            let hangs = disk.failures > 0
            let count = Mutex(0)
            let reading = startTask { [now] in
                let read = try? store.notificationEvents(of: 1, since: now).count
                count.withLock { $0 = read ?? -1 }
            }
            let isRead = eventually { count.withLock { $0 } == 1 }
            disk.end()
            await reading.value
            await erasing.value
            try #require(isRead, "operation \(operation)")
            if !hangs { return #expect(operation > 5) }
        }
    }

    @Test func lateReportDoesNotUndoTheEndOfHooks() throws {
        let store = try open()
        try store.saveNotifications(SavedNotifications(state: "{}", events: [event("e1"), event("e2")]), of: 1)
        try store.setStage(.done, ofEvents: ["e1"], of: 1)
        try store.setStage(.failed, failure: "It failed.", ofEvents: ["e2"], of: 1)
        #expect(try store.setStage(.handedOut, ofEvents: ["e1", "e2", "e3"], of: 1) == 2)
        #expect(try stage(of: "e1") == .done)
        #expect(try stage(of: "e2") == .failed)
        #expect(try store.setStage(.done, ofEvents: ["e1"], of: 2) == 0)
    }

    @Test func languageOfTheProgramSurvivesARestart() throws {
        #expect(try open().userRecord(of: 1).agentLanguage == nil)
        try open().setAgentLanguage("de-AT", of: 1)
        let store = try open()
        #expect(store.userRecord(of: 1).agentLanguage == "de-AT")
        #expect(store.userRecord(of: 2).agentLanguage == nil)
        // It is no setting of notifications.
        #expect(store.userRecord(of: 1).notificationSettings.isEmpty)
        try store.setAgentLanguage("en-GB", of: 1)
        try store.setNotificationSettings(["notifications.on": "on"], of: 1)
        #expect(store.userRecord(of: 1).agentLanguage == "en-GB")
        #expect(try open().userRecord(of: 1).agentLanguage == "en-GB")
    }
}
