import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// Predictions with cached keys, compared with those without. Trips of a Friday to a Monday call at stops 1, 2 and 3, which
/// are more calls than the cache has slots. Some trips of Friday morning have a prediction of their source.
struct DelayKeyCacheTests {
    private static let firstDate = ServiceDate(iso8601: "2026-06-12")

    /// The calls of one version of a timetable, and the cache of this version.
    private struct Version {
        var calls: [ExpectedCall]
        var services: [Service]
        let cache = DelayKeyCache()

        /// - Parameter added: The number of patterns before the one with the calls.
        init(everyMinutes interval: Int, added: Int) throws {
            var scene = RealtimeScenario(try systemZone("Europe/Berlin"))
            scene.now = instant("2026-06-12T06:10:00+02:00")
            for _ in 0..<added { scene.timetable.add([(8, 0), (9, 300)], starts: ["05:00", "06:00"]) }
            let starts = stride(from: 5 * 60, to: 22 * 60, by: interval).map { "\($0 / 60):\($0 % 60)" }
            scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: starts)
            let trips = (0..<starts.count).filter { (65..<130).contains($0 * interval) }.map { $0 + 2 * added }
            let realtime = try scene.realtime(
                trips.map { trip in
                    .update(trip, trip % 2 == 0 ? [.late(0, 120)] : [.late(0, 60), .late(1, 90)], date: "2026-06-12")
                })
            calls = [1, 2].flatMap { scene.departures($0, realtime, count: 4 * starts.count - 14) }
            services = scene.timetable.services
        }

        func prediction(of call: ExpectedCall, _ history: DelayHistory, _ cache: DelayKeyCache?) -> DelayPrediction? {
            history.prediction(of: call, "r1", services, now: now, cache: cache) { StopID("s\($0.position)") }
        }

        func prediction(of call: ExpectedCall, _ history: PublishedHistory) -> DelayPrediction? {
            history.prediction(of: call, "r1", services, now: now, cache: cache) { StopID("s\($0.position)") }
        }

        private let now = instant("2026-06-12T06:10:00+02:00")
    }

    /// Adds what twelve days teach about two of three calls.
    private static func learn(_ version: Version, into history: inout DelayHistory, _ delay: Int) throws {
        let first = Int(try #require(firstDate).daysSince1970) - 14
        for day in 0..<12 {
            let observations: [DelayHistory.Observation] = version.calls.enumerated().compactMap { number, call in
                guard number % 3 != 0, case .scheduled(let scheduled) = call.subject else { return nil }
                let stop = StopID("s\(call.stop.position)")
                let keys = CallKeys(scheduled, at: scheduled.position, "r1", stop, version.services)
                return DelayHistory.Observation(
                    key: keys.departure, group: keys.group, hasOwnEntry: true, isInUse: false, day: first + day,
                    delay: delay + number % 200 + day)
            }
            history.add(observations)
            for number in 0..<12 * 220 where day % 4 == 0 {
                history.predictions.add(
                    .init(slot: number % 12, stated: 90, usual: (10, 20)), delay: 60 + number % 50, on: first + day)
            }
        }
    }

    @Test func cachedKeysDoNotChangePredictions() throws {
        let versions = [try Version(everyMinutes: 5, added: 0), try Version(everyMinutes: 6, added: 3)]
        #expect(versions.allSatisfy { $0.calls.count > 1200 })
        var first = DelayHistory()
        try Self.learn(versions[0], into: &first, 60)
        // Entries of the second version are added between those of the first, so that most of them move.
        var second = first
        try Self.learn(versions[1], into: &second, 90)
        for history in [first, second, first, DelayHistory()] {
            let published = PublishedHistory(history)
            for (number, version) in versions.enumerated() {
                var bases: Set<DelayPrediction.Basis?> = []
                for _ in 0..<2 {
                    for (position, call) in version.calls.enumerated() {
                        let expected = version.prediction(of: call, history, nil)
                        bases.insert(expected?.basis)
                        let found = [
                            version.prediction(of: call, history, version.cache),
                            version.prediction(of: call, published), version.prediction(of: call, published),
                        ]
                        #expect(found.allSatisfy { $0 == expected }, "call \(position) of version \(number)")
                    }
                }
                #expect(history.isEmpty || bases.isSuperset(of: [.departure, .group, .prediction]), "\(bases)")
            }
        }
        #expect(versions.allSatisfy { $0.cache.replacedCount > 100 })
    }

    @Test func fewCallsKeepTheirSlots() throws {
        let version = try Version(everyMinutes: 5, added: 0)
        var history = DelayHistory()
        try Self.learn(version, into: &history, 60)
        // Stale calls fill the cache.
        for call in version.calls { _ = version.prediction(of: call, history, version.cache) }
        let recent = version.calls.prefix(150)
        for _ in 0..<30 {
            for call in recent { _ = version.prediction(of: call, history, version.cache) }
        }
        let replaced = version.cache.replacedCount
        for call in recent { _ = version.prediction(of: call, history, version.cache) }
        #expect(version.cache.replacedCount - replaced <= 3)
    }
}
