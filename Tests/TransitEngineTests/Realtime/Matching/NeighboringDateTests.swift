import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Tests that predictions for another date are rejected, and that an adjacent date requires evidence.
struct NeighboringDateTests {
    private let berlin: ServiceZone

    init() throws { berlin = try systemZone("Europe/Berlin") }

    /// Trip 0 calls at stops 1, 2 and 3, ten minutes apart, on some weekdays. 10 June 2026 is a Wednesday.
    private func scene(start: String, weekdays: UInt8 = 0b111_1111, now: String = "2026-06-10T06:10:00+02:00")
        -> RealtimeScenario
    {
        var scene = RealtimeScenario(berlin)
        scene.now = instant(now)
        scene.timetable.services[0].weekdays = weekdays
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: [start])
        return scene
    }

    private let thursdays: UInt8 = 0b1000

    // MARK: Without a date

    @Test("Today's times do not match a trip that runs only tomorrow")
    func timesOfTodayDoNotMatchTripOfTomorrow() throws {
        let scene = scene(start: "06:20", weekdays: thursdays)
        let updates: [[StopTimeUpdate]] = [
            [.at(1, "2026-06-10T06:31:00+02:00")],
            [.at(0, "2026-06-10T06:20:00+02:00"), .at(1, "2026-06-10T06:31:00+02:00")],
            [.late(1, 60)], [],
        ]
        for relationship in [TripScheduleRelationship.scheduled, .canceled, .deleted] {
            for updates in updates {
                let realtime = try scene.realtime([.update(0, updates, relationship: relationship)])
                #expect(
                    realtime.tripUpdates?.statistics.unmatchedTrips == [.notRunning: 1], "\(relationship) \(updates)")
                // The trip is not listed today. Tomorrow, all of its calls are listed.
                #expect(scene.board(2, realtime, count: 1) == ["06:30>- scheduled scheduled medium"])
                #expect(
                    scene.board(2, realtime, at: "2026-06-11T06:00:00+02:00", count: 1)
                        == ["06:30>- scheduled scheduled medium"])
            }
        }
    }

    @Test("Tomorrow's times match tomorrow's trip")
    func timesOfTomorrowMatchTripOfTomorrow() throws {
        for weekdays in [thursdays, 0b111_1111] {
            let scene = scene(start: "06:20", weekdays: weekdays)
            let realtime = try scene.realtime([.update(0, [.at(1, "2026-06-11T06:32:00+02:00")])])
            #expect(realtime.tripUpdates?.trips.map(\.key.serviceDate.description) == ["2026-06-11"])
        }
    }

    @Test("A cancellation that stays in the message all day does not apply to tomorrow")
    func cancellationInMessageAllDayStaysToday() throws {
        for now in ["2026-06-10T05:00:00+02:00", "2026-06-10T17:30:00+02:00", "2026-06-10T23:50:00+02:00"] {
            let scene = scene(start: "05:00", now: now)
            let realtime = try scene.realtime([.update(0, relationship: .canceled)])
            #expect(realtime.tripUpdates?.trips.map(\.key.serviceDate.description) == ["2026-06-10"], "\(now)")
        }
    }

    @Test("A cancellation after midnight applies to the trip of the current night")
    func cancellationAfterMidnightCancelsNightTrip() throws {
        let scene = scene(start: "24:35", now: "2026-06-10T00:20:00+02:00")
        let realtime = try scene.realtime([.update(0, relationship: .canceled)])
        #expect(realtime.tripUpdates?.trips.map(\.key.serviceDate.description) == ["2026-06-09"])
    }

    // MARK: With a date

    @Test("The calendar date of a trip after midnight matches the trip of the current night")
    func calendarDateAfterMidnightMatchesNightTrip() throws {
        for weekdays in [UInt8(0b111_1111), 0b10] {
            // An update at 00:20 on June 10 for the trip that starts at 24:35 on the previous service date.
            let scene = scene(start: "24:35", weekdays: weekdays, now: "2026-06-10T00:20:00+02:00")
            let byTimes = try scene.realtime([.update(0, [.at(1, "2026-06-10T00:47:00+02:00")], date: "2026-06-10")])
            #expect(byTimes.tripUpdates?.trips.map(\.key.serviceDate.description) == ["2026-06-09"])
            #expect(byTimes.tripUpdates?.trips.map(\.match) == [.adjacentDate])
            #expect(try scene.delays(byTimes, trip: 0, on: "2026-06-09") == [nil, 120, 120])
            let byStart = try scene.realtime([.update(0, date: "2026-06-10", start: "0:35", relationship: .canceled)])
            #expect(byStart.tripUpdates?.trips.map(\.key.serviceDate.description) == ["2026-06-09"])
            #expect(scene.board(1, byStart, count: 1) == ["00:35>- canceled live high"])
        }
    }

    @Test("A start after 24:00 of a trip that is scheduled in the morning matches the next date")
    func startAfter24HoursMatchesNextDate() throws {
        let scene = scene(start: "0:35", now: "2026-06-10T00:20:00+02:00")
        let realtime = try scene.realtime([.update(0, [.late(0, 60)], date: "2026-06-09", start: "24:35")])
        #expect(realtime.tripUpdates?.trips.map(\.key.serviceDate.description) == ["2026-06-10"])
        // Other differences are not evidence.
        let other = try scene.realtime([.update(0, [.late(0, 60)], date: "2026-06-09", start: "23:35")])
        #expect(other.tripUpdates?.trips.map(\.key.serviceDate.description) == ["2026-06-09"])
    }

    @Test("A delay or a cancellation alone does not select an adjacent date")
    func delayOrCancellationDoesNotChangeDate() throws {
        let scene = scene(start: "24:35", weekdays: 0b10, now: "2026-06-10T00:20:00+02:00")
        let entities: [RealtimeEntity] = [
            .update(0, [.late(0, 60)], date: "2026-06-10"),
            .update(0, date: "2026-06-10", relationship: .canceled),
            .update(0, [.late(0, -86_400)], date: "2026-06-10"),
            .update(0, date: "2026-06-10", delay: 86_400),
            // Times that match no instance of the trip.
            .update(0, [.at(1, "2026-06-10T12:00:00+02:00")], date: "2026-06-10"),
        ]
        for entity in entities {
            let realtime = try scene.realtime([entity])
            #expect(realtime.tripUpdates?.statistics.unmatchedTrips == [.notRunning: 1])
            #expect(scene.board(1, realtime, count: 1) == ["00:35>- scheduled scheduled medium"])
        }
    }

    @Test("A trip that is hours late keeps the stated date", arguments: [0, 90, 600, 1400])
    func veryLateTripKeepsStatedDate(minutes: Int) throws {
        let scene = scene(start: "06:20")
        let time = instant("2026-06-10T06:30:00+02:00").advanced(by: minutes * 60)
        let update = StopTimeUpdate(sequence: 1, departure: StopTimeEvent(time: time))
        let realtime = try scene.realtime([.update(0, [update], date: "2026-06-10")])
        #expect(realtime.tripUpdates?.trips.map(\.key.serviceDate.description) == ["2026-06-10"])
        #expect(try scene.delays(realtime, trip: 0) == [nil, minutes * 60, minutes * 60])
    }

    @Test("A vehicle on the trip of the current night is not on tomorrow's trip")
    func vehicleOnNightTripIsNotOnTomorrowsTrip() throws {
        let scene = scene(start: "24:35", now: "2026-06-10T00:46:00+02:00")
        func runs(date: String?) throws -> [String?] {
            let position = VehiclePosition(
                id: "v",
                trip: TripDescriptor(tripID: "t0", startDate: date.flatMap { ServiceDate(iso8601: $0) }),
                currentSequence: 1, status: .stoppedAt, timestamp: scene.now)
            return try scene.dataset([.vehicle(position)]).vehicles.map { $0.tripInstance?.serviceDate.description }
        }
        #expect(try runs(date: nil) == ["2026-06-09"])
        #expect(try runs(date: "2026-06-10") == ["2026-06-09"])
        #expect(try runs(date: "2026-06-09") == ["2026-06-09"])
        let tomorrow = self.scene(start: "06:20", weekdays: thursdays)
        let early = VehiclePosition(
            id: "v", trip: TripDescriptor(tripID: "t0"), currentSequence: 1, status: .stoppedAt, timestamp: tomorrow.now
        )
        let dataset = try tomorrow.dataset([.vehicle(early)])
        #expect(dataset.vehicles.map(\.tripInstance) == [nil])
        #expect(dataset.statistics.unmatchedTrips == [.notRunning: 1])
    }

    // MARK: Early departures

    @Test("A departure more than an hour before its scheduled time is rejected", arguments: [-3600, -3601, -86_400])
    func implausiblyEarlyDepartureIsRejected(delay: Int32) throws {
        let scene = scene(start: "08:20", weekdays: 0b100)
        let isPlausibleTime = delay >= -3600
        let time = instant("2026-06-10T08:30:00+02:00").advanced(by: Int(delay))
        let events = [StopTimeEvent(delay: delay), StopTimeEvent(time: time)]
        for event in events {
            let update = StopTimeUpdate(sequence: 1, departure: event)
            let realtime = try scene.realtime([.update(0, [update], date: "2026-06-10")])
            #expect(try scene.delays(realtime, trip: 0) == (isPlausibleTime ? [nil, -3600, -3600] : [nil, nil, nil]))
            #expect(realtime.tripUpdates?.statistics.earlyDepartures == (isPlausibleTime ? 0 : 1))
        }
        let whole = try scene.realtime([.update(0, date: "2026-06-10", delay: delay)])
        #expect(
            try scene.delays(whole, trip: 0) == (isPlausibleTime ? [-3600, -3600, -3600] : [nil, nil, nil]))
    }

    @Test("An arrival may be early, and the vehicle then waits for its scheduled departure")
    func earlyVehicleWaitsForScheduledDeparture() throws {
        var scene = RealtimeScenario(berlin)
        scene.timetable.add([(1, 0), (2, 7200), (3, 10_800)], starts: ["05:00"])
        let update = StopTimeUpdate(sequence: 1, arrival: StopTimeEvent(delay: -4000))
        let realtime = try scene.realtime([.update(0, [update], date: "2026-06-10")])
        let dataset = try #require(realtime.tripUpdates)
        let calls = Array(dataset.calls(of: try #require(dataset.trips.first)))
        #expect(calls.map(\.arrival) == [0, 3200, 10_800])
        #expect(calls.map(\.departure) == [0, 7200, 10_800])
        // A vehicle cannot arrive anywhere before it can have left its first stop.
        let impossible = StopTimeUpdate(sequence: 1, arrival: StopTimeEvent(delay: -86_400))
        let other = try scene.realtime([.update(0, [impossible], date: "2026-06-10")])
        #expect(try scene.delays(other, trip: 0) == [nil, nil, nil])
        #expect(other.tripUpdates?.statistics.earlyDepartures == 1)
    }

    @Test("Trips without scheduled times may be early by any amount")
    func tripsWithoutScheduleMayBeEarly() throws {
        var scene = RealtimeScenario(berlin)
        let rows = [Frequency(trip: 0, start: seconds("6:00"), end: seconds("9:00"), headway: 1200, isExact: false)]
        scene.timetable.add([(1, 0), (2, 600), (3, 900)], starts: ["00:00"], frequencies: rows)
        scene.timetable.add([(1, 0), (2, 600), (3, 900)], starts: ["12:00"])
        let early = [StopTimeUpdate.at(1, "2026-06-10T06:31:00+02:00")]
        let frequent = try scene.realtime([.update(0, early, date: "2026-06-10", start: "8:00")])
        #expect(frequent.tripUpdates?.statistics.earlyDepartures == 0)
        #expect(try scene.delays(frequent, trip: 0) == [nil, -5940, -5940])
        let copy = try scene.realtime([
            .update(
                1, early, relationship: .duplicated,
                properties: TripProperties(
                    startDate: ServiceDate(iso8601: "2026-06-10"), startTime: ServiceTime(seconds: seconds("8:00"))))
        ])
        #expect(copy.tripUpdates?.statistics.earlyDepartures == 0)
        #expect(try scene.delays(copy, trip: 1) == [nil, -5940, -5940])
        for relationship in [TripScheduleRelationship.new, .replacement] {
            let realtime = try scene.realtime([
                .update(
                    1,
                    [
                        .at(stop: "s1", "2026-06-10T06:31:00+02:00"), .at(stop: "s3", "2026-06-10T06:41:00+02:00"),
                    ], date: "2026-06-10", relationship: relationship)
            ])
            #expect(realtime.tripUpdates?.extraTrips.first?.calls.count == 2)
            #expect(realtime.tripUpdates?.statistics.earlyDepartures == 0)
        }
    }
}
