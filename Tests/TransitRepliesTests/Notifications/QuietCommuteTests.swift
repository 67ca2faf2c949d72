import Testing
import TransitControl
import TransitEngine
import TransitNotifications

@testable import TransitReplies

@Suite struct QuietCommuteTests {
    private func settings(_ values: [String: String] = [:], isOn: Bool = true) -> NotificationSettings {
        NotificationSettings(machine: [:], personal: values.merging(["notifications.on": isOn ? "on" : "off"]) { $1 })
    }

    private func windows(_ texts: [String]) -> [CommuteWindow] { texts.compactMap { CommuteWindow($0) } }

    /// The quiet hours, the windows, and the command. Without quiet hours in a window, there is none.
    private static let cases: [(quiet: [String: String], windows: [String], remedy: String?)] = [
        ([:], ["07:00-09:00"], nil), ([:], ["07:00-22:00"], nil), ([:], [], nil),
        ([:], ["05:00-08:00"], "quiet.until 05:00"), ([:], ["06:59-07:30"], "quiet.until 06:59"),
        ([:], ["21:00-23:00"], "quiet.from 23:00"), ([:], ["21:59-22:01"], "quiet.from 22:01"),
        ([:], ["05:00-06:00"], "quiet.until 05:00"), ([:], ["01:00-03:00"], "quiet.from 03:00"),
        ([:], ["05:00-08:00", "06:00-07:00"], "quiet.until 05:00"),
        ([:], ["05:00-08:00", "21:00-23:00"], "quiet.on off"), ([:], ["06:00-23:00"], "quiet.on off"),
        ([:], ["05:00-08:00", "16:00-18:00"], "quiet.until 05:00"),
        (["quiet.from": "12:00", "quiet.until": "14:00"], ["13:00-15:00"], "quiet.until 13:00"),
        (["quiet.from": "12:00", "quiet.until": "14:00"], ["11:00-13:00"], "quiet.from 13:00"),
        (["quiet.from": "12:00", "quiet.until": "14:00"], ["11:00-15:00"], "quiet.on off"),
        (["quiet.on": "off"], ["05:00-08:00"], nil), (["quiet.from": "07:00"], ["05:00-08:00"], nil),
    ]

    @Test(arguments: cases)
    func remedyEndsTheSilence(quiet: [String: String], windows texts: [String], remedy: String?) throws {
        let commute = QuietCommute(windows(texts), settings(quiet))
        #expect(commute.map { "\($0.remedy.key) \($0.remedy.value)" } == remedy)
        guard let commute else { return }
        var changed = quiet
        changed[commute.remedy.key] = commute.remedy.value
        #expect(QuietCommute(windows(texts), settings(changed)) == nil)
    }

    @Test func nothingIsSaidWhileNotificationsAreOff() {
        #expect(QuietCommute(windows(["05:00-08:00"]), settings(isOn: false)) == nil)
    }
}
