import Foundation
import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits

/// Processes every recorded feed from archive to board and compares the boards with the departures in
/// ``ReferenceFeed``.
@Suite(.ownThreads) struct RealFeedBoardTests {
    static let archives = SharedData.zips("gtfs").map { URL(fileURLWithPath: SharedData.path("gtfs", $0)) }
    /// The number of stops that are compared in each feed.
    static let stops = 6

    @Test(
        "Boards agree with an independent reading of the files",
        .enabled(if: SharedData.isAvailable, "the recorded feeds are missing"), arguments: archives)
    func boardsMatchReference(of archive: URL) throws {
        let reading: GTFSReading
        do {
            reading = try GTFSReader(FileByteSource(path: archive.path), options: try Self.options()).read()
        } catch let error as FeedError {
            // Only the listed feeds may be rejected.
            #expect(Self.rejectedFeeds.contains(archive.lastPathComponent), "\(archive.lastPathComponent): \(error)")
            return
        }
        let reference = try ReferenceFeed(path: archive.path, reading: .callingAtStops(count: Self.stops))
        let zone = try #require(reference.zone)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("transitd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("feed.timetable").path
        try TimetableFile.write(
            reading.draft,
            origin: TimetableSummary.Origin(url: "test:", fetched: Instant(secondsSince1970: 0)),
            contentDigest: reading.contentDigest, report: reading.report,
            to: path)
        let file = try TimetableFile(path: path)
        let context = try Self.context(of: file)
        for date in Self.dates(of: file) {
            for stop in reference.sampledStops {
                let expected = reference.departures(at: stop, on: date)
                let found = try Self.departures(
                    at: StopID(stop), on: date, in: zone, file: file, context: context)
                #expect(
                    found == expected,
                    "\(archive.lastPathComponent), stop \(stop), \(date): \(Self.difference(found, expected))")
            }
        }
    }

    /// Recorded feeds that are rejected because they have no usable trips, with the reason.
    static let rejectedFeeds: Set<String> = [
        // No stops, or no content at all.
        "badagency.zip", "empty.zip", "badgtfs.zip",
        // Calendar files only, no calendar files, and no date with service, in this order.
        "vbb-2021-calendars-only.zip", "brown-county-flex.zip", "fake-agency.zip",
        // Times are undefined because there is no agency.txt, or because the time zone is "PST", which is not in the
        // time zone database.
        "tiny-synthetic-a7ay.zip", "ggl_gtfs.zip",
        // On-demand service only.
        "auburn-transit-flex.zip", "ctran-flex.zip", "piercetransit-stop-areas-flex.zip",
    ]

    static func options() throws -> GTFSReader.Options {
        let zones = TimeZoneDatabase()
        let today = try #require(ServiceDate(year: 2026, month: 3, day: 1))
        return GTFSReader.Options(today: today) { zones.zone(named: $0) != nil }
    }

    private static func context(of file: TimetableFile) throws -> TimetableCalendar {
        let zones = TimeZoneDatabase()
        let agencyZones = try file.agencies.map { try #require(zones.zone(named: $0.timezone)) }
        return TimetableCalendar(
            services: file.services, agencyZones: agencyZones, routeAgencies: file.routes.map(\.agency),
            latestStopTime: file.summary.latestStopTime)
    }

    /// The first date, a date in the middle, and the Saturday and Sunday after it.
    private static func dates(of file: TimetableFile) -> [DateComponents] {
        guard let span = file.summary.serviceDates else { return [] }
        let middle = span.lowerBound.advanced(by: span.lowerBound.days(to: span.upperBound) / 2)
        let saturday = middle.advanced(by: (5 - Int(middle.weekday.rawValue) + 7) % 7)
        return [span.lowerBound, middle, saturday, saturday.advanced(by: 1)].map {
            let (year, month, day) = $0.components
            return DateComponents(year: year, month: month, day: day)
        }
    }

    private static func departures(
        at stop: StopID, on date: DateComponents, in zone: TimeZone, file: TimetableFile, context: TimetableCalendar
    ) throws -> [ReferenceFeed.Departure] {
        guard let index = try file.stop(id: stop) else { return [] }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let midnight = Int64(try #require(calendar.date(from: date)).timeIntervalSince1970)
        let calls = DepartureBoard.departures(
            visits: try file.patterns(at: index), context: context, at: Instant(secondsSince1970: midnight),
            count: 100_000,
            horizonDays: 1)
        return try calls.filter { $0.departure.secondsSince1970 < midnight + 86_400 }
            .map {
                ReferenceFeed.Departure(
                    seconds: Int($0.departure.secondsSince1970), trip: try file.trip($0.trip).id.rawValue)
            }
            .sorted()
    }

    private static func difference(_ found: [ReferenceFeed.Departure], _ expected: [ReferenceFeed.Departure]) -> String
    {
        let missing = Set(expected).subtracting(found).sorted().prefix(3)
        let extra = Set(found).subtracting(expected).sorted().prefix(3)
        return "\(found.count) found, \(expected.count) expected; missing \(Array(missing)), extra \(Array(extra))"
    }
}
