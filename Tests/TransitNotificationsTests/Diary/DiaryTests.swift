import Foundation
import Testing
import TransitModel
import TransitNotificationSimulation
import TransitNotifications
import TransitTestSupport

/// The notifications of simulated months, compared with diaries that a person can read. `TRANSIT_RECORD=1` records them;
/// read them before committing.
struct DiaryTests {
    private static let pacific = ServiceZone(name: "America/Los_Angeles", posixRule: "PST8PDT,M3.2.0,M11.1.0")!

    private static var settings: NotificationSettings {
        NotificationSettings(machine: [:], personal: ["notifications.on": "on"])
    }

    @Test(arguments: [
        ("spring", UInt64(3), ServiceDate(year: 2026, month: 2, day: 23)!),
        ("autumn", UInt64(11), ServiceDate(year: 2026, month: 10, day: 12)!),
    ])
    func monthEqualsItsDiary(_ name: String, _ seed: UInt64, _ first: ServiceDate) throws {
        let month = SimulatedMonth(seed: seed, first: first, days: 35, zone: Self.pacific, settings: Self.settings)
        let text = month.diary.joined(separator: "\n") + "\n"
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Golden/\(name).txt")
        if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        let difference = zip(text.split(separator: "\n"), golden.split(separator: "\n")).first { $0 != $1 }
        #expect(text == golden, "first difference: \(difference.map { "\($0.0) instead of \($0.1)" } ?? "the length")")
    }
}

/// What is repeated of a simulated month.
struct RehearsalTests {
    private static let zone = ServiceZone(name: "America/Los_Angeles", posixRule: "PST8PDT,M3.2.0,M11.1.0")!

    private static func month(_ personal: [String: String] = [:]) -> SimulatedMonth {
        var personal = personal
        personal["notifications.on"] = "on"
        return SimulatedMonth(
            seed: 5, first: ServiceDate(year: 2026, month: 3, day: 2)!, days: 16, zone: zone,
            settings: NotificationSettings(machine: [:], personal: personal), keepsInputs: true)
    }

    @Test func presentSettingsRepeatTheLedger() {
        let month = Self.month(["digest.on": "off"])
        let repeated = Rehearsal(events: month.events).decisions(settings: month.settings)
            .filter { $0.suppression == nil }
        let shown = month.shown.filter { $0.rule != .digest }
        #expect(shown.count > 20)
        #expect(repeated.map(\.id) == shown.map(\.id))
        #expect(repeated == shown)
        #expect(Rehearsal.compare(before: shown, after: repeated).isEqual)
    }

    @Test func otherThresholdsTellOtherThings() throws {
        let month = Self.month()
        var settings = month.settings
        try settings.set("delay.first", to: "6")
        try settings.set("leave.notice", to: "8")
        let other = Rehearsal(events: month.events).decisions(settings: settings)
        let comparison = Rehearsal.compare(before: month.shown, after: other)
        #expect(comparison.onlyBefore.contains { $0.rule == .delay })
        #expect(comparison.onlyAfter.allSatisfy { $0.rule != .delay })
        let leaves = comparison.both.filter { $0.rule == .leave && $0.before != $0.after }
        #expect(!leaves.isEmpty && leaves.allSatisfy { $0.after! < $0.before! })
    }

    /// The daemon saves an observation when it differs from the previous one of its departure.
    @Test func savedObservationsRepeatTheLedger() {
        let subject = WatchedSubject(kind: .usual, name: "08:12 Tram 5", departures: [], walk: 480)
        var scene = Scene()
        var shown: [NotificationDecision] = []
        var observations: [DepartureObservation] = []
        var departures: [WatchedDeparture] = []
        for minute in 0..<80 {
            let now = Scene.minute(minute)
            let delay = minute < 20 ? 0 : min(600, (minute - 20) * 30)
            departures = [
                Scene.departure(72, late: delay, at: now), Scene.departure(82, late: 0, at: now),
                Scene.departure(92, at: now),
            ]
            observations += departures.map(\.observation)
            var present = subject
            present.departures = departures
            shown += scene.at(Double(minute), present)
            while let moment = scene.engine.nextMoment(after: scene.now), moment < Scene.minute(minute + 1) {
                shown += scene.at(Double(Scene.start.seconds(to: moment)) / 60)
            }
        }
        let saved = Rehearsal.Subject(
            subject: subject, departures: departures.map { Rehearsal.Departure(key: $0.key, names: $0.names) })
        let rehearsal = Rehearsal(subjects: [saved], observations: observations, taken: [], zone: Scene.zone)
        let repeated = rehearsal.decisions(settings: scene.engine.settings)
        #expect(shown.count >= 3)
        #expect(Rehearsal.compare(before: shown, after: repeated).isEqual)
        #expect(repeated.map(\.title) == shown.map(\.title))
    }
}

extension Rehearsal.Comparison {
    /// Whether both series tell the same at the same time.
    fileprivate var isEqual: Bool {
        onlyBefore.isEmpty && onlyAfter.isEmpty && both.allSatisfy { $0.before == $0.after }
    }
}
