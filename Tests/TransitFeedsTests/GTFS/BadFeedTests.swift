import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Invalid feeds from the tests of other projects.
@Suite(.enabled(if: SharedData.isAvailable, "recorded feeds are not available"))
struct BadFeedTests {
    private enum Outcome: Hashable {
        case imported
        /// A text that the error contains.
        case refused(String)
    }

    /// The feeds that are rejected, and a text that their error must contain. All other feeds are accepted.
    private static let refused: [String: String] = [
        "gtfs-structure/basic.zip": "routes.txt has no route_id “route1”",
        "gtfs-structure/fares_v1.zip": "agency.txt has no agency",
        "gtfs-structure/fares_v2.zip": "agency.txt has no agency",
        "gtfs-structure/interpolated_stop_times.zip": "routes.txt has no route_id “route1”",
        "gtfs-structure/missing_feed_date.zip": "routes.txt has no route_id “route1”",
        "gtfs-structure/only_required_fields.zip": "routes.txt has no route_id “route1”",
        "gtfs-structure/subdirectory.zip": "routes.txt has no route_id “route1”",
        "gtfs-structure/zips/gtfs.zip": "routes.txt has no route_id “route1”",
        "gtfs-structure/zips/gtfs_with_bom.zip": "routes.txt has no route_id “route1”",
        "gtfs-structure/zips/macosx.zip": "../agency.txt",
        "gtfs-structure/zips/subdirectory.zip": "routes.txt has no route_id “route1”",
        "gtfs-utils/calendar-dates-only.zip": "calendar_dates.csv",
        "gtfs-utils/calendar-only.zip": "calendar.csv",
        "gtfs-utils/daylight-saving-time.zip": ".csv",
        "gtfs-utils/leading-exceptions.zip": "calendar.csv",
        "gtfs-utils/optimise-services-and-exceptions.zip": "calendar.csv",
        "gtfs-utils/services-and-exceptions.zip": "no agency.txt",
        "gtfs-utils/timezones.zip": ".csv",
        "gtfs-utils/trailing-exceptions.zip": "calendar.csv",
        "not-a-zip/caltrain-bot.zip": "git-lfs pointer",
        "not-a-zip/catenary-metrolink.zip": "empty",
        "not-a-zip/lfs-pointer-vasttrafik.zip": "git-lfs pointer",
        "peartree/empty.zip": "agency.txt has no agency",
        "tidytransit/locations_feed.zip": "not supported",
        "tidytransit/sample-feed-invalid.zip": "no stop_times.txt",
        "tidytransit/sample-feed-plus.zip": "runs on any date",
        "transitfeed/au-sydney-entrances.zip": "no routes.txt",
        "transitfeed/empty_file.zip": "agency.txt",
        "transitfeed/missing_agency.zip": "no agency.txt",
        "transitfeed/missing_calendar.zip": "neither calendar.txt nor calendar_dates.txt",
        "transitfeed/missing_routes.zip": "no routes.txt",
        "transitfeed/missing_stop_times.zip": "no stop_times.txt",
        "transitfeed/missing_stops.zip": "no stops.txt",
        "transitfeed/missing_trips.zip": "no trips.txt",
        "transitfeed/unknown_format.zip": "not a zip",
        "transitfeed/upgrade_translations.zip": "2 folders",
        "transitland-datastore/example-empty-calendar.zip": "no service_id “FULLW”",
        "transitland-datastore/example-empty-stops.zip": "no stops",
        "transitland-datastore/example-missing-stops.zip": "no stops.txt",
        "transitland-lib/example-nested-dir-ambiguous.zip": "2 folders",
        "transitland-lib/example-nested-two-feeds.zip": "2 folders",
        "transitland-lib/example-nested-zip.zip": "example.zip",
        "transitland-lib/example-partial.zip": "no agency.txt",
        "transitland-lib/example-pathways.zip": "no routes.txt",
        "transitland-lib/invalid.zip": "not a zip",
    ]

    @Test(arguments: SharedData.zips("gtfs-bad")) func feedIsAcceptedOrErrorNamesCause(name: String) throws {
        let path = SharedData.path("gtfs-bad", name)
        do {
            let options = GTFSReader.Options(today: date(2010, 1, 4), isKnownZone: { $0.contains("/") })
            let reading = try GTFSReader(FileByteSource(path: path), options: options).read()
            #expect(Self.refused[name] == nil)
            #expect(reading.draft.trips.count > 0)
            expectOrder(reading.draft.patterns, reading.draft.trips)
        } catch {
            let cause = try #require(Self.refused[name], "refused: \(error)")
            #expect("\(error)".contains(cause))
        }
    }
}
