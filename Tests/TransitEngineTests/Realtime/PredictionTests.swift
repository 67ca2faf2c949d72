import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Predictions for single stops in a network without times. Each prediction is a trip with a single known call.
struct PredictionTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Asia/Hong_Kong"))
        scene.now = instant("2026-06-10T06:10:00+08:00")
        let never = ServiceDate(daysSince1970: 0)
        scene.timetable.services = [Service(id: "never", weekdays: 0, start: never, end: never)]
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["00:00"], route: 1)
        scene.timetable.add([(4, 0), (2, 300)], starts: ["00:00"], route: 2)
    }

    /// A bus on a route that is predicted at one stop.
    private func bus(_ number: Int, route: Int, stop: Int, at time: String) -> RealtimeEntity {
        .update(
            number, [.at(stop: "s\(stop)", "2026-06-10T\(time):00+08:00")], relationship: .added, route: "r\(route)")
    }

    private func directTrips(_ entities: [RealtimeEntity], from: Int, to: Int) throws -> [ExpectedDirectTrip] {
        DirectTripFinder.next(
            origins: [StopIndex(from): 60], destinations: [StopIndex(to): 120], patterns: scene.timetable.patterns,
            context: scene.timetable.context(scene.zone), realtime: try scene.realtime(entities), now: scene.now,
            at: scene.now, count: 3)
    }

    @Test func predictionIsOnBoardOfItsStop() throws {
        let realtime = try scene.realtime([
            bus(50, route: 1, stop: 2, at: "06:20"), bus(51, route: 1, stop: 1, at: "06:15"),
        ])
        #expect(scene.board(2, realtime) == ["->06:20 scheduled live high"])
        #expect(scene.board(1, realtime) == ["->06:15 scheduled live high"])
    }

    @Test func predictionAtLastStopIsNoDeparture() throws {
        let realtime = try scene.realtime([
            bus(50, route: 1, stop: 3, at: "06:20"), bus(51, route: 2, stop: 2, at: "06:20"),
            bus(52, route: 9, stop: 2, at: "06:20"),
        ])
        #expect(scene.board(3, realtime) == [])
        #expect(scene.board(2, realtime) == [])
    }

    @Test func predictionFollowsItsRouteWithoutArrivalTime() throws {
        let directTrips = try directTrips(
            [
                bus(50, route: 1, stop: 1, at: "06:30"), bus(51, route: 1, stop: 1, at: "06:14"),
                bus(52, route: 2, stop: 4, at: "06:15"),
            ], from: 1, to: 3)
        #expect(directTrips.map { scene.clock($0.departure.expectedDeparture) } == ["06:14", "06:30"])
        #expect(
            directTrips.allSatisfy {
                $0.arrival == nil && $0.destinationArrival == nil && $0.destination == StopIndex(3)
            })
        #expect(directTrips.map(\.walkAfter) == [120, 120])
    }

    @Test func predictionBeforeReachingStopIsNoDirectTrip() throws {
        #expect(try directTrips([bus(50, route: 1, stop: 1, at: "06:10")], from: 1, to: 3).isEmpty)
    }

    @Test func predictionDoesNotLeadBackward() throws {
        #expect(try directTrips([bus(50, route: 1, stop: 3, at: "06:30")], from: 3, to: 1).isEmpty)
    }

    @Test func predictionsAtSeveralStopsGiveArrivalTime() throws {
        let vehicle = RealtimeEntity.update(
            60,
            [
                .at(stop: "s1", "2026-06-10T06:20:00+08:00"), .at(stop: "s2", "2026-06-10T06:31:00+08:00"),
                .at(stop: "s3", "2026-06-10T06:45:00+08:00"),
            ], relationship: .added, route: "r1")
        let directTrips = try directTrips([vehicle, bus(50, route: 1, stop: 1, at: "06:25")], from: 1, to: 3)
        #expect(directTrips.map { scene.clock($0.arrival?.expectedArrival) } == ["06:45", "-"])
        // The update does not state that the trip continues to the third stop.
        let short = RealtimeEntity.update(
            61, [.at(stop: "s1", "2026-06-10T06:20:00+08:00"), .at(stop: "s2", "2026-06-10T06:31:00+08:00")],
            relationship: .added, route: "r1")
        #expect(try self.directTrips([short], from: 1, to: 3).isEmpty)
    }
}
