import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@testable import TransitStore

/// Real feeds become small files, and what is in them can be asked for.
@Suite(.enabled(if: SharedData.isThere, "needs shared data beside the checkout or TRANSITD_SHARED_DATA"))
struct RealFeedSizeTests {
    /// With and without shapes, translations and frequencies; what may be written for a byte of the archive. The one
    /// that grows is mostly stops, which are plain rows, and patterns of a single trip, whose columns are mostly heads.
    static let feeds: [(name: String, most: Double)] = [
        ("other/hart-2018.zip", 0.3), ("japan/gtfs-aomoricitybus.zip", 0.7), ("bart/2018-05.zip", 0.7),
        ("caltrain/2016-04-06-node-gtfs.zip", 1), ("other/cdmx-frequencies.zip", 1.35),
    ]

    @Test(arguments: feeds) func theFileIsSmall(name: String, most: Double) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("1.timetable")
        let source = try FileByteSource(path: SharedData.path("gtfs", name))
        let zones = TimeZoneDatabase()
        let options = GTFSReader.Options(today: ServiceDate(daysSince1970: 15_000)) { zones.zone(named: $0) != nil }
        let reading = try GTFSReader(source, options: options).read()
        try TimetableFile.write(
            reading.draft, origin: .sample, contentDigest: reading.contentDigest, report: reading.report, to: path)
        let size = try #require(FileSystem.size(of: path))
        #expect(Double(size) <= most * Double(source.count))
        try check(TimetableFile(path: path), against: reading.draft)
    }

    /// All patterns, and of the rest every so many.
    private func check(_ file: TimetableFile, against draft: TimetableDraft) throws {
        try draft.patterns.forEachPattern { (pattern: Pattern) throws in
            #expect(PatternContent(try file.pattern(pattern.index)) == PatternContent(pattern))
        }
        for position in stride(from: 0, to: draft.trips.count, by: 97) {
            let trip = draft.trips[TripIndex(position)]
            #expect(try file.trip(TripIndex(position)) == trip)
            #expect(try file.trip(id: trip.id) == TripIndex(position))
        }
        for position in stride(from: 0, to: draft.stops.count, by: 31) {
            let stop = try file.stop(StopIndex(position))
            #expect(stop.name == draft.stops[position].name)
            #expect(try file.stop(id: stop.id) == StopIndex(position))
        }
        for position in stride(from: 0, to: draft.texts.count, by: 31) {
            #expect(try file.text(TextIndex(position)) == draft.texts[position])
        }
    }
}
