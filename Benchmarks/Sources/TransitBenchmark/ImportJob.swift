import TransitFeeds
import TransitModel
import TransitStore

/// Runs in the child process: imports an archive, or a part of it, to a timetable file on disk, and prints the number of
/// stop times.
enum ImportJob {
    /// The center of the part of a generated feed, in the middle of its street grid.
    private static let center = Coordinate(latitude: 52.466, longitude: 9.533)

    /// - Parameter radius: The radius in meters of the part to keep; `nil` to keep all.
    static func run(feed: String, store: String, radius: Int? = nil) throws(BenchmarkError) {
        do {
            let zones = TimeZoneDatabase()
            let today = ServiceDate(iso8601: "2026-06-17") ?? ServiceDate(daysSince1970: 20_621)
            var options = GTFSReader.Options(today: today) { zones.zone(named: $0) != nil }
            if let radius, let center { options.subset = FeedSubset(places: [.coordinate(center)], radius: radius) }
            let reading = try GTFSReader(try FileByteSource(path: feed), options: options).read()
            let origin = TimetableSummary.Origin(
                url: "file:feed.zip", fetched: Instant(secondsSince1970: 1_781_676_000))
            let summary = try TimetableFile.write(
                reading.draft, origin: origin, contentDigest: reading.contentDigest, report: reading.report, to: store)
            print(summary.counts.stopTimes)
        } catch {
            throw BenchmarkError("\(error)")
        }
    }
}
