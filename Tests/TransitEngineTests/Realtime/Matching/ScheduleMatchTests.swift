import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Trips with an identifier that the timetable lacks are matched by their scheduled times.
struct ScheduleMatchTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1500)], starts: ["6:10", "6:30", "24:10"])
        scene.timetable.add([(1, 0), (3, 1200)], starts: ["6:20"], route: 1)
    }

    /// An update for an unknown trip. Each call is a stop with its scheduled and expected time on 10 June 2026.
    private func update(
        _ calls: [(stop: Int, scheduledTimes: String, expected: String?)], trip: TripID? = "X1",
        date: String? = "2026-06-10",
        route: RouteID? = nil, id: EntityID = "x", measured: Instant? = nil
    ) -> RealtimeEntity {
        .tripUpdate(
            TripUpdate(
                id: id,
                trip: TripDescriptor(
                    tripID: trip, routeID: route, startDate: date.flatMap { ServiceDate(iso8601: $0) }),
                updates: calls.map { call in
                    StopTimeUpdate(
                        stopID: StopID("s\(call.stop)"),
                        departure: StopTimeEvent(
                            time: call.expected.map { moment($0) }, scheduledTime: moment(call.scheduledTimes)))
                }, timestamp: measured))
    }

    private func moment(_ time: String) -> Instant { instant("2026-06-10T\(time):00+02:00") }

    private func causes(_ entities: [RealtimeEntity]) throws -> [UnmatchedTrip: Int] {
        try scene.dataset(entities).statistics.unmatchedTrips
    }

    @Test("The delay of a renumbered trip is propagated to its last call")
    func delayOfRenumberedTripIsPropagated() throws {
        let realtime = try scene.realtime([update([(2, "06:20", "06:25")])])
        #expect(try scene.delays(realtime, trip: 0) == [nil, 300, 300])
        let call = try #require(scene.departures(2, realtime).first)
        #expect(scene.line(call).hasPrefix("06:20>06:25 scheduled live"))
        #expect(realtime.explain(call, now: scene.now).facts.contains(.matched(.scheduledTimes)))
    }

    @Test("Scheduled times match within two minutes", arguments: [-121, -120, 0, 120, 121])
    func scheduledTimesMatchWithinTwoMinutes(seconds: Int) throws {
        let scheduledTimes = moment("06:20").advanced(by: seconds)
        let entity = RealtimeEntity.tripUpdate(
            TripUpdate(
                id: "x", trip: TripDescriptor(tripID: "X1"),
                updates: [
                    StopTimeUpdate(
                        stopID: "s2", departure: StopTimeEvent(time: moment("06:25"), scheduledTime: scheduledTimes))
                ]))
        let dataset = try scene.dataset([entity])
        #expect(dataset.trips.count == (abs(seconds) <= 120 ? 1 : 0))
        // The expected time is shown, whatever the scheduled time in the message.
        if abs(seconds) <= 120 { #expect(try scene.delays(scene.realtime([entity]), trip: 0) == [nil, 300, 300]) }
    }

    @Test("All scheduled calls must match")
    func allScheduledCallsMustMatch() throws {
        #expect(
            try scene.dataset([update([(1, "06:10", nil), (2, "06:20", "06:21"), (3, "06:35", nil)])]).trips.count == 1)
        #expect(
            try causes([update([(1, "06:10", nil), (2, "06:20", "06:21"), (3, "06:45", nil)])]) == [.unknownTrip: 1])
        // An unknown stop does not prevent a match.
        #expect(try scene.dataset([update([(2, "06:20", "06:21"), (900, "06:22", nil)])]).trips.count == 1)
    }

    @Test("Several matching trips are ambiguous unless the route distinguishes them")
    func severalMatchingTripsAreAmbiguous() throws {
        // At stop 3: 06:35 on route 0, 06:40 on route 1, and another trip on route 1 at 06:36.
        var scene = scene
        scene.timetable.add([(4, 0), (3, 960)], starts: ["6:20"], route: 1)
        let entity = update([(3, "06:36", "06:38")])
        #expect(try scene.dataset([entity]).statistics.unmatchedTrips == [.ambiguous: 1])
        let stated = try scene.dataset([update([(3, "06:36", "06:38")], route: "r1")])
        #expect(stated.trips.map(\.key.trip.position) == [4])
        // An unknown route does not distinguish the trips.
        #expect(
            try scene.dataset([update([(3, "06:36", "06:38")], route: "Local")]).statistics.unmatchedTrips
                == [.ambiguous: 1])
    }

    @Test("The stated service date is used, and without one, a night trip belongs to the previous date")
    func statedServiceDateIsUsed() throws {
        let night = [(stop: 2, scheduledTimes: "00:20", expected: Optional("00:25"))]
        #expect(try causes([update(night)]) == [.unknownTrip: 1])
        let stated = try scene.dataset([update(night, date: "2026-06-09")])
        #expect(stated.trips.map(\.key.serviceDate.description) == ["2026-06-09"])
        #expect(stated.trips.map(\.key.trip.position) == [2])
        let guessed = try scene.dataset([update(night, date: nil)])
        #expect(guessed.trips.map(\.key) == stated.trips.map(\.key))
    }

    @Test("A trip identifier that runs on other days is treated as unknown")
    func tripOfOtherDaysIsMatchedBySchedule() throws {
        var scene = scene
        scene.timetable.services.append(
            Service(
                id: "sundays", weekdays: 0b100_0000, start: ServiceDate(daysSince1970: 0),
                end: ServiceDate(daysSince1970: 40_000)))
        scene.timetable.add([(1, 0), (2, 600), (3, 1500)], starts: ["6:10"], service: 1)
        let dataset = try scene.dataset([update([(2, "06:20", "06:25")], trip: "t4")])
        #expect(dataset.trips.map(\.key.trip.position) == [0])
        #expect(dataset.trips.map(\.match) == [.scheduledTimes])
        #expect(
            try scene.dataset([update([(2, "09:20", "09:25")], trip: "t4")]).statistics.unmatchedTrips == [
                .notRunning: 1
            ])
    }

    @Test("A match by identifier wins over a match by scheduled times", arguments: [false, true])
    func identifierWinsOverScheduledTimes(isLast: Bool) throws {
        let named = update([(2, "06:20", "06:21")], trip: "t0", id: "named", measured: scene.now.advanced(by: -60))
        let scheduledTimes = update([(2, "06:20", "06:29")], id: "aimed", measured: scene.now)
        let realtime = try scene.realtime(isLast ? [scheduledTimes, named] : [named, scheduledTimes])
        #expect(try scene.delays(realtime, trip: 0) == [nil, 60, 60])
        #expect(realtime.tripUpdates?.statistics.repeatedTrips == 1)
    }

    @Test("An update without scheduled times is not matched")
    func updateWithoutScheduledTimesIsUnmatched() throws {
        #expect(try causes([.update(77, [.at(stop: "s2", "2026-06-10T06:20:00+02:00")])]) == [.unknownTrip: 1])
        let far = StopTimeEvent(scheduledTime: Instant(secondsSince1970: .max))
        let hostile = RealtimeEntity.tripUpdate(
            TripUpdate(
                id: "x", trip: TripDescriptor(tripID: "X"), updates: [StopTimeUpdate(stopID: "s2", departure: far)]))
        #expect(try causes([hostile]) == [.unknownTrip: 1])
    }

    @Test("The vehicle position with the same identifier is matched to the same trip")
    func vehicleIsMatchedUnderSameIdentifier() throws {
        let position = RealtimeEntity.vehicle(
            VehiclePosition(
                id: "x", trip: TripDescriptor(tripID: "X1", startDate: ServiceDate(iso8601: "2026-06-10")),
                stopID: "s2",
                status: .incomingAt))
        let dataset = try scene.dataset([update([(2, "06:20", "06:25")]), position])
        #expect(dataset.vehicles.first?.tripInstance == dataset.trips.first?.key)
        #expect(dataset.statistics.unmatchedTrips.isEmpty)
    }
}
