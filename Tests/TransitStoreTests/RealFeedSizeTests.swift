import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@testable import TransitStore

/// Real feeds become small files that can be read back.
@Suite(.enabled(if: SharedData.isAvailable, "needs shared data next to the checkout or TRANSITD_SHARED_DATA"))
struct RealFeedSizeTests {
    /// Feeds with and without shapes, translations and frequencies, and the maximum size of the file relative to the
    /// archive. The feed whose file is larger than the archive consists mainly of stops, which are plain rows, and of
    /// patterns with a single trip, whose column headers take most of the space.
    static let feeds: [(name: String, maximumRatio: Double)] = [
        ("other/hart-2018.zip", 0.3), ("japan/gtfs-aomoricitybus.zip", 0.7), ("bart/2018-05.zip", 0.7),
        ("caltrain/2016-04-06-node-gtfs.zip", 1), ("other/cdmx-frequencies.zip", 1.35),
    ]

    @Test(arguments: feeds) func fileIsSmall(name: String, maximumRatio: Double) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("1.timetable")
        let source = try FileByteSource(path: SharedData.path("gtfs", name))
        let zones = TimeZoneDatabase()
        let options = GTFSReader.Options(today: ServiceDate(daysSince1970: 15_000)) { zones.zone(named: $0) != nil }
        let reading = try GTFSReader(source, options: options).read()
        try TimetableFile.write(
            reading.draft, origin: .sample, contentDigest: reading.contentDigest, report: reading.report, to: path)
        let size = try #require(FileSystem.size(of: path))
        #expect(Double(size) <= maximumRatio * Double(source.count))
        try check(TimetableFile(path: path), against: reading.draft)
    }

    /// Compares all patterns and a sample of the other tables.
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
