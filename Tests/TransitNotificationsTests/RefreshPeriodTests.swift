import Testing
import TransitModel
import TransitNotifications

/// When notifications need realtime data. Minute 0 is 07:00, and the walk is 8 minutes.
@Suite struct RefreshPeriodTests {
    /// The minutes from 07:00 on of the periods that are due, or of those that are near.
    private func minutes(_ scene: Scene, at minute: Double, isDue: Bool = true) -> [ClosedRange<Int>] {
        scene.engine.refreshPeriods(at: Scene.time(minute)).filter { $0.isDue == isDue }.map { period in
            Scene.start.seconds(to: period.range.lowerBound) / 60...Scene.start.seconds(to: period.range.upperBound)
                / 60
        }
    }

    @Test func departureIsDueTwentyMinutesBeforeTheTimeToLeave() {
        var scene = Scene()
        // Leave at 08:12 - 8 - 3 min.
        scene.at(-30, Scene.pinned(Scene.departure(72), Scene.departure(92)))
        #expect(minutes(scene, at: -30) == [41...74])
        #expect(minutes(scene, at: -30, isDue: false) == [-23...41])
        // A late departure is due later, until it has left.
        scene.at(30, Scene.pinned(Scene.departure(72, late: 600, at: Scene.minute(30), uncertainty: 60)))
        #expect(minutes(scene, at: 30).map(\.upperBound) == [84])
        #expect(minutes(scene, at: 30).allSatisfy { $0.lowerBound > 41 })
    }

    @Test func commuteIsDueForItsFirstDepartureAlone() {
        var scene = Scene()
        let departures = [12, 22, 32, 42, 52].map { Scene.departure($0) }
        let commute = Scene.commute(
            departures[0], departures[1], departures[2], departures[3], departures[4], window: 0...30)
        scene.at(-60, commute)
        // Before the window, the departure that will be followed is known.
        #expect(minutes(scene, at: -60) == [-18...14])
        #expect(minutes(scene, at: -60, isDue: false).isEmpty)
        scene.at(1, commute)
        #expect(minutes(scene, at: 1).allSatisfy { $0.upperBound <= 24 })
    }

    @Test func takenDepartureIsNotDueUntilItArrives() throws {
        var scene = Scene()
        let arrival = Scene.minute(60)
        let departures = [Scene.departure(12, arrival: arrival), Scene.departure(22)]
        let commute = Scene.commute(departures[0], departures[1], window: 0...30)
        scene.at(1, commute)
        #expect(!minutes(scene, at: 1).isEmpty)
        _ = scene.engine.taken(departures[0].key, at: Scene.minute(2))
        scene.at(2)
        // The notice to get off comes two minutes before the arrival.
        #expect(minutes(scene, at: 2) == [53...62])
        #expect(minutes(scene, at: 2, isDue: false) == [12...53])
    }

    @Test func subjectsThatAreOverNeedNothing() {
        var scene = Scene()
        scene.at(71, Scene.pinned(Scene.departure(72)))
        #expect(!minutes(scene, at: 72).isEmpty)
        scene.at(75)
        #expect(scene.engine.refreshPeriods(at: Scene.minute(75)).isEmpty)
        var window = Scene()
        window.at(10, Scene.commute(Scene.departure(12), window: 0...15))
        window.at(20)
        #expect(window.engine.refreshPeriods(at: Scene.minute(20)).isEmpty)
    }

    @Test func dayOffAndMuteNeedNothing() {
        var scene = Scene(["days_off.dates": "\(Scene.date)"])
        scene.at(50, Scene.usual(Scene.departure(72)))
        #expect(scene.engine.refreshPeriods(at: Scene.minute(50)).isEmpty)
        var muted = Scene()
        muted.at(50, Scene.usual(Scene.departure(72)))
        #expect(!minutes(muted, at: 50).isEmpty)
        muted.engine.mute(nil, until: Scene.minute(600))
        #expect(muted.engine.refreshPeriods(at: Scene.minute(50)).isEmpty)
    }

    @Test func favoriteNeedsAMessageEveryFiveMinutes() {
        let favorite = WatchedSubject(kind: .favorite, name: "Market", departures: [Scene.departure(72)])
        var scene = Scene()
        scene.at(50, favorite)
        #expect(minutes(scene, at: 50).isEmpty)
        #expect(minutes(scene, at: 50, isDue: false) == [-23...74])
        var leave = Scene(["leave.favorites": "on"])
        leave.at(50, favorite)
        #expect(minutes(leave, at: 50) == [52...74])
    }
}
