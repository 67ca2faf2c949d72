import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

struct DepartureBoardTests {
    let berlin: ServiceZone
    var timetable = SmallTimetable()

    init() throws { berlin = try systemZone("Europe/Berlin") }

    /// The departures at the stops as `MM-DD HH:MM` in Berlin.
    func departures(_ stops: Int..., at: String, count: Int = 3, horizonDays: Int = 7) -> [String] {
        let calls = DepartureBoard.departures(
            visits: stops.flatMap { timetable.visits($0) }, context: timetable.context(berlin), at: instant(at),
            count: count, horizonDays: horizonDays)
        return calls.map { call in
            let text = berlin.rfc3339(call.departure)
            return text.dropFirst(5).prefix(5) + " " + text.dropFirst(11).prefix(5)
        }
    }

    @Test("The next departures continue after midnight")
    mutating func departuresContinueAfterMidnight() {
        timetable.add([(1, 0), (2, 600)], starts: ["06:00", "12:00", "23:30"])
        #expect(departures(1, at: "2026-06-10T12:00:00+02:00") == ["06-10 12:00", "06-10 23:30", "06-11 06:00"])
        #expect(departures(1, at: "2026-06-10T12:00:01+02:00", count: 1) == ["06-10 23:30"])
        #expect(departures(1, at: "2026-06-10T12:00:01+02:00", count: 0) == [])
    }

    @Test("Trips from yesterday and from two days ago are listed after midnight")
    mutating func tripsOfEarlierDatesAreListed() {
        timetable.add([(1, 0), (2, 48 * 3600), (3, 72 * 3600)], starts: ["23:50"])
        timetable.add([(2, 0), (3, 60)], starts: ["24:30"])
        #expect(
            departures(2, at: "2026-06-10T00:10:00+02:00", count: 2) == ["06-10 00:30", "06-10 23:50"])
        timetable.services[0].weekdays = 1  // Mondays. 8 June 2026 is a Monday.
        #expect(departures(2, at: "2026-06-10T00:10:00+02:00", count: 1) == ["06-10 23:50"])
    }

    @Test("On both daylight saving days, a trip leaves at its scheduled time")
    mutating func tripLeavesAtScheduledTimeOnDaylightSavingDays() {
        timetable.add([(1, 0), (2, 600)], starts: ["01:30", "02:30", "03:30", "26:30"])
        #expect(
            departures(1, at: "2026-03-28T23:00:00+01:00", count: 4) == [
                "03-29 00:30", "03-29 01:30", "03-29 03:30", "03-29 03:30",
            ])
        #expect(
            departures(1, at: "2026-10-25T00:00:00+02:00", count: 4) == [
                "10-25 02:30", "10-25 02:30", "10-25 02:30", "10-25 03:30",
            ])
    }

    @Test("If the clock is set forward in the evening, the last trip of yesterday leaves today")
    mutating func lastTripOfYesterdayLeavesTodayAfterClockChange() throws {
        // In Nuuk, clocks are set forward from 22:00 to 23:00 on 28 March 2026.
        let nuuk = try systemZone("America/Nuuk")
        timetable.add([(1, 0), (2, 60)], starts: ["23:30"])
        let calls = DepartureBoard.departures(
            visits: timetable.visits(1), context: timetable.context(nuuk), at: instant("2026-03-29T00:00:00-01:00"),
            count: 1)
        #expect(calls.map { nuuk.rfc3339($0.departure) } == ["2026-03-29T00:30:00-01:00"])
        #expect(calls.map { $0.serviceDate.description } == ["2026-03-28"])
    }

    @Test("Calls without boarding and the last call are not listed")
    mutating func callsWithoutBoardingAreNotListed() {
        timetable.add(
            [(1, 0), (2, 60), (3, 120)], starts: ["08:00"], pickup: [.none, .phone], dropOff: [.regular, .none])
        let at = "2026-06-10T07:00:00+02:00"
        #expect(departures(1, at: at) == [])
        #expect(departures(2, at: at, count: 1) == ["06-10 08:01"])
        #expect(departures(3, at: at) == [])
    }

    @Test("A stop of a loop is listed once for each call")
    mutating func loopStopIsListedForEachCall() {
        timetable.add([(1, 0), (2, 600), (1, 1200), (3, 1800), (1, 2400)], starts: ["08:00"])
        #expect(departures(1, at: "2026-06-10T07:00:00+02:00", count: 2) == ["06-10 08:00", "06-10 08:20"])
    }

    @Test("A trip of frequencies.txt leaves at its headways and not at its own time")
    mutating func frequencyTripLeavesAtItsHeadways() {
        let rows = [
            Frequency(trip: 1, start: seconds("6:00"), end: seconds("6:30"), headway: 600, isExact: true),
            Frequency(trip: 1, start: seconds("6:30"), end: seconds("7:00"), headway: 900, isExact: false),
        ]
        timetable.add([(1, 0), (2, 300), (3, 600)], starts: ["05:00", "05:10"], frequencies: rows)
        #expect(
            departures(2, at: "2026-06-10T05:05:00+02:00", count: 6) == [
                "06-10 05:05", "06-10 06:05", "06-10 06:15", "06-10 06:25", "06-10 06:35", "06-10 06:50",
            ])
        let calls = DepartureBoard.departures(
            visits: timetable.visits(2), context: timetable.context(berlin), at: instant("2026-06-10T06:15:01+02:00"),
            count: 2)
        #expect(calls.map { $0.frequency?.start.description } == ["06:20:00", "06:30:00"])
        #expect(calls.map { $0.frequency?.row.isExact } == [true, false])
        #expect(calls.map { $0.tripPosition } == [1, 1])
    }

    @Test("Departures beyond the horizon are not found")
    mutating func departuresBeyondHorizonAreNotFound() {
        timetable.services[0] = Service(
            id: "once", weekdays: 0, start: ServiceDate(daysSince1970: 0), end: ServiceDate(daysSince1970: 0),
            added: [ServiceDate(daysSince1970: 20_000)])  // 2024-10-04
        timetable.add([(1, 0), (2, 600)], starts: ["08:00", "23:59", "24:00"])
        #expect(departures(1, at: "2024-09-27T23:00:00+02:00", count: 9) == ["10-04 08:00", "10-04 23:59"])
        #expect(departures(1, at: "2024-09-26T23:00:00+02:00") == [])
        #expect(departures(1, at: "2024-10-04T23:30:00+02:00", horizonDays: 0) == ["10-04 23:59"])
        #expect(departures(1, at: "2024-10-04T23:30:00+02:00", horizonDays: 1) == ["10-04 23:59", "10-05 00:00"])
        let context = timetable.context(berlin)
        #expect(
            berlin.rfc3339(context.horizon(at: instant("2024-10-26T12:00:00Z"), days: 0)) == "2024-10-27T00:00:00+02:00"
        )
    }

    @Test("Departures at the same moment are sorted by pattern and trip")
    mutating func simultaneousDeparturesAreSortedByPatternAndTrip() {
        timetable.add([(1, 0), (2, 600)], starts: ["08:00", "08:00"])
        timetable.add([(1, 0), (3, 600)], starts: ["08:00"])
        let visits = Array(timetable.visits(1).reversed())
        let calls = DepartureBoard.departures(
            visits: visits, context: timetable.context(berlin), at: instant("2026-06-10T07:00:00+02:00"), count: 2)
        #expect(calls.map { $0.trip.rawValue } == [0, 1])
        #expect(calls.map { $0.pattern.index.rawValue } == [0, 0])
    }

    @Test("Routes use the time zone of their agency")
    mutating func routesUseTimeZoneOfTheirAgency() throws {
        let athens = try systemZone("Europe/Athens")
        timetable.add([(1, 0), (2, 600)], starts: ["08:00"], route: 0)
        timetable.add([(1, 0), (2, 600)], starts: ["08:30"], route: 1)
        let context = TimetableCalendar(
            services: timetable.services, agencyZones: [berlin, athens, berlin],
            routeAgencies: [AgencyIndex(2), AgencyIndex(1)], latestStopTime: timetable.latestStopTime)
        let calls = DepartureBoard.departures(
            visits: timetable.visits(1), context: context, at: instant("2026-06-10T00:00:00+02:00"), count: 2)
        #expect(calls.map { $0.pattern.route.rawValue } == [1, 0])
        #expect(
            calls.map { context.zone(of: $0.pattern.route).rfc3339($0.departure) } == [
                "2026-06-10T08:30:00+03:00", "2026-06-10T08:00:00+02:00",
            ])
    }
}
