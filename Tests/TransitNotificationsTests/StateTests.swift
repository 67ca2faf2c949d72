import Testing
import TransitModel
import TransitTestSupport

@testable import TransitNotifications

struct StateTests {
    /// Random mornings of a few subjects, driven to states of all kinds.
    private struct Morning {
        var random: SeededGenerator
        var scene: Scene
        var delays: [Int: Int] = [:]

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            scene = Scene(["leave.per_window": "9"])
        }

        mutating func subjects(_ minute: Int) -> [WatchedSubject] {
            let all = [45, 62, 72, 82, 92, 110].filter { $0 + 5 > minute }
            let departures = all.map { scheduled in
                if random.number(0...4) == 0 {
                    delays[scheduled] = [0, 0, 60, 200, 400, 700, 1500, -100].randomElement(using: &random)!
                }
                let status: CallStatus = random.number(0...14) == 0 ? .canceled : .scheduled
                let delay = status.isRunning ? delays[scheduled].map { $0 + random.number(-20...20) } : nil
                return Scene.departure(
                    scheduled, late: delay, at: Scene.minute(minute), status: status,
                    fresh: random.number(0...9) != 0, missing: delay == nil && random.number(0...3) == 0,
                    platforms: ("1", random.number(0...20) == 0 ? "2" : "1"), arrival: Scene.minute(scheduled + 15))
            }
            var subjects = [
                WatchedSubject(
                    kind: .commute, name: "work", departures: departures, walk: 480,
                    window: Scene.minute(10)...Scene.minute(100), leadsHome: true, last: departures.last)
            ]
            if let first = departures.first(where: { $0.key.scheduled == Scene.minute(72) }) {
                subjects.append(
                    WatchedSubject(
                        kind: .usual, name: "usual", departures: [first] + departures.filter { $0.key != first.key },
                        walk: nil))
            }
            return subjects
        }
    }

    @Test(arguments: testSeeds(1, 2, 3, 4))
    func stateSurvivesItsDocument(_ seed: UInt64) {
        var morning = Morning(seed: seed)
        var shown = 0
        for minute in 0..<120 {
            let now = Scene.minute(minute)
            let subjects = morning.subjects(minute)
            shown +=
                morning.scene.engine.evaluate(
                    NotificationInput(now: now, zone: Scene.zone, subjects: subjects)
                ).count
            if minute == 73 { _ = morning.scene.engine.taken(Scene.departure(72).key, at: now) }
            if minute == 30 { morning.scene.engine.mute(.platform, until: nil) }
            let state = morning.scene.engine.state
            #expect(NotificationState(json: state.json) == state)
        }
        #expect(shown > 0)
    }

    /// The engine that is asked each second and the one that is asked at the moments that it names decide the same.
    @Test(arguments: testSeeds(11, 14, 15, 17))
    func secondsAndMomentsDecideTheSame(_ seed: UInt64) {
        var morning = Morning(seed: seed)
        var bySeconds = morning.scene.engine
        var byMoments = morning.scene.engine
        var wakeups = 0
        for minute in stride(from: 0, to: 120, by: 2) {
            let start = Scene.minute(minute)
            let input = NotificationInput(now: start, zone: Scene.zone, subjects: morning.subjects(minute))
            var one = bySeconds.evaluate(input)
            var other = byMoments.evaluate(input)
            for second in 1..<120 {
                one += bySeconds.evaluate(NotificationInput(now: start.advanced(by: second), zone: Scene.zone))
            }
            var now = start
            while let moment = byMoments.nextMoment(after: now), moment < start.advanced(by: 120) {
                #expect(moment > now)
                now = moment
                wakeups += 1
                other += byMoments.evaluate(NotificationInput(now: now, zone: Scene.zone))
            }
            func lines(_ decisions: [NotificationDecision]) -> [String] {
                decisions.map { "\(start.seconds(to: $0.at)) \($0.id) \($0.rule) \($0.title) \($0.suppression ?? "")" }
            }
            #expect(lines(one) == lines(other), "minute \(minute)")
            let difference = zip(bySeconds.state.json.split(separator: ","), byMoments.state.json.split(separator: ","))
                .first { $0 != $1 }
            #expect(
                bySeconds.state == byMoments.state,
                "minute \(minute): \(difference.map { "\($0.0) instead of \($0.1)" } ?? "the length")")
            guard one == other else { return }
        }
        #expect(wakeups < 200)
    }

    /// The date of the last trip, and that of the last one home.
    @Test(arguments: [("\"taken\":20537,\"taken_home\":20536", false), ("\"taken\":20537,\"taken_home\":20537", true)])
    func lastTripOfFormerReleaseIsRead(_ members: String, ledHome: Bool) throws {
        let former = NotificationState().json.replacing("\"trips\":[]", with: members)
        let state = try #require(NotificationState(json: former))
        let day = try #require(ServiceDate(iso8601: "2026-03-25"))
        #expect(state.lastTrip(on: day)?.ledHome == ledHome)
        #expect(NotificationState(json: state.json) == state)
    }

    @Test func hostileDocumentsAreNotRead() {
        var scene = Scene()
        scene.at(50, Scene.pinned(Scene.departure(72, late: 0), Scene.departure(82)))
        scene.at(57)
        let json = scene.engine.state.json
        #expect(NotificationState(json: json) != nil)
        for text in ["", "{}", "[]", "null", "{\"version\":2}", json + "x", String(json.dropLast())] {
            #expect(NotificationState(json: text) == nil)
        }
        #expect(NotificationState(json: json.replacing("\"version\":1", with: "\"version\":2")) == nil)
        #expect(NotificationState(json: json.replacing("\"pinned\"", with: "\"other\"")) == nil)
        #expect(NotificationState(json: String(repeating: "[", count: 2 << 20)) == nil)
        #expect(NotificationState(json: json.replacing("\"revision\":1", with: "\"revision\":-1")) == nil)
    }

    @Test(arguments: testSeeds(21, 22, 23, 24))
    func mutatedDocumentsNeverCrash(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var scene = Scene()
        scene.at(50, Scene.pinned(Scene.departure(72, late: 400), Scene.departure(82)))
        scene.at(70, Scene.pinned(Scene.departure(72, late: 400, at: Scene.minute(70)), Scene.departure(82)))
        let bytes = Array(scene.engine.state.json.utf8)
        for _ in 0..<1000 {
            var mutated = bytes
            for _ in 0..<random.number(1...3) {
                mutated[random.number(0...mutated.count - 1)] = Array("0129-\"{}[],:eatn".utf8).randomElement(
                    using: &random)!
            }
            guard let state = NotificationState(json: String(decoding: mutated, as: UTF8.self)) else { continue }
            var engine = NotificationEngine(state: state, settings: scene.engine.settings)
            _ = engine.evaluate(
                NotificationInput(
                    now: Scene.minute(71), zone: Scene.zone, subjects: [Scene.pinned(Scene.departure(72, late: 0))]))
            _ = engine.nextMoment(after: Scene.minute(71))
        }
    }

    @Test func stateIsBounded() {
        var scene = Scene(["canceled.favorites": "on"])
        for day in 0..<20 {
            let base = day * 1440
            let departures = (0..<100).map {
                Scene.departure(base + $0 * 8, at: Scene.minute(base), status: $0 % 3 == 0 ? .canceled : .scheduled)
            }
            for minute in stride(from: base, to: base + 800, by: 40) {
                let coming = departures.filter { $0.key.scheduled > Scene.minute(minute - 3) }
                scene.at(
                    Double(minute),
                    WatchedSubject(kind: .favorite, name: "f", departures: Array(coming.prefix(10)), walk: 0))
            }
        }
        #expect(scene.engine.state.json.utf8.count < 200_000)
        #expect(NotificationState(json: scene.engine.state.json) == scene.engine.state)
    }
}

extension StateTests {
    /// A button changes the state after it was trimmed.
    @Test func stateAtItsLimitsIsReadAgain() {
        var state = NotificationState()
        for number in 0..<(NotificationState.Limit.bubbles + 1) {
            state.bubbles["b\(number)"] = NotificationState.Bubble(
                revision: 1, validUntil: Instant(secondsSince1970: Int64(number)), isShown: true)
        }
        #expect(NotificationState(json: state.json)?.bubbles.count == NotificationState.Limit.bubbles)
    }
}
