import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// What counts as an observation of a call between two messages. The trips start at 06:00 and later, and call at stops 1, 2
/// and 3 every ten minutes.
struct CallObserverTests {
    private var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:00", "06:05", "06:30"])
    }

    private func dataset(_ time: String, _ entities: [RealtimeEntity]) throws -> RealtimeDataset {
        var scene = scene
        scene.now = instant("2026-06-10T\(time)+02:00")
        return try scene.dataset(entities)
    }

    /// The observed calls as `trip:position delay`.
    private func observed(
        _ first: (time: String, entities: [RealtimeEntity]), _ second: (time: String, entities: [RealtimeEntity])
    ) throws -> [String] {
        let (before, after) = (try dataset(first.time, first.entities), try dataset(second.time, second.entities))
        var calls: [String] = []
        _ = CallObserver(after, after: before)?.visit { call in
            let outcome =
                switch call.outcome {
                case .served(let delay): "\(delay)"
                case .notServed: "-"
                }
            calls.append("\(call.key.trip.rawValue):\(call.position) \(outcome)")
        }
        return calls.sorted()
    }

    private func update(_ trip: Int, _ updates: [StopTimeUpdate]) -> RealtimeEntity {
        .update(trip, updates, date: "2026-06-10")
    }

    @Test func callThatIsNoLongerStatedHasItsLastStatedTime() throws {
        #expect(
            try observed(
                ("06:10:30", [update(0, [.late(1, 90), .late(2, 60)])]), ("06:12:30", [update(0, [.late(2, 60)])]))
                == ["0:1 90"])
    }

    @Test func tripThatVanishesHasItsLastStatedTime() throws {
        #expect(
            try observed(("06:20:30", [update(0, [.late(2, 75)])]), ("06:22:30", [update(2, [.late(0, 0)])]))
                == ["0:2 75"])
    }

    @Test func statedTimeThatPassedIsObservedOnce() throws {
        let entities = [update(0, [.late(1, 60), .late(2, 60)])]
        #expect(try observed(("06:13:30", entities), ("06:14:00", entities)) == ["0:1 60"])
        #expect(try observed(("06:14:00", entities), ("06:15:30", entities)) == [])
    }

    @Test func vehicleThatIsHeldIsObservedWhenItLeaves() throws {
        let (early, late) = ([update(0, [.late(1, 60), .late(2, 60)])], [update(0, [.late(1, 150), .late(2, 150)])])
        #expect(try observed(("06:10:30", early), ("06:12:00", late)) == [])
        #expect(try observed(("06:12:00", late), ("06:13:30", [update(0, [.late(2, 150)])])) == ["0:1 150"])
    }

    @Test func predictionFarAheadIsNoObservation() throws {
        // The message states ten minutes before that the train will come at 06:20. Then it vanishes.
        #expect(try observed(("06:10:00", [update(0, [.late(2, 0)])]), ("06:19:00", [update(2, [])])) == [])
    }

    @Test func propagatedDelayIsNoObservation() throws {
        #expect(
            try observed(
                ("06:09:30", [update(0, [.late(0, 60)])]), ("06:12:30", [update(0, [.late(0, 60)])])) == [])
    }

    @Test func skippedAndCanceledCallsAreNotServed() throws {
        let skipped = [update(0, [.said(1, .skipped)])]
        #expect(try observed(("06:12:30", skipped), ("06:13:30", skipped)) == ["0:1 -"])
        let canceled = [RealtimeEntity.update(0, date: "2026-06-10", relationship: .canceled)]
        #expect(try observed(("06:12:30", canceled), ("06:13:30", canceled)) == ["0:1 -"])
    }

    @Test func tripWhoseDelayJumpsByAnHourIsNotBelieved() throws {
        let (before, after) = (
            try dataset("06:10:30", [update(0, [.late(1, 60), .late(2, 60)])]),
            try dataset("06:12:30", [update(0, [.late(2, 3660)])])
        )
        var calls = 0
        let jumped = CallObserver(after, after: before)?.visit { _ in calls += 1 }
        #expect(calls == 0)
        #expect(jumped?.map(\.trip.rawValue) == [0])
    }

    @Test func nothingIsObservedAcrossALongInterruption() throws {
        let entities = [update(0, [.late(1, 60), .late(2, 60)])]
        #expect(try CallObserver(dataset("07:30:00", entities), after: dataset("06:10:00", entities)) == nil)
        #expect(try CallObserver(dataset("06:10:00", entities), after: dataset("06:10:00", entities)) == nil)
    }
}
