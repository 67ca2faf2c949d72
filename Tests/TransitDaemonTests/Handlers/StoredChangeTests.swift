import Foundation
import Glibc
import Logging
import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitServer
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// A change is on disk before it is confirmed, or the response is an error and nothing is changed: for every method that
/// changes a user's data.
@Suite(.ownThreads) struct StoredChangeTests {
    @Test func everyMethodThatChangesDataIsTested() {
        let changing = ControlMethod.allCases.filter { $0.storedChange != nil }.map(\.rawValue)
        #expect(Set(StoredChange.all.map(\.method)).sorted() == changing.sorted())
    }

    /// Methods that wait for the disk are the ones that change something there. What was learned about delays belongs to no
    /// user, and is not needed.
    @Test func everyWritingMethodDeclaresItsChange() {
        let undeclared = ControlMethod.allCases.filter { $0.responseTime == .write && $0.storedChange == nil }
        #expect(undeclared.map(\.rawValue) == ["feed.history.clear", "notify.test"])
    }

    /// What makes writing fail.
    enum Obstacle: String, CaseIterable {
        case fullDisk, brokenDisk, lockedFile
    }

    @Test(arguments: Obstacle.allCases)
    func refusedChangeIsNotThereAndConfirmedChangeSurvivesAKill(_ obstacle: Obstacle) async throws {
        try DiskFaults.prepare()
        var scenario = try await Scenario()
        for change in StoredChange.all {
            try await scenario.prepare(change)
            let before = try await scenario.visible()
            let end = try scenario.begin(obstacle, change)
            let error = await scenario.error(of: change)
            end()
            #expect(
                [.storageFull, .storageFailed].contains(error?.kind), "\(change.method): \(String(describing: error))")
            #expect(try await scenario.visible() == before, "\(change.method) was refused and is visible")
            let refused = try await scenario.killed()
            #expect(try await refused.visible() == before, "\(change.method) was refused and is there after a kill")
            try await scenario.send(change.method, change.parameters)
            let after = try await scenario.visible()
            #expect(after != before, "\(change.method) changed nothing")
            let restarted = try await scenario.killed()
            #expect(try await restarted.visible() == after, "\(change.method) was confirmed and is lost after a kill")
        }
    }

    /// A user with a commute, whose bus of 08:00 is canceled.
    private struct Scenario {
        var daemon: TestDaemon
        let event: String

        private static func configure(_ configuration: inout Configuration) {
            configuration.feeds[0].realtime[.tripUpdates] = .file(path: "")
            var keyed = FeedConfiguration(id: "keyed", source: .remote(url: "http://127.0.0.1:1/gtfs.zip"))
            keyed.credential = FeedCredential(placement: .parameter("key"))
            configuration.feeds.append(keyed)
        }

        private static func daemon(in folder: TestFolder? = nil) throws -> TestDaemon {
            try TestDaemon(feeds: ["city": .small], { configure(&$0) }, folder: folder, lockTimeout: 10)
        }

        init() async throws {
            daemon = try Self.daemon()
            #expect(try await daemon.update("city").outcome == .updated)
            let fixture = NotificationFixture(daemon)
            _ = try daemon.ask(
                CommuteAddParameters(
                    name: "trip", from: "city:harbor", to: "city:central", windows: ["07:00-09:00"], days: ["weekdays"]),
                uid: 0)
            _ = try daemon.ask(NotifyEnableParameters(isOn: true), uid: 0)
            fixture.service.pass()
            fixture.receive("b1", .canceled)
            let events = try daemon.ask(NotificationsParameters(), uid: 0).events
            event = try #require(events.first { $0.rule == "canceled" }).id
        }

        private init(_ daemon: TestDaemon, _ event: String) {
            self.daemon = daemon
            self.event = event
        }

        /// Returns the daemon that starts after this one was killed now. This one goes on. No pass is made.
        func killed() async throws -> Scenario {
            let folder = try TestFolder()
            // Another process copies the files: closing a file would end SQLite's locks on it (fcntl(2)).
            let copy = TestProcess()
            copy.executableURL = URL(fileURLWithPath: "/bin/cp")
            copy.arguments = ["-a", daemon.folder.path + "/.", folder.path]
            try copy.run()
            copy.waitUntilExit()
            #expect(copy.terminationStatus == 0)
            return Scenario(try Self.daemon(in: folder), event)
        }

        func visible() async throws -> VisibleUserData { try await VisibleUserData(send) }

        mutating func prepare(_ change: StoredChange) async throws {
            for preparation in change.preparation {
                switch preparation {
                case .request(let method, let parameters): try await send(method, parameters)
                case .restart: try daemon.daemon.state.saveSearches()
                }
            }
        }

        @discardableResult
        func send(_ method: String, _ parameters: JSONObject) async throws -> JSONValue {
            let method = try #require(daemon.handlers.registry.methods[method])
            var text = String(decoding: JSONValue.object(parameters).encoded, as: UTF8.self)
            text = text.replacingOccurrences(of: "\"EVENT\"", with: "\"\(event)\"")
            let request = try method.request(try JSONValue(parsing: Array(text.utf8)))
            let reply = try await daemon.handlers.answerLongRunning(
                request, from: daemon.caller(0), progress: ProgressReporter { _ in })
            var writer = JSONWriter()
            reply.write(to: &writer)
            return try JSONValue(parsing: writer.bytes)
        }

        func error(of change: StoredChange) async -> ControlError? {
            do {
                try await send(change.method, change.parameters)
                return nil
            } catch { return error as? ControlError }
        }

        /// Makes the next writes fail until the result is called.
        func begin(_ obstacle: Obstacle, _ change: StoredChange) throws -> () -> Void {
            let directories = daemon.daemon.directories
            if ControlMethod(rawValue: change.method)?.storedChange == .keys {
                // Keys are files.
                let aside = directories.keys + ".aside"
                _ = rename(directories.keys, aside)
                #expect(FileManager.default.createFile(atPath: directories.keys, contents: nil))
                return {
                    unlink(directories.keys)
                    _ = rename(aside, directories.keys)
                }
            }
            switch obstacle {
            case .fullDisk, .brokenDisk:
                let faults = try DiskFaults(
                    in: directories.state, first: 1, kind: obstacle == .fullDisk ? .full : .broken)
                return { faults.end() }
            case .lockedFile:
                let lock = try FileLock(directories.state + "/state.sqlite")
                return { lock.end() }
            }
        }
    }
}
