internal import Glibc
internal import TransitEngine
internal import TransitFeeds
package import TransitModel
package import TransitQueries
package import TransitStore

/// Feeds for queries, without a daemon. The timetables are in a temporary folder, which is removed with the fixture.
///
/// The time is Friday, March 27, 2026, 07:30 in Berlin. Bus 24 of ``FeedBuilder/small`` leaves the harbor at 08:00.
package final class QueryFixture {
    private let folder: String
    private var views: [FeedView] = []
    /// The part of each feed that is kept; `nil` for all of it.
    private let subset: FeedSubset?
    package let zones = TimeZoneDatabase()
    package var now = Instant(rfc3339: "2026-03-27T07:30:00+01:00")!
    package var personal = PersonalState()
    package var settings = QuerySettings()

    package init(
        _ feeds: [(id: FeedID, builder: FeedBuilder, supplements: FeedID?)], keeping subset: FeedSubset? = nil
    ) throws {
        self.subset = subset
        var template = Array("/tmp/transitd-query-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure() }
        folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        for feed in feeds {
            var source = SourceState()
            source.supplements = feed.supplements
            views.append(
                FeedView(id: feed.id, timetable: try timetable(feed.builder, of: feed.id, version: 1), source: source))
        }
    }

    package convenience init(_ builder: FeedBuilder = .small, keeping subset: FeedSubset? = nil) throws {
        try self.init([("city", builder, nil)], keeping: subset)
    }

    deinit {
        for view in views {
            for version in 1...2 { unlink("\(folder)/\(view.id).\(version)") }
        }
        rmdir(folder)
    }

    package struct Failure: Error {}

    package func timetable(_ builder: FeedBuilder, of feed: FeedID, version: Int) throws -> Timetable {
        let zones = zones
        var options = GTFSReader.Options(today: ServiceDate(iso8601: "2026-03-27")!) { zones.zone(named: $0) != nil }
        options.subset = subset
        let reading = try GTFSReader(builder.source, options: options).read()
        let path = "\(folder)/\(feed).\(version)"
        try TimetableFile.write(
            reading.draft, origin: TimetableSummary.Origin(url: "memory:", etag: nil, lastModified: nil, fetched: now),
            contentDigest: "", report: reading.report,
            to: path)
        return Timetable(feed: feed, version: version, file: try TimetableFile(path: path), zones: zones)
    }

    package var context: QueryContext {
        QueryContext(now: now, feeds: views, personal: personal, settings: settings)
    }

    /// Replaces the timetable of a feed.
    package func replace(_ feed: FeedID, with builder: FeedBuilder) throws {
        let position = views.firstIndex { $0.id == feed }!
        let new = try timetable(builder, of: feed, version: 2)
        views[position] = FeedView(id: feed, timetable: new, source: views[position].source)
    }

    /// Overwrites all of a timetable file except its first page.
    package func damage(_ feed: FeedID) throws {
        let file = fopen("\(folder)/\(feed).1", "r+b")
        guard let file else { throw Failure() }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = ftell(file)
        fseek(file, 4096, SEEK_SET)
        fwrite([UInt8](repeating: 0xFF, count: size - 4096), 1, size - 4096, file)
    }

    /// Applies trip updates to a feed.
    package func receive(_ updates: [TripUpdate], of feed: FeedID) throws {
        let position = views.firstIndex { $0.id == feed }!
        let timetable = views[position].timetable!
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: now), received: now, matcher: TripMatcher(timetable),
            previous: nil)
        for update in updates { try builder.apply(.tripUpdate(update)) }
        var snapshot = RealtimeSnapshot(timetable: timetable)
        snapshot.responses[.tripUpdates] = RealtimeResponse(dataset: try builder.finish(), problems: RealtimeProblems())
        views[position] = FeedView(
            id: feed, timetable: timetable, realtime: snapshot, source: views[position].source)
    }

    package func board(_ stop: String, route: String? = nil, at: String? = nil) throws -> BoardQuery {
        try BoardQuery(stop: stop, route: route, feed: nil, at: at, context)
    }

    /// Returns departures as `TRIP HH:MM`, with the expected time in Berlin.
    package func lines(_ result: BoardResult) throws -> [String] {
        try result.departures.map { try line($0) }
    }

    package func line(_ merged: MergedDeparture) throws -> String {
        let trip: String
        switch merged.call.subject {
        case .scheduled(let call): trip = try merged.timetable.file.trip(call.trip).id.rawValue
        case .extra(let extra, _): trip = extra.entity.rawValue
        }
        let zone = context.zone
        return "\(trip) \(zone.rfc3339(merged.call.departure).dropFirst(11).prefix(5))"
    }
}

extension FeedBuilder {
    /// Market Square has a platform on each side of the road but no station.
    package static func withOppositePlatform(latitude: String = "53.5451") -> FeedBuilder {
        FeedBuilder.small.adding("market:b,,Market Square,\(latitude),9.9900,0,,\n", to: "stops.txt")
            .adding("bus24,weekday,back,Harbor,1\n", to: "trips.txt")
            .adding("back,08:05:00,08:05:00,market:b,1\nback,08:15:00,08:15:00,harbor,2\n", to: "stop_times.txt")
    }
}
