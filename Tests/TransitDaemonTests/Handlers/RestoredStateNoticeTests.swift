import Foundation
import Testing
import TransitControl
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of the notice about user data that was restored from a backup or lost.
@Suite(.ownThreads) struct RestoredStateNoticeTests {
    /// - Parameter backup: The date of the only backup; `nil` for none.
    private func daemon(backup: ServiceDate?) throws -> TestDaemon {
        try TestDaemon(
            feeds: ["city": .small],
            before: { directories in
                if let backup {
                    let store = try StateStore(directory: directories.state, today: backup)
                    try store.backUp(today: backup)
                }
                try FileManager.default.createDirectory(atPath: directories.state, withIntermediateDirectories: true)
                try Data("neither a database nor empty".utf8).write(
                    to: URL(fileURLWithPath: directories.state + "/state.sqlite"))
            })
    }

    @Test(
        "Lists of user data report that it was restored or lost, until the end of the next day",
        arguments: [ServiceDate(year: 2026, month: 3, day: 20), nil])
    func listsReportReplacedState(backup: ServiceDate?) async throws {
        let daemon = try daemon(backup: backup)
        let said = backup == nil ? "were lost" : "were restored from 2026-03-20"
        func notices() throws -> [[Notice]] {
            [
                try daemon.ask(PlaceListParameters()).notices, try daemon.ask(CommuteListParameters()).notices,
                try daemon.ask(FavoriteListParameters()).notices, try daemon.ask(FavoriteShowParameters()).notices,
                try daemon.ask(StatusParameters()).notices,
            ]
        }
        for notices in try notices() {
            #expect(notices.filter { $0.kind == .damaged && $0.message.contains(said) }.count == 1)
        }
        let error = #expect(throws: ControlError.self) { try daemon.ask(PlaceRemoveParameters(place: "home")) }
        #expect(error?.hint?.contains(said) == true)
        #expect(error?.hint?.contains("transitctl place set home") == true)
        // This error passes through another thread.
        let other = await #expect(throws: ControlError.self) {
            _ = try await daemon.askLengthy(FavoriteShowParameters(favorite: "none"))
        }
        #expect(other?.hint?.ranges(of: said).count == 1)
        daemon.clock.advance(by: 2 * 86_400)
        for notices in try notices() { #expect(!notices.contains { $0.kind == .damaged }) }
    }

    @Test("A missing commute's error reports the lost state")
    func missingCommuteReportsLostState() async throws {
        let daemon = try daemon(backup: nil)
        #expect(try await daemon.update("city").outcome == .updated)
        let error = #expect(throws: ControlError.self) { try daemon.ask(NextParameters()) }
        #expect(error?.kind == .commuteNotSet)
        #expect(error?.hint?.hasPrefix("Places, commutes and favorites were lost") == true)
    }

    @Test("The log reports the corruption and the replacement")
    func logDescribesDamageAndReplacement() throws {
        let backup = try #require(ServiceDate(year: 2026, month: 3, day: 20))
        #expect(
            StateStore.OpenResult.restored(backup: backup, damaged: nil, reason: "it is missing").corruptionMessage(
                includesPath: true)
                == "The state file cannot be used: it is missing. The backup of 2026-03-20 was restored.")
        #expect(
            StateStore.OpenResult.lost(damaged: "/state/x", reason: "file is not a database").corruptionMessage(
                includesPath: true)
                == "The state file cannot be used: file is not a database. It is kept as /state/x. There is no backup, so "
                + "the state is empty.")
        #expect(StateStore.OpenResult.intact.corruptionMessage(includesPath: true) == nil)
    }
}
