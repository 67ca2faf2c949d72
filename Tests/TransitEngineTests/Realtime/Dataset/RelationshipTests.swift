import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Tests the effect of every `schedule_relationship` on a board.
struct RelationshipTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:00", "06:20", "06:40"])
        let rows = [Frequency(trip: 0, start: seconds("6:00"), end: seconds("8:00"), headway: 1200, isExact: false)]
        scene.timetable.add([(4, 0), (5, 600), (6, 1200)], starts: ["00:00"], frequencies: rows)
    }

    /// The departures of the trip at 06:20 from its second stop at 06:30, by relationship.
    static let ofTrips: [(TripScheduleRelationship, [String])] = [
        (.scheduled, ["06:30>06:32 scheduled live high", "06:50>- scheduled scheduled medium"]),
        (.canceled, ["06:30>- canceled live high", "06:50>- scheduled scheduled medium"]),
        (.deleted, ["06:50>- scheduled scheduled medium"]),
        // The calls are those of the update. Without the third stop, riders cannot board at the second stop.
        (.replacement, ["->06:32 replaced live high", "06:50>- scheduled scheduled medium"]),
        (
            .added,
            [
                "06:30>- scheduled scheduled medium", "->06:32 added live high", "06:50>- scheduled scheduled medium",
            ]
        ),
        (
            .new,
            [
                "06:30>- scheduled scheduled medium", "->06:32 added live high", "06:50>- scheduled scheduled medium",
            ]
        ),
        (
            .duplicated,
            [
                "06:30>- scheduled scheduled medium", "06:40>06:42 duplicated live high",
                "06:50>- scheduled scheduled medium",
            ]
        ),
        // The relationship has no effect on a trip that is not in frequencies.txt.
        (.unscheduled, ["06:30>06:32 scheduled live high", "06:50>- scheduled scheduled medium"]),
    ]

    @Test("The relationship of a trip determines its departures", arguments: ofTrips)
    func tripRelationshipDeterminesBoard(relationship: TripScheduleRelationship, expected: [String]) throws {
        let isCopy = relationship == .duplicated
        func event(_ delay: Int32, _ time: String) -> StopTimeEvent {
            StopTimeEvent(time: isCopy ? nil : instant("2026-06-10T\(time):00+02:00"), delay: isCopy ? delay : nil)
        }
        let updates = [
            StopTimeUpdate(sequence: 1, stopID: "s2", departure: event(120, "06:32")),
            StopTimeUpdate(sequence: 2, stopID: "s3", arrival: event(120, "06:42")),
        ]
        let copy = TripProperties(
            tripID: "copy", startDate: ServiceDate(iso8601: "2026-06-10"),
            startTime: ServiceTime(seconds: seconds("6:30")))
        let realtime = try scene.realtime([
            .update(
                1, updates, date: "2026-06-10", relationship: relationship, properties: isCopy ? copy : nil,
                route: "r0")
        ])
        #expect(scene.board(2, realtime, at: "2026-06-10T06:25:00+02:00", count: expected.count) == expected)
    }

    @Test("The table contains all trip relationships")
    func tableContainsAllTripRelationships() {
        #expect(Set(Self.ofTrips.map(\.0)) == Set(TripScheduleRelationship.allCases))
        #expect(Set(Self.ofCalls.map(\.0)) == Set(StopScheduleRelationship.allCases))
    }

    /// By relationship, the departure from the second call of the trip at 06:20, which is two minutes late at its first
    /// call, and whether the third call has a prediction.
    static let ofCalls: [(StopScheduleRelationship, String, Bool)] = [
        (.scheduled, "06:30>06:33 scheduled live high", true),
        (.skipped, "06:30>- skipped live high", true),
        (.noData, "06:30>- scheduled scheduled medium", false),
        (.unscheduled, "06:30>06:33 scheduled live high", true),
    ]

    @Test("The relationship of a call determines its departure", arguments: ofCalls)
    func callRelationshipDeterminesDeparture(
        relationship: StopScheduleRelationship, expected: String, isKnownAfterwards: Bool
    ) throws {
        let isTimed = relationship == .scheduled || relationship == .unscheduled
        let realtime = try scene.realtime([
            .update(
                1,
                [
                    .late(0, 120),
                    StopTimeUpdate(
                        sequence: 1, departure: isTimed ? StopTimeEvent(delay: 180) : nil, relationship: relationship),
                ])
        ])
        #expect(scene.board(2, realtime, count: 1) == ["06:10>- scheduled scheduled medium"])
        #expect(scene.board(2, realtime, count: 2).last == expected)
        let last = try #require(try scene.delays(realtime, trip: 1).last)
        #expect((last != nil) == isKnownAfterwards)
    }

    @Test("A trip of frequencies.txt with exact_times 0 has no scheduled times, and a delay counts from its start")
    func delayOfUnscheduledTripCountsFromStart() throws {
        let updates = [
            StopTimeUpdate(
                sequence: 1, departure: StopTimeEvent(time: instant("2026-06-10T06:33:00+02:00")),
                relationship: .unscheduled)
        ]
        let realtime = try scene.realtime([.update(3, updates, start: "6:22", relationship: .unscheduled)])
        // The trip counts as the instance at 06:20, whose call at this stop is at 06:30.
        #expect(
            scene.board(5, realtime) == [
                "06:10>- scheduled scheduled low", "->06:33 unscheduled live high", "06:50>- scheduled scheduled low",
            ])
        let delayed = try scene.realtime([.update(3, [.late(1, 60)], start: "6:20", relationship: .unscheduled)])
        #expect(delayed.tripUpdates?.statistics.delaysWithoutTimetable == 2)
        #expect(scene.board(5, delayed).dropFirst().first == "->06:31 unscheduled live high")
        // The start time is the publisher's, and a delay does not move it.
        let moved = try scene.realtime([.update(3, [.late(1, 120)], start: "6:22", relationship: .unscheduled)])
        #expect(scene.board(5, moved).dropFirst().first == "->06:34 unscheduled live high")
        let whole = try scene.realtime([.update(3, start: "6:22", relationship: .unscheduled, delay: 60)])
        #expect(scene.board(5, whole).dropFirst().first == "->06:33 unscheduled live medium")
        // A call without realtime data is shown at the approximate time of a vehicle that starts then.
        let unreported = try scene.realtime([.update(3, start: "6:22", relationship: .unscheduled)])
        #expect(scene.board(5, unreported).dropFirst().first == "06:32>- scheduled scheduled low")
        let nameless = try scene.realtime([.update(3, updates, relationship: .unscheduled)])
        #expect(nameless.tripUpdates?.statistics.unmatchedTrips == [.needsStartTime: 1])
    }

    @Test("A canceled copy on an adjacent date does not affect the original trip")
    func canceledCopyOnAdjacentDateIsAnotherTrip() throws {
        let realtime = try scene.realtime([.update(1, date: "2026-06-11", relationship: .canceled)])
        #expect(scene.board(2, realtime, count: 2).last == "06:30>- scheduled scheduled medium")
        #expect(
            scene.board(2, realtime, at: "2026-06-11T06:15:00+02:00", count: 1) == ["06:30>- canceled live high"])
    }

    @Test("An unknown unscheduled trip is shown; an unknown scheduled trip is not")
    func unknownUnscheduledTripIsShown() throws {
        let updates: [StopTimeUpdate] = [
            .at(stop: "s1", "2026-06-10T06:21:00+02:00"), .at(stop: "s2", "2026-06-10T06:33:00+02:00"),
            .at(stop: "s3", "2026-06-10T06:43:00+02:00"),
        ]
        let shown = try scene.realtime([
            .update(77, updates, date: "2026-06-10", relationship: .unscheduled, route: "r0")
        ])
        #expect(scene.board(2, shown, count: 3).contains("->06:33 added live high"))
        #expect(shown.tripUpdates?.statistics.unmatchedTrips.isEmpty == true)
        #expect(shown.tripUpdates?.statistics.matchedTrips == 1)
        let vehicle = RealtimeEntity.vehicle(
            VehiclePosition(id: "v", trip: TripDescriptor(tripID: "t77", relationship: .unscheduled)))
        #expect(try scene.dataset([vehicle]).statistics.unmatchedTrips.isEmpty)
        let hidden = try scene.realtime([.update(77, updates, date: "2026-06-10", route: "r0")])
        #expect(hidden.tripUpdates?.extraTrips.isEmpty == true)
        #expect(hidden.tripUpdates?.statistics.unmatchedTrips == [.unknownTrip: 1])
        let bare = try scene.realtime([.update(77, date: "2026-06-10", relationship: .unscheduled)])
        #expect(bare.tripUpdates?.statistics.unmatchedTrips == [.withoutCalls: 1])
    }

    @Test func callWithoutDataOfAddedTripIsScheduled() throws {
        var second = StopTimeUpdate.at(stop: "s2", "2026-06-10T06:33:00+02:00")
        second.relationship = .noData
        let updates = [
            .at(stop: "s1", "2026-06-10T06:21:00+02:00"), second, .at(stop: "s3", "2026-06-10T06:43:00+02:00"),
        ]
        let realtime = try scene.realtime([.update(77, updates, date: "2026-06-10", relationship: .added, route: "r0")])
        #expect(scene.board(2, realtime, count: 3).contains("06:33>- added scheduled medium"))
        #expect(scene.board(1, realtime, count: 3).contains("->06:21 added live high"))
    }

    @Test("A copy that has departed is still a copy")
    func departedCopyIsStillCopy() throws {
        let copy = TripProperties(
            startDate: ServiceDate(iso8601: "2026-06-10"), startTime: ServiceTime(seconds: seconds("6:30")))
        var scene = scene
        scene.now = instant("2026-06-10T06:50:00+02:00")
        let realtime = try scene.realtime([
            .update(1, [.late(0, 60)], relationship: .duplicated, properties: copy)
        ])
        let calls = scene.departures(2, realtime, at: "2026-06-10T06:15:00+02:00", count: 5)
        let departed = try #require(calls.first { $0.duplicateStart != nil })
        #expect(departed.status == .departed)
        #expect(calls.count { $0.duplicateStart != nil } == 1)
    }
}
