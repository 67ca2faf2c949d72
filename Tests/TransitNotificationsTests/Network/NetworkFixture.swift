import Glibc
import TransitEngine
import TransitFeeds
import TransitModel
import TransitQueries
import TransitStore
import TransitTestSupport

@testable import TransitNotifications

/// The zone of the tests, with both clock changes.
let berlin = ServiceZone(name: "Europe/Berlin", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")!

/// Returns the instant of a local time in Berlin: `2026-03-27 08:00`.
func berlinTime(_ text: String) -> Instant {
    let parts = text.split(separator: " ")
    let clock = parts[1].split(separator: ":").compactMap { Int($0) }
    return berlin.instant(date: ServiceDate(iso8601: String(parts[0]))!, secondsOfDay: clock[0] * 3600 + clock[1] * 60)
}

func serviceDate(_ text: String) -> ServiceDate { ServiceDate(iso8601: text)! }

/// One feed with alerts, without a daemon. Its timetable is in a temporary file, which is removed with the fixture.
final class NetworkFixture {
    private let path: String
    private let timetable: Timetable
    var now = berlinTime("2026-03-27 07:30")
    var personal = PersonalState()
    var settings = QuerySettings()
    var alerts: [Alert]?
    /// The time of the alerts.
    var alertTime: Instant?
    var source = SourceState()

    init(_ builder: FeedBuilder = .small) throws {
        var template = Array("/tmp/transitd-notifications-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Failure() }
        close(descriptor)
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        unlink(path)
        let zones = TimeZoneDatabase()
        let options = GTFSReader.Options(today: serviceDate("2026-03-27")) { zones.zone(named: $0) != nil }
        let reading = try GTFSReader(builder.source, options: options).read()
        try TimetableFile.write(
            reading.draft, origin: TimetableSummary.Origin(url: "memory:", etag: nil, lastModified: nil, fetched: now),
            contentDigest: "", report: reading.report, to: path)
        timetable = Timetable(feed: "city", version: 1, file: try TimetableFile(path: path), zones: zones)
    }

    deinit { unlink(path) }

    struct Failure: Error {}

    func context() throws -> QueryContext {
        var snapshot: RealtimeSnapshot?
        if let alerts {
            let time = alertTime ?? now
            var builder = RealtimeDatasetBuilder(
                header: RealtimeHeader(version: "2.0", timestamp: time), received: time,
                matcher: TripMatcher(timetable), previous: nil)
            for alert in alerts { try builder.apply(.alert(alert)) }
            snapshot = RealtimeSnapshot(timetable: timetable)
            snapshot?.responses[.alerts] = RealtimeResponse(
                dataset: try builder.finish(), problems: RealtimeProblems())
        }
        let view = FeedView(id: "city", timetable: timetable, realtime: snapshot, source: source)
        return QueryContext(now: now, feeds: [view], personal: personal, settings: settings)
    }

    func watched(language: String? = nil) throws -> WatchedAlerts {
        let context = try context().inLanguage(language)
        return WatchedAlerts(PersonalNetwork(context), context)
    }
}

extension NotificationDecision {
    /// `show alert "Title"`, with `(digest)` for an entry of the digest.
    var line: String {
        "\(operation.rawValue) \(rule.rawValue) \"\(title)\"" + (isForDigest ? " (digest)" : "")
    }
}
