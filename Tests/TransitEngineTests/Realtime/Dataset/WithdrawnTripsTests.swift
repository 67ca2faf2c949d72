import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// A full message that lacks nearly all reported trips does not withdraw them until it has been confirmed.
struct WithdrawnTripsTests {
    private var scene: RealtimeScenario
    private static let trips = 10

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add(
            [(1, 0), (2, 600), (3, 1200)], starts: (0..<Self.trips).map { "6:\(20 + 4 * $0)" })
    }

    /// Ten updates: the first trip is canceled, the second skips the second stop, the others are three minutes late.
    private static let updates: [RealtimeEntity] =
        [.update(0, relationship: .canceled), .update(1, [.late(0, 0), .said(1, .skipped)])]
        + (2..<trips).map { .update($0, [.late(0, 180)]) }

    private static let kept = [
        "06:30>- canceled live low", "06:34>- skipped live low", "06:38>06:41 scheduled live low",
    ]
    private static let timetable = ["06:30", "06:34", "06:38"].map { "\($0)>- scheduled scheduled medium" }

    /// The boards of the second stop after messages at intervals, in seconds after the first one.
    private func boards(_ messages: [(seconds: Int, entities: [RealtimeEntity])]) throws -> [[String]] {
        var scene = scene
        let start = scene.now
        var last = try scene.dataset(Self.updates)
        return try messages.map { message in
            scene.now = start.advanced(by: message.seconds)
            last = try scene.dataset(message.entities, previous: last)
            return scene.board(2, RealtimeDatasets(tripUpdates: last))
        }
    }

    @Test func emptyMessageLeavesTripsAsFromSilentSource() throws {
        #expect(try boards([(60, [])]) == [Self.kept])
    }

    @Test func emptyMessageIsBelievedAfterFiveMinutesAndThreeMessages() throws {
        #expect(try boards([(60, []), (120, []), (359, [])]).last == Self.kept)
        #expect(try boards([(60, []), (120, []), (360, [])]).last == Self.timetable)
        #expect(try boards([(60, []), (600, [])]).last == Self.kept)
        #expect(try boards([(60, []), (600, []), (660, [])]).last == Self.timetable)
    }

    @Test func differentialMessagesConfirmNoWithdrawal() throws {
        var scene = scene
        let start = scene.now
        var last = try scene.dataset(Self.updates)
        scene.now = start.advanced(by: 60)
        last = try scene.dataset([], previous: last)
        let retentions = last.retentions
        func differential(_ seconds: Int, _ entities: [RealtimeEntity]) throws {
            scene.now = start.advanced(by: seconds)
            let header = RealtimeHeader(version: "2.0", incrementality: .differential, timestamp: scene.now)
            last = try scene.dataset(entities, header: header, previous: last)
        }
        for seconds in [120, 180, 240, 420, 480] { try differential(seconds, [.deleted("x")]) }
        #expect(scene.board(2, RealtimeDatasets(tripUpdates: last)) == Self.kept)
        #expect(last.retentions == retentions)
        // An entity that is deleted, and a trip that is reported under another identifier.
        try differential(500, [.deleted("e0"), .update(1, [.late(1, 60)], entity: "other")])
        #expect(
            scene.board(2, RealtimeDatasets(tripUpdates: last)) == [
                "06:30>- scheduled scheduled medium", "06:34>06:35 scheduled live high", Self.kept[2],
            ])
        // When the trips are over, nothing is retained, and no notice says that something is.
        try differential(3 * 3600, [.deleted("x")])
        #expect((last.retainedTrips, last.retentions.count) == (0, 0))
    }

    @Test func retainedTripsThatAreOverAfterRestartAreNotRetained() throws {
        var scene = scene
        let first = try scene.dataset(Self.updates)
        let retention = TripRetention(reported: scene.now, missingSince: scene.now.advanced(by: 60))
        scene.now = scene.now.advanced(by: 3 * 3600)
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: scene.now), received: scene.now,
            matcher: TripMatcher(scene.table))
        builder.restore([(first, retention)], withdrawal: nil)
        #expect(try builder.finish().retentions.isEmpty)
    }

    @Test func positionsDoNotHideConfirmedWithdrawal() throws {
        let canceled: [RealtimeEntity] = (0..<5).map { .update($0, relationship: .canceled) }
        let positions: [RealtimeEntity] = (5..<Self.trips).map { number in
            .vehicle(
                VehiclePosition(
                    id: EntityID("v\(number)"),
                    trip: TripDescriptor(tripID: TripID("t\(number)"), startDate: ServiceDate(iso8601: "2026-06-10")),
                    currentSequence: 0, status: .stoppedAt))
        }
        var scene = scene
        let start = scene.now
        var last = try scene.dataset(canceled + Self.updates.suffix(5))
        for seconds in [60, 180, 300, 420] {
            scene.now = start.advanced(by: seconds)
            last = try scene.dataset(positions, previous: last)
        }
        // The source reports the positions of the five trips that run, but no update.
        #expect((last.withdrawal?.trips, last.withdrawal?.cancellations) == (5, 5))
        // The notice ends when half as many trips are reported, also by changes.
        scene.now = start.advanced(by: 480)
        let header = RealtimeHeader(version: "2.0", incrementality: .differential, timestamp: scene.now)
        #expect(try scene.dataset(Array(canceled.prefix(2)), header: header, previous: last).withdrawal != nil)
        #expect(try scene.dataset(Array(canceled.prefix(3)), header: header, previous: last).withdrawal == nil)
    }

    /// The board after messages without trips, a minute apart, during which the wall clock is set.
    private func board(minutes: Int, clockStep: Int) throws -> [String] {
        var scene = scene
        let first = scene.now
        var last = try scene.dataset(Self.updates)
        for minute in 0..<minutes {
            let step = minute == 2 ? clockStep : 0
            scene.now = scene.now.advanced(by: 60 + step)
            var builder = RealtimeDatasetBuilder(
                header: RealtimeHeader(version: "2.0", timestamp: first.advanced(by: 60 * (minute + 1))),
                received: scene.now, matcher: TripMatcher(scene.table), previous: last)
            builder.clockStep = step
            last = try builder.finish()
        }
        return scene.board(2, RealtimeDatasets(tripUpdates: last), at: "2026-06-10T06:10:00+02:00")
    }

    @Test(arguments: [1200, -3600]) func stepOfTheWallClockDecidesNothing(clockStep: Int) throws {
        #expect(try board(minutes: 4, clockStep: clockStep) == Self.kept)
        #expect(try board(minutes: 6, clockStep: clockStep) == Self.timetable)
    }

    @Test func retentionIsNeverInTheFuture() throws {
        var scene = scene
        let first = try scene.dataset(Self.updates)
        // The clock was set back by an hour before the restart.
        let retention = TripRetention(reported: scene.now, missingSince: scene.now.advanced(by: 3600))
        scene.now = scene.now.advanced(by: 60)
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: scene.now), received: scene.now,
            matcher: TripMatcher(scene.table))
        builder.restore([(first, retention)], withdrawal: nil)
        #expect(try builder.finish().retentions.map(\.missingSince) == [scene.now])
    }

    @Test func repeatedMessageDoesNotCountTwice() throws {
        var scene = scene
        let first = try scene.dataset(Self.updates)
        let header = RealtimeHeader(version: "2.0", timestamp: scene.now.advanced(by: 60))
        var last = first
        for seconds in [60, 120, 400] {
            scene.now = instant("2026-06-10T06:10:00+02:00").advanced(by: seconds)
            last = try scene.dataset([], header: header, previous: last)
        }
        #expect(scene.board(2, RealtimeDatasets(tripUpdates: last)) == Self.kept)
    }

    @Test func contentOfTheMessageApplies() throws {
        let board = try boards([(60, [.update(0, [.late(0, 60)])])]).last
        #expect(board == ["06:30>06:31 scheduled live medium"] + Self.kept.dropFirst())
    }

    @Test func returnOfTheTripsEndsTheDoubt() throws {
        let back: [RealtimeEntity] = (0..<Self.trips).map { .update($0, [.late(0, 0)]) }
        let board = try boards([(60, []), (120, back), (180, Array(back.dropFirst()))]).last
        // Nothing is retained: the first trip has only its planned time.
        #expect(board?.first?.hasPrefix("06:30>- scheduled scheduled") == true)
        #expect(board?.dropFirst().first == "06:34>06:34 scheduled live medium")
    }

    @Test func fewerThanFiveTripsAreWithdrawnAtOnce() throws {
        var scene = scene
        let first = try scene.dataset(Array(Self.updates.prefix(4)))
        scene.now = scene.now.advanced(by: 60)
        let second = try scene.dataset([], previous: first)
        #expect(scene.board(2, RealtimeDatasets(tripUpdates: second)) == Self.timetable)
    }

    @Test func tripsThatAreOverDoNotCount() throws {
        var scene = scene
        let first = try scene.dataset(Self.updates)
        // The first six trips are over, because the sixth one is three minutes late and ends at 07:03.
        scene.now = instant("2026-06-10T07:03:01+02:00")
        let second = try scene.dataset([], previous: first)
        #expect(second.trips.isEmpty)
    }

    @Test func lateTripIsNotOverBeforeItsLastPrediction() throws {
        var scene = scene
        let late: [RealtimeEntity] = (0..<5).map { .update($0, [.late(0, 3600)]) }
        let first = try scene.dataset(late)
        scene.now = instant("2026-06-10T07:30:00+02:00")
        let second = try scene.dataset([], previous: first)
        #expect(second.trips.count == 5)
    }
}
