import Foundation
import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Matches recorded departure boards from 511.org to Caltrain timetables, by train number and by scheduled times alone.
@Suite(.enabled(if: SharedData.isAvailable, "the recorded feeds are missing")) struct Caltrain511Tests {
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
        for update in updates { try builder.apply(.tripUpdate(update)) }
        return try builder.finish()
    }

    /// Returns the same updates with different train numbers.
    private func renumbered(_ updates: [TripUpdate]) -> [TripUpdate] {
        updates.map { update in
            var update = update
            update.trip.tripID = update.trip.tripID.map { TripID("renumbered \($0)") }
            return update
        }
    }

    /// In this recording, 9 of 9 trips, 115 of 115 stops and 115 of 115 scheduled departures match the timetable.
    @Test(
        .enabled(
            if: SharedData.files("511", withExtension: ".json").contains("nchua/stopmonitoring_all.json")
                && SharedData.zips("gtfs").contains("caltrain/2026-01-caltrain-lite.zip"),
            "SKIPPED: the board or the timetable of 2026 is missing"))
    func boardOf2026MatchesTimetable() throws {
        let timetable = DraftTimetable(try draft("caltrain/2026-01-caltrain-lite.zip"), zone: zone)
        let message = try board("nchua/stopmonitoring_all.json")
        let updates = updates(message)
        let now = try #require(message.header.timestamp)
        for shown in [updates, renumbered(updates)] {
            let dataset = try dataset(shown, at: now, timetable)
            #expect(dataset.statistics.matchedTrips == updates.count)
            #expect(dataset.statistics.unmatchedStops == 0 && dataset.statistics.ambiguousStops == 0)
        }
        let differences = try scheduledDifferences(of: updates, timetable)
        #expect(differences.count == 115 && differences.allSatisfy { $0 == 0 })
    }

    /// Returns the differences, in seconds, between the scheduled departures in the updates and in the timetable.
    /// Trains are matched by number.
    private func scheduledDifferences(of updates: [TripUpdate], _ timetable: DraftTimetable) throws -> [Int] {
        var distances: [Int] = []
        for update in updates {
            let trip = try #require(update.trip.tripID)
            let place = try #require(timetable.patternPositions(ofTrips: [trip])[0])
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

    /// The timetable is a year older than the boards. The train numbers are the same, but the times differ by up to
    /// five minutes.
    @Test(
        "Trains of December 2019 match the timetable of 2018",
        arguments: ["parseDelayData1", "parseDelayData2", "parseHillsdaleNorth", "parseHillsdaleSouth"])
    func boardsMatchOlderTimetable(name: String) throws {
        var draft = try draft("caltrain/vintage-2018-12-10.zip")
        // The timetable ended in October 2019.
        for number in draft.services.indices where draft.services[number].weekdays != 0 {
            draft.services[number].end = try #require(ServiceDate(iso8601: "2020-12-31"))
        }
        let timetable = DraftTimetable(draft, zone: zone)
        let message = try board("go-caltrain/\(name).json")
        let updates = updates(message)
        let now = try #require(message.header.timestamp)

        let byNumber = try dataset(updates, at: now, timetable)
        #expect(byNumber.statistics.matchedTrips == updates.count, "\(byNumber.statistics)")
        #expect(byNumber.statistics.unmatchedStops == 0)
        #expect(byNumber.trips.allSatisfy { $0.match == .tripAndDate })

        // Fewer trains match by scheduled times alone, but no train matches the wrong trip.
        let byTime = try dataset(renumbered(updates), at: now, timetable)
        #expect(byTime.statistics.matchedTrips > 0)
        #expect(byTime.trips.allSatisfy { $0.match == .scheduledTimes })
        #expect(Set(byTime.trips.map(\.key)).isSubset(of: Set(byNumber.trips.map(\.key))))
        print("\(name): \(byNumber.trips.count) trains by number, \(byTime.trips.count) also by schedule")
    }

    /// All trains of a day as they appear on a board at each hour, with different numbers.
    @Test(
        "Renumbered trains of a whole day match by scheduled times",
        arguments: [
            ("caltrain/2018-transitland-lib.zip", "2018-06-06"), ("caltrain/2018-transitland-lib.zip", "2018-06-09"),
            ("caltrain/vintage-2017-07-23-ranmocy.zip", "2017-08-02"),
        ])
    func renumberedTrainsMatchForADay(name: String, day: String) throws {
        let timetable = DraftTimetable(try draft(name), zone: zone)
        let date = try #require(ServiceDate(iso8601: day))
        var counts = (shown: 0, found: 0, ambiguous: 0)
        for hour in 4..<26 {
            let now = zone.instant(of: ServiceTime(seconds: Int32(hour) * 3600), on: date)
            let shown = board(of: timetable, on: date, at: now)
            let dataset = try dataset(shown.map(\.update), at: now, timetable)
            counts.shown += shown.count
            counts.found += dataset.trips.count
            counts.ambiguous += dataset.statistics.unmatchedTrips[.ambiguous] ?? 0
            for run in dataset.trips {
                let original = try #require(shown.first { $0.update.id == dataset.entity(of: run) })
                #expect(run.key.trip == original.trip && run.key.serviceDate == date)
            }
            #expect(dataset.statistics.unmatchedTrips[.unknownTrip] == nil)
        }
        print("\(name) on \(day): \(counts)")
        #expect(counts.shown > 100)
        #expect(counts.found + counts.ambiguous == counts.shown)
        // If two trains leave a terminal within two minutes, a single call is ambiguous.
        #expect(counts.ambiguous * 20 <= counts.shown)
    }

    /// Returns a board at a given time: departures within 90 minutes, without the last stop of each trip and without
    /// route identifiers.
    private func board(
        of timetable: DraftTimetable, on date: ServiceDate, at now: Instant
    ) -> [(trip: TripIndex, update: TripUpdate)] {
        var shown: [(TripIndex, TripUpdate)] = []
        for pattern in timetable.patterns {
            for timingGroup in pattern.timingGroups {
                for (position, start) in timingGroup.starts.enumerated()
                where timetable.context.services[timingGroup.services[position].position].runs(on: date) {
                    let startTime = zone.instant(of: ServiceTime(seconds: start), on: date)
                    let calls = pattern.calls.indices.dropLast().compactMap { call -> StopTimeUpdate? in
                        let time = startTime.advanced(by: Int(timingGroup.times[call].departure))
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
                    shown.append((trip, update))
                }
            }
        }
        return shown
    }
}
