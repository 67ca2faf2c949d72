import Foundation
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits

/// Five kinds of commuters live through recorded days of Caltrain. See ``NotificationUsefulness`` for what is useful.
@Suite(.ownThreads, .enabled(if: RecordedDay.program != nil, "SKIPPED: the recorded days of Caltrain are missing"))
struct CommuterTests {
    /// `TRANSIT_COMMUTERS=FOLDER` writes the diaries of three weeks to a folder.
    private static let folder = ProcessInfo.processInfo.environment["TRANSIT_COMMUTERS"]

    /// An ordinary Tuesday: the targets of docs/notifications.md hold for each person.
    @Test func recordedDayIsUsefulToCommuters() async throws {
        let first = try #require(ServiceDate(iso8601: "2026-03-10"))
        let simulation = try await CommuterSimulation(Commuter.all, from: first)
        try simulation.run(days: 1) { daemon, _ in try Self.moveQuietHours(daemon) }
        #expect(simulation.refusals.isEmpty)
        for person in simulation.people {
            let diary = CommuterDiary(person: person, zone: simulation.zone)
            let sums = diary.sums
            #expect(sums.days == 1 && sums.shown > 0, "\(diary.text)")
            #expect(sums.sounding <= 3, "\(diary.text)")
            #expect(sums.situations[.wrong] == nil && sums.situations[.missing] == nil, "\(diary.text)")
        }
        report(simulation, "day")
    }

    /// The same messages, seeds and clock give the same diary.
    @Test func simulationIsDeterministic() async throws {
        let first = try #require(ServiceDate(iso8601: "2026-03-12"))
        var texts: [String] = []
        for _ in 0..<2 {
            let simulation = try await CommuterSimulation([.pinned], from: first)
            try simulation.run(days: 1)
            texts.append(CommuterDiary(person: simulation.people[0], zone: simulation.zone).text)
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0].contains("leave"))
    }

    @Test(.enabled(if: folder != nil, "SKIPPED: TRANSIT_COMMUTERS is not set"))
    func threeWeeks() async throws {
        let first = try #require(ServiceDate(iso8601: "2026-03-05"))
        let simulation = try await CommuterSimulation(Commuter.all, from: first)
        try simulation.run(days: 21) { daemon, date in
            // After a week, the night worker moves the quiet hours to the day.
            if date == first.advanced(by: 7) { try Self.moveQuietHours(daemon) }
        }
        report(simulation, "weeks")
    }

    @Test(.enabled(if: folder != nil, "SKIPPED: TRANSIT_COMMUTERS is not set"))
    func weekWithTrouble() async throws {
        let folder = try TestFolder()
        let trouble = ScriptedTrouble(zone: try systemZone("America/Los_Angeles"))
        let simulation = try await CommuterSimulation(
            Commuter.all, from: ScriptedTrouble.start, archive: ScriptedTrouble.archive(in: folder),
            scripts: trouble.scripts)
        try simulation.run(days: 8) { daemon, date in
            if date == ScriptedTrouble.start.advanced(by: 3) { try Self.moveQuietHours(daemon) }
        }
        report(simulation, "trouble", trouble.situations)
    }

    /// The recorded days from Friday to Monday, on the days around the change of the clock in November.
    @Test(.enabled(if: folder != nil, "SKIPPED: TRANSIT_COMMUTERS is not set"))
    func clockIsSetBack() async throws {
        let folder = try TestFolder()
        let first = try #require(ServiceDate(iso8601: "2026-10-30"))
        let recorded = try #require(ServiceDate(iso8601: "2026-04-17"))
        let days = (0...4).map { (first.advanced(by: $0), recorded.advanced(by: $0)) }
        let simulation = try await CommuterSimulation(
            Commuter.all, from: first, archive: ScriptedTrouble.archive(in: folder),
            recordings: Dictionary(uniqueKeysWithValues: days))
        try Self.moveQuietHours(simulation.daemon)
        try simulation.run(days: 4)
        report(simulation, "november")
    }

    private static func moveQuietHours(_ daemon: CommuterDaemon) throws {
        for (key, value) in [("quiet.from", "08:00"), ("quiet.until", "16:00")] {
            try daemon.ask(NotifySetParameters(key: key, value: value), uid: Commuter.nightShift.uid)
        }
    }

    private func report(
        _ simulation: CommuterSimulation, _ name: String, _ scripted: [ScriptedTrouble.Situation] = []
    ) {
        var table = [CommuterDiary.header]
        var list: [String] = []
        for person in simulation.people {
            let diary = CommuterDiary(person: person, zone: simulation.zone, scripted: scripted)
            table.append(diary.row)
            list += diary.scriptedSituations.map {
                "\(person.commuter.name) \($0.date) \($0.outcome.rawValue): \($0.name). \($0.reason)"
            }
            if let folder = Self.folder {
                try? diary.text.write(
                    toFile: "\(folder)/\(name)-\(person.commuter.name).txt", atomically: true, encoding: .utf8)
            }
        }
        let text = (table + [""] + list).joined(separator: "\n") + "\n"
        print(text)
        if let folder = Self.folder {
            try? text.write(toFile: "\(folder)/\(name)-table.txt", atomically: true, encoding: .utf8)
        }
    }
}
