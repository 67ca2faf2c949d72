import Foundation
import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@testable import TransitEngine

/// The share of the departures in the next two hours that a board says should be in the realtime data but are not.
///
/// These sources work: nearly all such departures are not reported yet. Earlier releases called a departure missing if any
/// later one of its route and direction was reported. That share is computed as well, because a rule with the same fault
/// exceeds the bound where it is large.
struct MissingShareTests {
    /// Departures in the next two hours.
    struct Share: CustomStringConvertible {
        var departures = 0
        /// The departures that a board calls missing.
        var missing = 0
        /// The departures before a reported one of their route and direction.
        var beforeReported = 0

        var percentage: Double { departures == 0 ? 0 : 100 * Double(missing) / Double(departures) }
        var formerPercentage: Double { departures == 0 ? 0 : 100 * Double(beforeReported) / Double(departures) }

        var description: String {
            func text(_ value: Double) -> String { String(format: "%.1f %%", value) }
            return
                "\(departures) departures, missing \(text(percentage)), before a reported one \(text(formerPercentage))"
        }
    }

    // MARK: Single messages

    /// A message and the timetable to which it belongs.
    struct Recording: CustomTestStringConvertible {
        var message: String
        var archive: String
        var date: String
        /// The least percentage of departures before a reported one.
        var former: Double
        var testDescription: String { message }
    }

    static let recordings = [
        Recording(
            message: "gtfsrt/transitland/server-rt/BA.json", archive: "gtfs/bart/2018-05.zip", date: "2018-05-30",
            former: 10),
        Recording(
            message: "gtfsrt/transitland/server-rt/CT.json", archive: "gtfs/caltrain/2018-transitland-lib.zip",
            date: "2018-05-30", former: 0.5),
        Recording(
            message: "gtfsrt/maglev/raba-trip-updates.pb", archive: "gtfs/other/raba-2025.zip", date: "2025-06-12",
            former: 0),
    ]

    /// The habits of a source are not known from one message, so nothing is missing.
    @Test(
        .enabled(if: SharedData.isAvailable, "SKIPPED: the recorded feeds are missing"), arguments: recordings)
    func nothingIsMissingFromSingleMessage(recording: Recording) throws {
        let timetable = try Self.timetable(SharedData.path(".", recording.archive), on: recording.date)
        let path = SharedData.path(".", recording.message)
        let (dataset, now) = try Self.dataset(path, received: nil, timetable, after: nil)
        var tracker = ReportingTracker()
        let policy = FreshnessPolicy(interval: 60)
        let evidence = try tracker.observe(dataset, after: nil, in: timetable, policy: policy)
        let realtime = RealtimeDatasets(tripUpdates: dataset, reporting: evidence, tripUpdatePolicy: policy)
        let share = Self.share(realtime, timetable, at: now)
        print("\(recording.message) at \(now): \(share)")
        #expect(share.departures > 0 && share.missing == 0, "\(share)")
        #expect(share.formerPercentage >= recording.former, "\(share)")
    }

    // MARK: Recorded days

    /// Two days teach the source's habits. Each day after them is judged every hour.
    @Test(
        .enabled(if: RecordedDay.program != nil, "SKIPPED: the recorded days of Caltrain are missing"),
        .timeLimit(.minutes(5)))
    func fewDeparturesOfRecordedDaysAreMissing() throws {
        let timetable = try Self.timetable(RecordedDay.archive, on: "2026-04-07")
        let policy = FreshnessPolicy(interval: 60)
        var tracker = ReportingTracker()
        for (number, day) in ["2026-04-08", "2026-04-09", "2026-04-10", "2026-04-11", "2026-04-12"].enumerated() {
            let folder = try TestFolder()
            try RecordedDay.write(try #require(ServiceDate(iso8601: day)), to: folder.path)
            let epochs = try FileManager.default.contentsOfDirectory(atPath: folder("trip_updates"))
                .compactMap { Int64($0.dropLast(3)) }.sorted()
            var (share, previous, judged) = (Share(), RealtimeDataset?.none, Int64(0))
            for epoch in epochs {
                let received = Instant(secondsSince1970: epoch)
                let (dataset, _) = try Self.dataset(
                    folder("trip_updates/\(epoch).pb"), received: received, timetable, after: previous)
                let evidence = try tracker.observe(dataset, after: previous, in: timetable, policy: policy)
                previous = dataset
                guard number > 1, epoch / 3600 != judged else { continue }
                judged = epoch / 3600
                let realtime = RealtimeDatasets(tripUpdates: dataset, reporting: evidence, tripUpdatePolicy: policy)
                let now = Self.share(realtime, timetable, at: received)
                share.departures += now.departures
                share.missing += now.missing
                share.beforeReported += now.beforeReported
            }
            guard number > 1 else { continue }
            print("Caltrain, \(day): \(share)")
            #expect(share.departures > 1000 && share.percentage < 3, "\(day): \(share)")
        }
    }

    // MARK: Departures

    private static func timetable(_ archive: String, on date: String) throws -> DraftTimetable {
        let today = try #require(ServiceDate(iso8601: date))
        let reading = try GTFSReader(
            FileByteSource(path: archive), options: GTFSReader.Options(today: today) { _ in true }
        ).read()
        return DraftTimetable(reading.draft, zone: try systemZone("America/Los_Angeles"))
    }

    /// Reads a message. It is received when it was made, unless another time is given.
    private static func dataset(
        _ path: String, received: Instant?, _ timetable: DraftTimetable, after previous: RealtimeDataset?
    ) throws -> (dataset: RealtimeDataset, received: Instant) {
        let reader = try RealtimeReader([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
        let received = try #require(received ?? reader.header.timestamp)
        var builder = RealtimeDatasetBuilder(
            header: reader.header, received: received, matcher: TripMatcher(timetable), previous: previous)
        var failure: (any Error)?
        _ = reader.read { entity in
            do { try builder.apply(entity) } catch { failure = error }
        }
        if let failure { throw failure }
        return (try builder.finish(), received)
    }

    private struct RouteServiceDate: Hashable {
        var route: RouteIndex
        var direction: Direction?
        var date: ServiceDate
    }

    private static func share(_ realtime: RealtimeDatasets, _ timetable: DraftTimetable, at now: Instant) -> Share {
        var latest: [RouteServiceDate: Instant] = [:]
        var reported: Set<TripInstanceKey> = []
        for trip in realtime.tripUpdates?.trips ?? [] {
            reported.insert(trip.key)
            guard let pattern = timetable.patterns.first(where: { $0.index == trip.key.pattern }) else { continue }
            let key = RouteServiceDate(
                route: pattern.route, direction: pattern.direction, date: trip.key.serviceDate)
            latest[key] = max(latest[key] ?? trip.startInstant, trip.startInstant)
        }
        let visits = timetable.patterns.flatMap { pattern in
            pattern.calls.indices.map { PatternCallPosition(pattern: pattern, position: $0) }
        }
        let calls = DepartureBoard.departures(
            visits: visits, stops: [], context: timetable.context, realtime: realtime, now: now, at: now,
            before: now.advanced(by: 7200), count: 100_000)
        var share = Share()
        for expected in calls {
            guard let call = expected.scheduledCall else { continue }
            share.departures += 1
            if expected.isMissingFromRealtime { share.missing += 1 }
            let key = RouteServiceDate(
                route: call.pattern.route, direction: call.pattern.direction, date: call.serviceDate)
            let start = call.departure.advanced(by: -Int(call.times.departure))
            if !reported.contains(TripInstanceKey(call)), let end = latest[key], start <= end {
                share.beforeReported += 1
            }
        }
        return share
    }
}
