import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct RealtimeDatasetViewTests {
    /// A board with departures in every possible state of realtime data.
    private func departures() throws -> [Departure] {
        var realtime = try Sample.departure(Sample.bus, "08:12", delay: 130, source: .live)
        (realtime.confidence, realtime.realtimeState, realtime.age) = (.high, .fresh, 23)
        realtime.vehicle = DepartureVehicle(
            id: "v1", label: "4711", status: .inTransit, stopsAway: 2, occupancy: .manySeats, age: 23)
        realtime.alerts = ["a1"]
        var moved = try Sample.departure(Sample.tram, "08:14", delay: 0, source: .live)
        (moved.confidence, moved.realtimeState, moved.age, moved.uncertainty) = (.medium, .aging, 150, 90)
        moved.scheduledStop = moved.stop
        moved.stop.platform = "3"
        var estimated = try Sample.departure(Sample.tram, "08:20", delay: -70, source: .estimated)
        (estimated.confidence, estimated.realtimeState, estimated.age) = (.low, .fresh, 40)
        estimated.vehicle = DepartureVehicle(status: .approaching, stopsAway: 0)
        var canceled = try Sample.departure(Sample.bus, "08:22", status: .canceled, source: .live)
        (canceled.confidence, canceled.realtimeState) = (.high, .fresh)
        let skipped = try Sample.departure(Sample.bus, "08:24", status: .skipped, source: .live)
        var added = try Sample.departure(Sample.train, "08:30", delay: 0, status: .added, source: .live)
        added.scheduled = nil
        added.delay = nil
        var missing = try Sample.departure(Sample.bus, "08:32")
        missing.realtimeState = .missing
        var expired = try Sample.departure(Sample.bus, "08:40")
        (expired.realtimeState, expired.confidence) = (.expired, .low)
        var lastReport = try Sample.departure(Sample.bus, "08:44")
        (lastReport.status, lastReport.source, lastReport.realtimeState) = (.canceled, .live, .expired)
        (lastReport.confidence, lastReport.age) = (.low, 720)
        let replaced = try Sample.departure(Sample.bus, "08:45", delay: 0, status: .replaced, source: .live)
        return [realtime, moved, estimated, canceled, skipped, added, missing, expired, lastReport, replaced]
    }

    @Test func boardWithRealtimeData() throws {
        let board = DeparturesResult(at: try Sample.time("08:05"), stop: Sample.stop, departures: try departures())
        try expectSnapshot(paint(.departures, board, width: 140), "departures-live")
        try expectThemes(.departures, board, "departures-live")
        try expectSnapshot(paint(.departures, board, width: 140, color: true), "departures-live-color")
        try expectSnapshot(PlainRows.text(View.departures.rows(board)), "departures-live-plain")
    }

    /// A board with information from the agency's other feed.
    @Test func boardOfTwoFeeds() throws {
        func confirmed(
            _ clock: String, _ otherTime: String?, _ source: DepartureSource = .live,
            status: DepartureStatus = .scheduled,
            agrees: Bool = false, isUsed: Bool = false
        ) throws -> Departure {
            var departure = try Sample.departure(Sample.bus, clock, delay: 120, source: source)
            departure.confirmedBy = ConfirmingDeparture(
                feed: "town", departure: "town:x@2026-03-27/1", expected: try otherTime.map { try Sample.time($0) },
                source: .estimated, status: status, difference: 0, agrees: agrees, isUsed: isUsed)
            return departure
        }
        let board = DeparturesResult(
            at: try Sample.time("08:05"), stop: Sample.stop,
            departures: [
                try confirmed("08:12", "08:13", agrees: true), try confirmed("08:22", "08:30"),
                try confirmed("08:32", "08:34", .estimated, isUsed: true),
                try confirmed("08:42", nil, status: .canceled), try confirmed("08:52", nil),
            ])
        try expectSnapshot(paint(.departures, board, width: 140), "departures-two-feeds")
        try expectThemes(.departures, board, "departures-two-feeds")
    }

    @Test func commuteWithRealtimeData() throws {
        var departures = try departures()
        departures[0].arrival = Arrival(
            stop: CallStop(id: "9", name: "Harbor Square"), scheduled: try Sample.time("08:31"),
            expected: try Sample.time("08:33"), delay: 120, dropOff: .regular)
        departures[1].arrival = Arrival(
            stop: CallStop(id: "9", name: "Harbor Square"), scheduled: try Sample.time("08:31"), status: .skipped,
            dropOff: .regular)
        let next = NextResult(
            at: try Sample.time("08:05"), commute: Sample.commute, departures: Array(departures.prefix(4)))
        try expectSnapshot(paint(.next, next, width: 100), "next-live")
    }

    /// Every state is distinguishable without color.
    @Test func everyStateHasDistinctWords() throws {
        let now = try Sample.time("08:05")
        let lines = try departures().map { $0.line(from: now).text }
        #expect(Set(lines.map { $0.drop { $0 != "(" } }).count == lines.count)
        for (line, word) in zip(
            lines,
            [
                "(live)", "2 minutes old", "(estimated, low confidence)", "canceled", "does not stop", "extra service",
                "not in realtime data", "realtime data too old", "live, last report 12 minutes old", "changed",
            ])
        { #expect(line.contains(word), "\(line)") }
    }

    @Test(arguments: [(59, nil), (60, "+1 min late"), (-90, "-1 min early"), (4000, "+1 h 6 min late"), (0, nil)])
    func delayIsShownInMinutes(_ delay: Int, _ words: String?) {
        #expect(DelayText.of(delay) == words)
    }

    @Test func vehiclePositions() throws {
        let result = VehiclesResult(
            at: try Sample.time("08:05"),
            vehicles: [
                VehicleSummary(
                    feed: "demo", id: "v1", label: "4711", trip: "T1", isMatched: true, route: Sample.bus,
                    headsign: "Airport", position: Position(lat: 37.39, lon: -122.07), status: .approaching,
                    stop: CallStop(id: "1", name: "Mill Lane"), stopsAway: 2, occupancy: .fewSeats, delay: 130,
                    timestamp: try Sample.time("08:04"), age: 23),
                VehicleSummary(
                    feed: "demo", id: "v2", trip: "X", isMatched: false, position: Position(lat: 37.4, lon: -122.1),
                    age: 180),
            ])
        try expectSnapshot(paint(.vehicles, result, width: 110), "vehicles")
        try expectThemes(.vehicles, result, "vehicles")
        try expectSnapshot(PlainRows.text(View.vehicles.rows(result)), "vehicles-plain")
    }

    @Test func serviceAlerts() throws {
        let result = AlertsResult(
            at: try Sample.time("08:05"),
            alerts: [
                AlertSummary(
                    feed: "demo", id: "a1", severity: .severe, cause: .construction, effect: .detour,
                    header: "Mill Lane is closed", description: "Board at Main Street.",
                    url: "https://example.org/a1", isActive: true,
                    activePeriods: [AlertPeriod(start: try Sample.time("06:00"), end: try Sample.time("18:00"))],
                    informedEntities: [
                        AlertSubject(route: "R24", routeName: "Bus 24"), AlertSubject(stop: "1", stopName: "Mill Lane"),
                    ], age: 40),
                AlertSummary(
                    feed: "demo", id: "a2", severity: .unknown, cause: .unknown, effect: .unknown,
                    header: "No trams on Sunday", isActive: false,
                    activePeriods: [AlertPeriod(start: try Sample.time("00:00", days: 1), end: nil)],
                    informedEntities: []),
            ])
        try expectSnapshot(paint(.alerts, result), "alerts")
        try expectThemes(.alerts, result, "alerts")
        try expectSnapshot(PlainRows.text(View.alerts.rows(result)), "alerts-plain")
    }

    @Test func emptyAlertsDistinguishNoneFromUnknown() throws {
        let none = AlertsResult(at: try Sample.time("08:05"), alerts: [])
        #expect(paint(.alerts, none).hasPrefix("No alerts.\n"))
        var unknown = none
        unknown.notices = [Notice(kind: .missing, feed: "demo", message: "It has no realtime data.")]
        #expect(paint(.alerts, unknown).hasPrefix("No alerts known.\n"))
    }

    @Test func elevatorIsShownWithStation() throws {
        let alert = AlertSummary(
            feed: "caltrain", id: "a", severity: .warning, cause: .technicalProblem, effect: .unknown,
            header: "Elevator out of service", isActive: true, activePeriods: [],
            informedEntities: [
                AlertSubject(stop: "9021", stopName: "Hills Northbound", stopKind: .platform, stationName: "Hills"),
                AlertSubject(stop: "HIL-03-NB", stopName: "Elevator 3", stopKind: .node, stationName: "Hills"),
                AlertSubject(stop: "HIL-04", stopName: "Hills Elevator 4", stopKind: .node, stationName: "Hills"),
                AlertSubject(stop: "SJD-01-STB"),
            ])
        let text = paint(.alerts, AlertsResult(at: try Sample.time("08:05"), alerts: [alert]), width: 140)
        #expect(text.hasPrefix("1 alert.\n\nwarning: Elevator out of service\n"))
        #expect(text.contains("Elevator 3 (Hills), Hills Elevator 4, Hills Northbound, SJD-01-STB"))
    }
}
