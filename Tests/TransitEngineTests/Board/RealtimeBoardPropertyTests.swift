import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// A board with realtime data must equal ``ReferenceRealtimeBoard``, for random timetables and random messages.
struct RealtimeBoardPropertyTests {
    /// Returns the patterns without frequencies. Their instances are distinguished by start times, which other tests
    /// cover.
    func patterns(_ timetable: RandomTimetable) -> [Pattern] {
        timetable.patterns.map { pattern in
            let timingGroups = pattern.timingGroups.map { timingGroup in
                TimingGroup(
                    times: timingGroup.times, firstTrip: timingGroup.firstTrip, starts: timingGroup.starts,
                    services: timingGroup.services)
            }
            return Pattern(
                index: pattern.index, route: pattern.route, direction: pattern.direction, calls: Array(pattern.calls),
                timingGroups: timingGroups)
        }
    }

    func reported(calls: Int, _ generator: inout SeededGenerator) -> ReferenceRealtimeBoard.ReportedTrip {
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
        if chance(15) { return ReferenceRealtimeBoard.ReportedTrip(relationship: chance(50) ? .canceled : .deleted) }
        var reported = ReferenceRealtimeBoard.ReportedTrip(relationship: .scheduled)
        for call in 0..<calls where chance(40) {
            if chance(25) {
                reported.skipped.insert(call)
            } else {
                reported.delays[call] = .some(chance(15) ? nil : Int.random(in: -20...120, using: &generator) * 30)
            }
        }
        return reported
    }

    func entity(_ instance: ReferenceBoard.Run, _ reported: ReferenceRealtimeBoard.ReportedTrip, number: Int)
        -> RealtimeEntity
    {
        let updates = reported.delays.map { position, delay in
            delay.map { StopTimeUpdate.late(UInt32(position), Int32($0)) }
                ?? StopTimeUpdate.said(UInt32(position), .noData)
        }
        let skipped = reported.skipped.map { StopTimeUpdate.said(UInt32($0), .skipped) }
        return .tripUpdate(
            TripUpdate(
                id: EntityID("e\(number)"),
                trip: TripDescriptor(
                    tripID: TripID("t\(instance.trip.rawValue)"), startDate: instance.calls[0].date,
                    relationship: reported.relationship), updates: updates + skipped))
    }

    @Test("The board with realtime data equals the reference", arguments: BoardPropertyTests.days)
    func boardEqualsReference(zone name: String, day text: String) throws {
        let zone = try systemZone(name)
        let day = try #require(ServiceDate(iso8601: text))
        var (listed, realtime) = (0, 0)
        for seed in UInt64(5000)..<5020 {
            var generator = SeededGenerator(seed: seed &+ 9)
            var timetable = RandomTimetable(seed: seed, around: day)
            let patterns = patterns(timetable)
            let context = TimetableCalendar(
                services: timetable.services, zone: zone, latestStopTime: timetable.latestStopTime)
            let plain = ReferenceBoard(
                patterns: patterns, services: timetable.services,
                dates: (day.daysSince1970 - 16)...(day.daysSince1970 + 5)
            ) { _ in zone }
            let at = zone.serviceDayStart(day).advanced(by: Int.random(in: -48...96, using: &generator) * 900)
            var reportedTrips: [ReferenceRealtimeBoard.TripInstanceName: ReferenceRealtimeBoard.ReportedTrip] = [:]
            var entities: [RealtimeEntity] = []
            for (number, instance) in plain.runs.enumerated() where Int.random(in: 0..<3, using: &generator) > 0 {
                guard abs(at.seconds(to: instance.calls[0].departure)) < 2 * 86_400 else { continue }
                let reported = reported(calls: instance.calls.count, &generator)
                reportedTrips[.init(trip: instance.trip, date: instance.calls[0].date)] = reported
                entities.append(entity(instance, reported, number: number))
            }
            var builder = RealtimeDatasetBuilder(
                header: RealtimeHeader(version: "2.0", timestamp: at), received: at,
                matcher: TripMatcher(InMemoryTimetable(patterns: patterns, context: context)))
            for entity in entities.shuffled(using: &generator) { try builder.apply(entity) }
            let dataset = try builder.finish()
            #expect(dataset.statistics.matchedTrips == entities.count, "seed \(seed)")
            let stops = timetable.stops(2)
            let visits = patterns.flatMap { pattern in
                pattern.calls.indices.filter { stops.contains(pattern.calls[$0].stop) }.map {
                    PatternCallPosition(pattern: pattern, position: $0)
                }
            }
            let count = Int.random(in: 1...15, using: &generator)
            // Compared immediately, and after the source has been silent for a while.
            for silence in [0, Int.random(in: 301...7200, using: &generator)] {
                let now = at.advanced(by: silence)
                let found = DepartureBoard.departures(
                    visits: visits, stops: stops, context: context, realtime: RealtimeDatasets(tripUpdates: dataset),
                    now: now, at: now, count: count, horizonDays: 2)
                let end = zone.instant(date: zone.civil(at: now).date.advanced(by: 3), secondsOfDay: 0)
                let overlay = ReferenceRealtimeBoard(plain: plain, reportedTrips: reportedTrips, isSilent: silence > 0)
                let expected = overlay.departures(stops: stops, from: now, before: end)
                #expect(
                    found.compactMap(line) == Array(expected.prefix(count)), "seed \(seed), silent for \(silence) s")
                listed += found.count
                realtime += found.filter { $0.source == .live }.count
            }
        }
        #expect(listed > 40 && realtime > 10)
    }

    func line(_ call: ExpectedCall) -> String? {
        guard let scheduled = call.scheduledCall else { return nil }
        let word: String =
            switch call.status {
            case .canceled: "canceled"
            case .skipped: "skipped"
            default: "runs"
            }
        return "\(scheduled.line) \(call.expectedDeparture?.rfc3339() ?? "-") \(word)"
    }
}
