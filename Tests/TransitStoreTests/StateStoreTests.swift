import Foundation
import Glibc
import Testing
import TransitModel
import TransitTestTraits

@testable import TransitStore

@Suite(.ownThreads) struct StateStoreTests {
    private let folder: TemporaryDirectory
    private let today = ServiceDate(year: 2026, month: 3, day: 28)!

    init() throws { folder = try TemporaryDirectory() }

    private func open() throws -> StateStore { try StateStore(directory: folder.path, today: today) }

    private let toWork = SavedCommute(name: "to work", from: "home", to: "caltrain:70012")

    // MARK: Commutes

    @Test func commutesKeepOrderPerUser() throws {
        let store = try open()
        #expect(store.openResult == .new)
        #expect(store.userRecord(of: 1000) == UserRecord())
        try store.addCommute(toWork, of: 1000)
        try store.addCommute(SavedCommute(name: "gym", from: "work", to: "gym"), of: 1000)
        try store.addCommute(SavedCommute(name: "to work", from: "a", to: "b"), of: 1001)
        #expect(store.userRecord(of: 1000).commutes.map(\.name) == ["to work", "gym"])
        #expect(store.userRecord(of: 1000).commutes[0] == toWork)
        #expect(store.userRecord(of: 1001).commutes.map(\.from) == ["a"])
        #expect(store.userRecord(of: 0).commutes.isEmpty)
    }

    @Test func duplicateCommuteNameIsRejected() throws {
        let store = try open()
        try store.addCommute(toWork, of: 1)
        #expect(throws: StoreError.exists("commute \"to work\"")) { try store.addCommute(toWork, of: 1) }
        try store.addCommute(SavedCommute(name: "gym", from: "a", to: "b"), of: 1)
        try store.addCommute(SavedCommute(name: "to work", from: "x", to: "y"), of: 1, replacing: true)
        #expect(store.userRecord(of: 1).commutes.map(\.name) == ["to work", "gym"])
        #expect(store.userRecord(of: 1).commutes[0].from == "x")
    }

    @Test func commuteWindowsLastUntilReplaced() throws {
        var timed = toWork
        (timed.windows, timed.days) = (["07:00-09:00", "16:00-18:00"], ["mon-fri", "sun"])
        try open().addCommute(timed, of: 1)
        try open().addCommute(SavedCommute(name: "gym", from: "a", to: "b"), of: 1)
        try open().addCommute(timed, of: 2)
        let store = try open()
        #expect(store.userRecord(of: 1).commutes.first == timed)
        #expect(store.timedCommutes().map(\.uid) == [1, 2])
        #expect(store.timedCommutes().map(\.commute) == [timed, timed])
        try store.renameCommute("to work", to: "office", of: 2)
        #expect(store.timedCommutes().last?.commute.windows == timed.windows)
        try store.addCommute(toWork, of: 1, replacing: true)
        #expect(store.userRecord(of: 1).commutes.first == toWork)
        try store.removeCommute("office", of: 2)
        #expect(store.timedCommutes().isEmpty)
    }

    @Test func recentViewsAreReplaced() throws {
        let now = Instant(secondsSince1970: 1_774_656_000)
        let looks = [SavedRecentView(uid: 2, commute: "gym", at: now), SavedRecentView(uid: 1, commute: nil, at: now)]
        #expect(try open().recentViews().isEmpty)
        try open().saveRecentViews(looks)
        #expect(try open().recentViews() == looks)
        try open().saveRecentViews([looks[1]])
        #expect(try open().recentViews() == [looks[1]])
    }

    @Test func renamingKeepsPositionAndUse() throws {
        let store = try open()
        try store.addCommute(toWork, of: 1)
        try store.addCommute(SavedCommute(name: "gym", from: "a", to: "b"), of: 1)
        try store.useCommute("to work", of: 1)
        try store.renameCommute("to work", to: "office", of: 1)
        #expect(store.userRecord(of: 1).commutes.map(\.name) == ["office", "gym"])
        #expect(store.userRecord(of: 1).commuteInUse == "office")
        try store.renameCommute("gym", to: "gym", of: 1)
        #expect(throws: StoreError.exists("commute \"gym\"")) { try store.renameCommute("office", to: "gym", of: 1) }
        #expect(throws: StoreError.notFound("commute \"to work\"")) {
            try store.renameCommute("to work", to: "z", of: 1)
        }
        #expect(throws: StoreError.notFound("commute \"gym\"")) { try store.renameCommute("gym", to: "z", of: 2) }
        #expect(store.userRecord(of: 1).commuteInUse == "office")
    }

    @Test func removedCommuteIsNotInUse() throws {
        let store = try open()
        try store.addCommute(toWork, of: 1)
        try store.useCommute("to work", of: 1)
        try store.removeCommute("to work", of: 1)
        #expect(store.userRecord(of: 1) == UserRecord())
        #expect(throws: StoreError.notFound("commute \"to work\"")) { try store.removeCommute("to work", of: 1) }
        try store.useCommute("home-to-work", of: 1)
        #expect(store.userRecord(of: 1).commuteInUse == "home-to-work")
        try store.useCommute(nil, of: 1)
        #expect(store.userRecord(of: 1).commuteInUse == nil)
    }

    @Test func numberOfPlacesIsLimited() throws {
        let store = try open()
        for number in 0..<StateStore.maximumPerUser {
            try store.setPlace(SavedPlace(name: "\(number)", location: .stop(feed: "f", stop: "s")), of: 1)
        }
        #expect(throws: StoreError.invalid("you cannot have more than 200 places")) {
            try store.setPlace(SavedPlace(name: "more", location: .stop(feed: "f", stop: "s")), of: 1)
        }
        try store.setPlace(SavedPlace(name: "7", location: .stop(feed: "f", stop: "t")), of: 1)
    }

    // MARK: Places

    @Test func placesAreSetReplacedAndRemoved() throws {
        let coordinate = Coordinate(latitude: 37.3942001, longitude: -122.07640000001)!
        let home = SavedPlace(name: "home", location: .coordinate(coordinate), walk: 480)
        let work = SavedPlace(name: "work", location: .stop(feed: "caltrain", stop: "70012"))
        try open().setPlace(work, of: 1)
        try open().setPlace(home, of: 1)
        #expect(try open().userRecord(of: 1).places == [home, work])
        let moved = SavedPlace(name: "home", location: .stop(feed: "caltrain", stop: "1"), walk: 60)
        let store = try open()
        try store.setPlace(moved, of: 1)
        #expect(store.userRecord(of: 1).places == [moved, work])
        try store.removePlace("home", of: 1)
        #expect(store.userRecord(of: 1).places == [work])
        #expect(throws: StoreError.notFound("place \"home\"")) { try store.removePlace("home", of: 1) }
        #expect(throws: StoreError.notFound("place \"work\"")) { try store.removePlace("work", of: 2) }
    }

    // MARK: Feeds

    @Test func feedRecordsArePersistent() throws {
        var record = FeedRecord()
        #expect(try open().feedRecord("caltrain") == record)
        for outcome in UpdateOutcome.allCases {
            record.lastAttempt = RecordedFeedAttempt(
                ended: Instant(secondsSince1970: 1_774_656_000), outcome: outcome, message: "why", seconds: 1.5)
            record.confirmed = Instant(secondsSince1970: 5)
            record.nextAttempt = Instant(secondsSince1970: 9)
            record.etag = "\"e\""
            record.lastModified = "Sat"
            try open().setFeedRecord(record, of: "caltrain")
            #expect(try open().feedRecord("caltrain") == record)
        }
        try open().setFeedRecord(FeedRecord(), of: "other")
        try open().removeFeeds(except: ["other"])
        #expect(try open().feedRecord("caltrain") == FeedRecord())
    }

    @Test func refusalIsKeptUntilFeedIsAccepted() throws {
        let store = try open()
        #expect(try store.refusal(of: "a") == nil)
        try store.setRefusal(.sample, of: "a")
        try store.setRefusal(.sample, of: "a")
        #expect(try open().refusal(of: "a") == .sample)
        #expect(try store.refusal(of: "b") == nil)
        try store.setRefusal(nil, of: "a")
        #expect(try store.refusal(of: "a") == nil)
    }

    // MARK: Safety

    @Test func changesAreWrittenThrough() throws {
        let store = try open()
        #expect(try store.pragma("synchronous") == "2")
        #expect(try store.pragma("journal_mode") == "wal")
    }

    @Test("Reads do not wait for a write that waits for the disk")
    func readsDoNotWaitForAWrite() async throws {
        let store = try open()
        try store.addCommute(toWork, of: 1)
        let (isWriting, mayEnd) = (Latch(), Latch())
        async let write: Void? = try? store.change(2) { _ in
            isWriting.open()
            mayEnd.wait()
        }
        isWriting.wait()
        let readsFinished = Latch()
        async let reads: Void = {
            for uid in [1, 2, 3] as [UInt32] { _ = store.userRecord(of: uid) }
            _ = store.timedCommutes()
            store.recordSearch(SavedSearch(kind: .stops, text: "mill", at: Instant(secondsSince1970: 1)), of: 2)
            _ = try? store.refusal(of: "a")
            readsFinished.open()
        }()
        #expect(readsFinished.opens(within: 120))
        mayEnd.open()
        _ = await (write, reads)
        #expect(store.userRecord(of: 2).searches.map(\.text) == ["mill"])
    }

    @Test func onlyOwnerCanReadFiles() throws {
        _ = try open().backUp(today: today)
        for name in folder.names { #expect(folder.mode(name) == 0o600, "\(name)") }
    }

    @Test func concurrentChangesAndReads() async throws {
        let store = try open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<20 {
                        try store.addCommute(SavedCommute(name: "\(task)-\(number)", from: "a", to: "b"), of: 1)
                        let names = store.userRecord(of: 1).commutes.map(\.name)
                        #expect(names.contains("\(task)-\(number)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(store.userRecord(of: 1).commutes.count == 80)
    }
}

/// A one-shot event that one thread signals and another waits for.
private final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    func wait() { semaphore.wait() }
    /// Returns false if the latch was not opened within a number of seconds.
    func opens(within seconds: Int) -> Bool { semaphore.wait(timeout: .now() + .seconds(seconds)) == .success }
}
