import Foundation
import Testing
import TransitModel
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
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(name).txt")
        if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        let difference = zip(text.split(separator: "\n"), golden.split(separator: "\n")).first { $0 != $1 }
        #expect(text == golden, "first difference: \(difference.map { "\($0.0) instead of \($0.1)" } ?? "the length")")
    }

    @Test func oneHundredUsersAreSimulatedInMinutes() {
        let clock = ContinuousClock()
        var evaluations = 0
        let duration = clock.measure {
            for seed in 1...2 as ClosedRange<UInt64> {
                let month = SimulatedMonth(
                    seed: seed, first: ServiceDate(year: 2026, month: 3, day: 2)!, days: 30, zone: Self.pacific,
                    settings: Self.settings, rendersDiary: false)
                evaluations += month.evaluations
            }
        }
        // The limit for 100 users is five minutes.
        #expect(duration * 50 < .seconds(300), "\(evaluations) evaluations took \(duration)")
    }
}
