import Foundation
import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Recorded days of Caltrain, from which a seeded part of the trains is removed, so that it is known which trains never
/// appear.
@Suite(.enabled(if: RecordedDay.program != nil, "the recorded days of Caltrain are missing"))
struct ReportingHindsightTests {
    private static let learned = ["2026-04-07", "2026-04-08", "2026-04-09"]
    /// Weekdays, a weekend, and days on which the recording was interrupted.
    private static let judged = ["2026-04-10", "2026-04-11", "2026-04-12", "2026-04-13", "2026-05-26", "2026-06-10"]

    private let zone: ServiceZone
    private let timetable: DraftTimetable

    init() throws {
        zone = try systemZone("America/Los_Angeles")
        let today = try #require(ServiceDate(iso8601: "2026-04-07"))
        let reading = try GTFSReader(
            FileByteSource(path: RecordedDay.archive), options: GTFSReader.Options(today: today) { _ in true }
        ).read()
        timetable = DraftTimetable(reading.draft, zone: zone)
    }

    /// A departure of the timetable.
    private struct Departure {
        var call: ScheduledCall
        var key: TripInstanceKey
        var trip: TripID
    }

    /// A departure as it was judged ten minutes before.
    private struct Judgment {
        var departure: Departure
        var at: Instant
        var isMissing: Bool
    }

    /// Removes every 25th train of a day, a different one each day.
    private static func isRemoved(_ trip: TripID, _ date: ServiceDate) -> Bool {
        let number = trip.rawValue.utf8.reduce(UInt64(date.daysSince1970) &* 131) { $0 &* 31 &+ UInt64($1) }
        return (number &* 0x9E37_79B9_7F4A_7C15) >> 40 % 25 == 0
    }

    @Test(.timeLimit(.minutes(5))) func missingTrainsOfCaltrainStayMissing() throws {
        var tracker = ReportingTracker()
        var hindsight = MissingHindsight()
        for day in Self.learned + Self.judged {
            let date = try #require(ServiceDate(iso8601: day))
            let judgments = try play(date, &tracker)
            guard Self.judged.contains(day) else { continue }
            for judgment in judgments.made {
                hindsight.add(
                    wasCalled: judgment.isMissing, at: judgment.at, departure: judgment.departure.call.departure,
                    reports: judgments.reports[judgment.departure.trip] ?? [])
            }
        }
        print("Caltrain, 60 s messages, ten minutes before departure: \(hindsight)")
        #expect(hindsight.isGood && hindsight.neverReported > 100, "\(hindsight)")
    }

    private func play(
        _ date: ServiceDate, _ tracker: inout ReportingTracker
    ) throws -> (made: [Judgment], reports: [TripID: [Instant]]) {
        let folder = try TestFolder()
        try RecordedDay.write(date, to: folder.path)
        let departures = departures(on: date).sorted { $0.call.departure < $1.call.departure }
        let matcher = TripMatcher(timetable)
        var previous: RealtimeDataset?
        var made: [Judgment] = []
        var reports: [TripID: [Instant]] = [:]
        let epochs = try FileManager.default.contentsOfDirectory(atPath: folder("trip_updates"))
            .compactMap { Int64($0.dropLast(3)) }.sorted()
        for (number, epoch) in epochs.enumerated() {
            let time = Instant(secondsSince1970: epoch)
            let reader = try RealtimeReader(
                [UInt8](Data(contentsOf: URL(fileURLWithPath: folder("trip_updates/\(epoch).pb")))))
            var builder = RealtimeDatasetBuilder(
                header: reader.header, received: time, matcher: matcher, previous: previous)
            var failure: (any Error)?
            _ = reader.read { entity in
                guard case .tripUpdate(let update) = entity, let trip = update.trip.tripID,
                    !Self.isRemoved(trip, update.trip.startDate ?? date)
                else { return }
                if update.trip.startDate == date { reports[trip, default: []].append(time) }
                do { try builder.apply(entity) } catch { failure = error }
            }
            if let failure { throw failure }
            let dataset = try builder.finish()
            let evidence = try tracker.observe(
                dataset, after: previous, in: timetable, policy: FreshnessPolicy(interval: 60))
            previous = dataset
            let realtime = RealtimeDatasets(
                tripUpdates: dataset, reporting: evidence, tripUpdatePolicy: FreshnessPolicy(interval: 60))
            // The source repeats its snapshot until the next one, but at most for five minutes.
            let next = number + 1 < epochs.count ? epochs[number + 1] : epoch + 60
            for minute in 0..<min(5, max(1, Int(next - epoch + 30) / 60)) {
                let now = time.advanced(by: minute * 60)
                for departure in departures
                where (540..<600).contains(now.seconds(to: departure.call.departure) - 1) {
                    let expected = realtime.expected(departure.call, of: departure.key, now: now)
                    made.append(
                        Judgment(
                            departure: departure, at: now, isMissing: expected?.isMissingFromRealtime ?? false))
                }
            }
        }
        return (made, reports)
    }

    /// All departures of a service date, without the last call of each trip.
    private func departures(on date: ServiceDate) -> [Departure] {
        let day = zone.serviceDayStart(date)
        var departures: [Departure] = []
        for pattern in timetable.patterns {
            for (number, group) in pattern.timingGroups.enumerated() {
                for position in group.starts.indices
                where timetable.context.services[group.services[position].position].runs(on: date) {
                    let trip = group.trip(position)
                    let start = day.advanced(by: Int(group.starts[position]))
                    for place in group.times.indices.dropLast() {
                        let call = ScheduledCall(
                            pattern: pattern, timingGroup: number, tripPosition: position, serviceDate: date,
                            position: place, start: start)
                        departures.append(
                            Departure(
                                call: call,
                                key: TripInstanceKey(pattern: pattern.index, trip: trip, serviceDate: date),
                                trip: timetable.tripID(trip)))
                    }
                }
            }
        }
        return departures
    }
}
