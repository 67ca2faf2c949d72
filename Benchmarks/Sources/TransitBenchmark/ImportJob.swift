import TransitFeeds
import TransitModel
import TransitStore

/// Runs in the child process: imports an archive to a timetable file on disk, and prints the number of stop times.
enum ImportJob {
    static func run(feed: String, store: String) throws(BenchmarkError) {
        do {
            let zones = TimeZoneDatabase()
            let today = ServiceDate(iso8601: "2026-06-17") ?? ServiceDate(daysSince1970: 20_621)
            let options = GTFSReader.Options(today: today) { zones.zone(named: $0) != nil }
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
