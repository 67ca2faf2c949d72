import Foundation
import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Plays recorded days of Caltrain and judges which full messages may withdraw trips.
///
/// Every eighth day is played; the environment variable `TRANSIT_ALL_DAYS` plays all of them.
@Suite(.enabled(if: RecordedDay.program != nil, "SKIPPED: the recorded days of Caltrain are missing"))
struct RecordedWithdrawalTests {
    private static let days: [ServiceDate] = {
        let first = ServiceDate(iso8601: "2026-03-05")!
        let step = ProcessInfo.processInfo.environment["TRANSIT_ALL_DAYS"] == nil ? 8 : 1
        return stride(from: 0, to: 118, by: step).map { first.advanced(by: $0) }
    }()

    private struct Result {
        var messages = 0
        /// The messages that were doubted.
        var doubted: [Doubt] = []
        /// The messages before which at least five trips were reported and not over.
        var withTrips = 0
        /// Those of them after which an empty message was not doubted.
        var believed = 0
    }

    /// A recorded message that was doubted.
    private struct Doubt {
        var time: Instant
        /// The trips of the message before it.
        var trips: Set<TripID>
        /// Whether at least half of them were reported again within ten minutes, so that the doubt was right.
        var isRight = false
    }

    private func play(_ date: ServiceDate, _ timetable: DraftTimetable) throws -> Result {
        let folder = try TestFolder()
        try RecordedDay.write(date, to: folder.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder("trip_updates")).sorted()
        let matcher = TripMatcher(timetable)
        var result = Result()
        var last: RealtimeDataset?
        var lastTrips: Set<TripID> = []
        func dataset(_ bytes: [UInt8]?, at time: Instant) throws -> RealtimeDataset {
            var builder = RealtimeDatasetBuilder(
                header: RealtimeHeader(timestamp: time), received: time, matcher: matcher, previous: last)
            if let bytes { _ = try RealtimeReader(bytes).read { (entity) throws in try builder.apply(entity) } }
            return try builder.finish()
        }
        for name in names {
            guard let epoch = Int64(name.dropLast(3)) else { continue }
            let time = Instant(secondsSince1970: epoch)
            if let before = last {
                let open = before.trips.count { before.end(of: $0) >= time }
                let isRetaining = !before.retentions.isEmpty
                if open >= 5, !isRetaining {
                    result.withTrips += 1
                    let empty = try dataset(nil, at: time)
                    if empty.retainedTrips != open { result.believed += 1 }
                }
            }
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder("trip_updates/\(name)"))))
            var trips: Set<TripID> = []
            _ = try RealtimeReader(bytes).read { entity in
                if case .tripUpdate(let update) = entity, let trip = update.trip.tripID { trips.insert(trip) }
            }
            let next = try dataset(bytes, at: time)
            if next.retentions.count > (last?.retentions.count ?? 0) {
                result.doubted.append(Doubt(time: time, trips: lastTrips))
            }
            for number in result.doubted.indices where result.doubted[number].time.seconds(to: time) <= 600 {
                let doubt = result.doubted[number]
                if doubt.trips.intersection(trips).count * 2 >= doubt.trips.count {
                    result.doubted[number].isRight = true
                }
            }
            lastTrips = trips
            result.messages += 1
            last = next
        }
        return result
    }

    @Test func endOfServiceIsNoAlarmAndEmptyMessageAlwaysIs() throws {
        let options = GTFSReader.Options(today: Self.days[0]) { _ in true }
        let draft = try GTFSReader(FileByteSource(path: RecordedDay.archive), options: options).read().draft
        let timetable = DraftTimetable(draft, zone: try systemZone("America/Los_Angeles"))
        var total = Result()
        for day in Self.days {
            let result = try play(day, timetable)
            // A message that lacks trips by mistake is part of some recordings.
            for doubt in result.doubted where !doubt.isRight { Issue.record("\(day) at \(doubt.time)") }
            for doubt in result.doubted {
                print("\(day): doubted at \(doubt.time), \(doubt.isRight ? "rightly" : "wrongly")")
            }
            total.messages += result.messages
            total.doubted += result.doubted
            total.withTrips += result.withTrips
            total.believed += result.believed
        }
        print(
            "\(Self.days.count) days, \(total.messages) messages, \(total.doubted.count) doubted; "
                + "\(total.withTrips - total.believed) of \(total.withTrips) empty messages doubted")
        #expect(total.withTrips > 0)
        #expect(total.believed == 0)
    }
}
