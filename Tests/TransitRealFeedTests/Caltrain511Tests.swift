import Foundation
import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Boards of 511.org over timetables of Caltrain: which train each visit means, by its number and by its plan alone.
@Suite(.enabled(if: SharedData.isThere, "the recorded feeds are not here")) struct Caltrain511Tests {
    let zone: ServiceZone

    init() throws { zone = try systemZone("America/Los_Angeles") }

    private func draft(_ name: String) throws -> TimetableDraft {
        try GTFSReader(
            FileByteSource(path: SharedData.path("gtfs", name)),
            options: GTFSReader.Options(today: try #require(ServiceDate(iso8601: "2018-12-10"))) { _ in true }
        ).read().draft
    }

    private func board(_ name: String) throws -> any RealtimeMessage {
        try SIRI511().message(
            Recorded511Tests.body(name), of: .tripUpdates, received: Instant(secondsSince1970: 0))
    }

    private func updates(_ message: any RealtimeMessage) -> [TripUpdate] {
        var updates: [TripUpdate] = []
        _ = message.read { if case .tripUpdate(let update) = $0 { updates.append(update) } }
        return updates
    }

    private func dataset(_ updates: [TripUpdate], at time: Instant, _ timetable: DraftTimetable) throws
        -> RealtimeDataset
    {
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(timestamp: time), received: time, matcher: TripMatcher(timetable))
        for update in updates { try builder.take(.tripUpdate(update)) }
        return try builder.finish()
    }

    /// The same as if the trains had other numbers.
    private func renumbered(_ updates: [TripUpdate]) -> [TripUpdate] {
        updates.map { update in
            var update = update
            update.trip.tripID = update.trip.tripID.map { TripID("renumbered \($0)") }
            return update
        }
    }

    /// The notes about the upstreams: 9 of 9 trips, 115 of 115 stops, 115 of 115 aimed departures are those of the timetable.
    @Test(
        .enabled(
            if: SharedData.files("511", withExtension: ".json").contains("nchua/stopmonitoring_all.json")
                && SharedData.zips("gtfs").contains("caltrain/2026-01-caltrain-lite.zip"),
            "SKIPPED: the board and the timetable of 2026 are not there"))
    func theBoardOf2026IsTheTimetable() throws {
        let timetable = DraftTimetable(try draft("caltrain/2026-01-caltrain-lite.zip"), zone: zone)
        let message = try board("nchua/stopmonitoring_all.json")
        let updates = updates(message)
        let now = try #require(message.header.timestamp)
        for told in [updates, renumbered(updates)] {
            let dataset = try dataset(told, at: now, timetable)
            #expect(dataset.statistics.matchedTrips == updates.count)
            #expect(dataset.statistics.unmatchedStops == 0 && dataset.statistics.ambiguousStops == 0)
        }
        let aims = try aims(of: updates, timetable)
        #expect(aims.count == 115 && aims.allSatisfy { $0 == 0 })
    }

    /// How far each planned departure lies from the timetable's, in seconds, by the number of the train.
    private func aims(of updates: [TripUpdate], _ timetable: DraftTimetable) throws -> [Int] {
        var distances: [Int] = []
        for update in updates {
            let trip = try #require(update.trip.tripID)
            let place = try #require(timetable.places(ofTrips: [trip])[0])
            let date = try #require(update.trip.startDate)
            let timingGroup = place.pattern.timingGroups[place.timingGroup]
            for call in update.updates {
                let stop = try #require(call.stopID.flatMap { timetable.stop(id: $0) })
                let position = try #require(place.pattern.calls.firstIndex { $0.stop == stop })
                let time = timingGroup.starts[place.position] + timingGroup.times[position].departure
                let planned = zone.instant(of: ServiceTime(seconds: time), on: date)
                distances.append(planned.seconds(to: try #require(call.departure?.scheduledTime)))
            }
        }
        return distances
    }

    /// The timetable of a year before has the same numbers, and plans that differ by up to five minutes.
    @Test(
        "Trains of December 2019 in the timetable of 2018",
        arguments: ["parseDelayData1", "parseDelayData2", "parseHillsdaleNorth", "parseHillsdaleSouth"])
    func anOlderTimetable(name: String) throws {
        var draft = try draft("caltrain/vintage-2018-12-10.zip")
        // It ended in October 2019.
        for number in draft.services.indices where draft.services[number].weekdays != 0 {
            draft.services[number].end = try #require(ServiceDate(iso8601: "2020-12-31"))
        }
        let timetable = DraftTimetable(draft, zone: zone)
        let message = try board("go-caltrain/\(name).json")
        let updates = updates(message)
        let now = try #require(message.header.timestamp)

        let named = try dataset(updates, at: now, timetable)
        #expect(named.statistics.matchedTrips == updates.count, "\(named.statistics)")
        #expect(named.statistics.unmatchedStops == 0)
        #expect(named.runs.allSatisfy { $0.match == .tripAndDate })

        // By the plan alone fewer are found, and never another train.
        let scheduledTimes = try dataset(renumbered(updates), at: now, timetable)
        #expect(scheduledTimes.statistics.matchedTrips > 0)
        #expect(scheduledTimes.runs.allSatisfy { $0.match == .scheduledTimes })
        #expect(Set(scheduledTimes.runs.map(\.key)).isSubset(of: Set(named.runs.map(\.key))))
        print("\(name): \(named.runs.count) trains by number, \(scheduledTimes.runs.count) of them also by their plan")
    }

    /// Every train of a day, as the board tells of it at each hour, under another number.
    @Test(
        "A whole day of renumbered trains",
        arguments: [
            ("caltrain/2018-transitland-lib.zip", "2018-06-06"), ("caltrain/2018-transitland-lib.zip", "2018-06-09"),
            ("caltrain/vintage-2017-07-23-ranmocy.zip", "2017-08-02"),
        ])
    func aWholeDay(name: String, day: String) throws {
        let timetable = DraftTimetable(try draft(name), zone: zone)
        let date = try #require(ServiceDate(iso8601: day))
        var counts = (told: 0, found: 0, ambiguous: 0)
        for hour in 4..<26 {
            let now = zone.instant(of: ServiceTime(seconds: Int32(hour) * 3600), on: date)
            let told = board(of: timetable, on: date, at: now)
            let dataset = try dataset(told.map(\.update), at: now, timetable)
            counts.told += told.count
            counts.found += dataset.runs.count
            counts.ambiguous += dataset.statistics.unmatchedTrips[.ambiguous] ?? 0
            for run in dataset.runs {
                let original = try #require(told.first { $0.update.id == dataset.entity(of: run) })
                #expect(run.key.trip == original.trip && run.key.serviceDate == date)
            }
            #expect(dataset.statistics.unmatchedTrips[.unknownTrip] == nil)
        }
        print("\(name) on \(day): \(counts)")
        #expect(counts.told > 100)
        #expect(counts.found + counts.ambiguous == counts.told)
        // Where two trains leave a terminal within two minutes, one call alone does not tell which is meant.
        #expect(counts.ambiguous * 20 <= counts.told)
    }

    /// What a board tells at a moment: departures within 90 minutes, but for the last stop, without a route.
    private func board(
        of timetable: DraftTimetable, on date: ServiceDate, at now: Instant
    ) -> [(trip: TripIndex, update: TripUpdate)] {
        var told: [(TripIndex, TripUpdate)] = []
        for pattern in timetable.patterns {
            for timingGroup in pattern.timingGroups {
                for (position, start) in timingGroup.starts.enumerated()
                where timetable.context.services[timingGroup.services[position].position].runs(on: date) {
                    let begins = zone.instant(of: ServiceTime(seconds: start), on: date)
                    let calls = pattern.calls.indices.dropLast().compactMap { call -> StopTimeUpdate? in
                        let time = begins.advanced(by: Int(timingGroup.times[call].departure))
                        guard (0...5400).contains(now.seconds(to: time)) else { return nil }
                        return StopTimeUpdate(
                            stopID: timetable.stop(pattern.calls[call].stop).id,
                            departure: StopTimeEvent(time: time.advanced(by: 180), scheduledTime: time))
                    }
                    if calls.isEmpty { continue }
                    let trip = timingGroup.trip(position)
                    let update = TripUpdate(
                        id: EntityID("\(trip.rawValue)"),
                        trip: TripDescriptor(tripID: TripID("renumbered \(trip.rawValue)"), startDate: date),
                        updates: Array(calls))
                    told.append((trip, update))
                }
            }
        }
        return told
    }
}
