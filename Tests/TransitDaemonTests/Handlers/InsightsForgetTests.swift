import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

@Suite(.ownThreads) struct InsightsForgetTests {
    private static let secrets = ["Secretplatz", "secret-stop-17"]

    private static func trip(_ day: Int) throws -> LoggedTrip {
        let scheduled = try #require(Timestamp(rfc3339: "2026-03-\(day)T08:00:00+01:00"))
        return LoggedTrip(
            serviceDate: try #require(ServiceDate(iso8601: "2026-03-\(day)")), scheduled: scheduled,
            departed: scheduled, feed: "city", route: "bus24", routeName: "24", stop: "secret-stop-17",
            stopName: "Secretplatz", straightLine: false, logged: scheduled)
    }

    /// The files below a folder that contain one of the texts.
    private static func files(in folder: String) throws -> [String] {
        try (FileManager.default.subpaths(atPath: folder) ?? []).filter { name in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder),
                !isFolder.boolValue
            else { return false }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            return secrets.contains { bytes.range(of: Data($0.utf8)) != nil }
        }.sorted()
    }

    private static func daemon() throws -> TestDaemon {
        let daemon = try TestDaemon()
        let state = daemon.daemon.state
        _ = try daemon.ask(TakenImportParameters(trips: try (10...20).map(trip)))
        #expect(state.userRecord(of: 1000).usualDepartures.count == 1)
        // Another user's data stays.
        try state.addCommute(SavedCommute(name: "to work", from: "a", to: "b"), of: 2)
        let today = ServiceZone.utc.civil(at: daemon.clock.now()).date
        for day in 0...3 { try state.backUp(today: today.advanced(by: -day)) }
        try Data("Secretplatz".utf8).write(
            to: URL(fileURLWithPath: daemon.daemon.directories.state + "/state-damaged-2026-03-20"))
        #expect(try files(in: daemon.folder.path).count >= 5)
        return daemon
    }

    @Test func nothingThatWasForgottenIsInAFile() throws {
        let daemon = try Self.daemon()
        #expect(try daemon.ask(InsightsForgetParameters()).trips == 11)
        #expect(try Self.files(in: daemon.folder.path) == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: daemon.daemon.directories.state).sorted()
        #expect(names.filter { $0.hasPrefix("state-") } == ["state-2026-03-27.sqlite"])
        // The new copy has the rest of the state.
        let restored = try TestFolder()
        try FileManager.default.createDirectory(atPath: restored("state"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: daemon.daemon.directories.state + "/state-2026-03-27.sqlite",
            toPath: restored("state/state.sqlite"))
        let copy = try StateStore(directory: restored("state"), today: ServiceDate(iso8601: "2026-03-27")!)
        #expect(copy.userRecord(of: 2).commutes.count == 1)
        // The state can be changed as before.
        #expect(try daemon.ask(TakenImportParameters(trips: [Self.trip(10)])).added == 1)
    }

    @Test func pinnedDepartureStays() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        _ = try daemon.ask(UsualPinParameters(departure: "city:b2@2026-03-27/1"))
        _ = try daemon.ask(InsightsForgetParameters())
        #expect(try daemon.ask(UsualListParameters()).departures.map(\.pinned) == [true])
    }

    /// The trips are gone, but the copies cannot be replaced: the error says so, and a repetition removes them.
    @Test func remainingCopiesAreReported() throws {
        let daemon = try Self.daemon()
        let faults = FileFaults { operation, path in
            operation == .rename && path.hasSuffix("state-2026-03-27.sqlite") ? ENOSPC : nil
        }
        let error = try FileFaults.$current.withValue(faults) {
            try #require(daemon.error(of: InsightsForgetParameters()))
        }
        #expect(error.kind == .storageFull)
        #expect(error.message.contains("older copies of the state still contain them"))
        #expect(try daemon.daemon.state.tripLog(of: 1000).trips.isEmpty)
        #expect(try Self.files(in: daemon.folder.path).count == 5)
        #expect(try daemon.ask(InsightsForgetParameters()).trips == 0)
        #expect(try Self.files(in: daemon.folder.path) == [])
    }
}
