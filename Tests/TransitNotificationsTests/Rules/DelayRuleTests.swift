import Testing
import TransitModel
import TransitNotifications

struct DelayRuleTests {
    /// A message at each minute with a delay in seconds; the titles that are shown at it. Without a walk, no notification
    /// names a time to leave, which would be corrected.
    @Test(arguments: [
        // Three minutes in two fresh messages.
        [(20, 180, ""), (21, 180, "Tram 5 at 08:12 is 3 min late")],
        [(20, 180, ""), (21, 170, ""), (22, 180, ""), (23, 185, "Tram 5 at 08:12 is 3 min late")],
        [(20, 170, ""), (21, 179, "")],
        // In one message when leave-by is nearer than 10 minutes. Leave-by is 08:02 and later with the delay.
        [(56, 200, "Tram 5 at 08:12 is 3 min late")],
        // Creep is compared with what was shown.
        [
            (20, 240, ""), (21, 240, "Tram 5 at 08:12 is 4 min late"), (22, 300, ""), (23, 360, ""),
            (24, 370, "Tram 5 at 08:12 is now 6 min late"), (25, 430, ""),
            (26, 495, "Tram 5 at 08:12 is now 8 min late"),
        ],
        // More than 20 percent: 20 min and 2.5 min more.
        [
            (5, 1200, ""), (6, 1200, "Tram 5 at 08:12 is 20 min late"), (7, 1350, ""),
            (8, 1445, "Tram 5 at 08:12 is now 24 min late"),
        ],
        // Back to normal in two messages.
        [
            (20, 240, ""), (21, 240, "Tram 5 at 08:12 is 4 min late"), (22, 60, ""),
            (23, 60, "Tram 5 at 08:12 is on time again"), (24, 0, ""), (25, 240, ""),
            (26, 240, "Tram 5 at 08:12 is 4 min late"),
        ],
        // Not back to normal between the limits, and only if a delay was shown.
        [(20, 240, ""), (21, 240, "Tram 5 at 08:12 is 4 min late"), (22, 125, ""), (23, 125, "")],
        [(20, 100, ""), (21, 0, ""), (22, 0, "")],
    ])
    func messages(_ messages: [(minute: Int, delay: Int, title: String)]) {
        var scene = Scene(["leave.on": "off", "bucket.burst": "20"])
        for message in messages {
            let shown = scene.at(
                Double(message.minute),
                WatchedSubject(
                    kind: .pinned, name: "x",
                    departures: [
                        Scene.departure(72, late: message.delay, at: Scene.minute(message.minute)), Scene.departure(82),
                    ], walk: message.minute == 56 ? 480 : nil))
            #expect(shown.titles == (message.title.isEmpty ? [] : [message.title]), "minute \(message.minute)")
            #expect(scene.at(Double(message.minute) + 0.5).isEmpty)
        }
    }

    @Test func sameMessageTwiceIsOneMessage() {
        var scene = Scene()
        let subject = Scene.pinned(Scene.departure(72, late: 300, at: Scene.minute(20)), Scene.departure(82))
        #expect(scene.at(20, subject).isEmpty)
        #expect(scene.at(21, subject).isEmpty)
        scene.restart()
        #expect(scene.at(22, subject).isEmpty)
    }

    @Test func oneMessageIsEnoughWhenLeaveByComesNear() {
        var scene = Scene(["leave.on": "off"])
        let subject = Scene.pinned(
            Scene.departure(72, late: 300, at: Scene.minute(20), uncertainty: 0), Scene.departure(82))
        scene.at(20, subject)
        // Leave-by is 08:07; one message is enough when it is nearer than 10 min.
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(57).advanced(by: 1))
        #expect(scene.at(57).isEmpty)
        #expect(scene.at(57.02).titles == ["Tram 5 at 08:12 is 5 min late"])
    }

    @Test func staleAndLowConfidenceDataTellNoDelay() {
        for departure in [
            Scene.departure(72, late: 600, fresh: false), Scene.departure(72, late: 600, confidence: .low),
        ] {
            var scene = Scene(["leave.on": "off"])
            #expect(scene.at(56, Scene.pinned(departure, Scene.departure(82))).isEmpty)
        }
    }

    @Test func updatesAreSilentAndSayWhatWas() {
        var scene = Scene(["leave.on": "off"])
        func subject(_ delay: Int, _ minute: Int) -> WatchedSubject {
            Scene.pinned(Scene.departure(72, late: delay, at: Scene.minute(minute)), Scene.departure(82), walk: nil)
        }
        scene.at(20, subject(240, 20))
        let first = scene.at(21, subject(240, 21)).shown[0]
        #expect(first.hasSound && first.operation == .show && first.previous == nil && first.revision == 1)
        let again = scene.at(22, subject(480, 22)).shown[0]
        #expect(!again.hasSound && again.operation == .update && again.previous?.delay == 240 && again.revision == 2)
        #expect(again.key == first.key && again.id.hasPrefix("\(first.key)-2-"))
        scene.at(23, subject(0, 23))
        let normal = scene.at(24, subject(0, 24)).shown[0]
        #expect(!normal.hasSound && normal.operation == .update && normal.previous?.delay == 480)
    }

    @Test func delayInTheNoticeToLeaveIsTold() {
        var scene = Scene()
        let late = Scene.departure(72, late: 200, at: Scene.minute(20), uncertainty: 0)
        scene.at(20, Scene.pinned(late, Scene.departure(82)))
        let shown = scene.at(60.4).shown
        #expect(shown.map(\.title) == ["Leave by 08:05: Tram 5 at 08:12, expected 08:15"])
        #expect(shown.first?.body.contains("Expected at 08:15, 3 min late.") == true)
        let same = Scene.departure(72, late: 210, at: Scene.minute(61), uncertainty: 0)
        #expect(scene.at(61, Scene.pinned(same, Scene.departure(82))).isEmpty)
    }
}
