import Glibc
import TransitEngine
import TransitFeeds
import TransitModel
import TransitQueries
import TransitStore
import TransitTestSupport
import TransitWire

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
final class GeneralRuleFixture {
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

extension GeneralRule {
    /// Evaluates the rule alone.
    static func decide(
        at now: Instant, _ memory: inout Memory, settings: NotificationSettings = NotificationSettings(),
        _ change: (inout GeneralRuleInput) -> Void
    ) -> [NotificationDecision] {
        var input = GeneralRuleInput(now: now, zone: berlin)
        change(&input)
        var memories = RuleMemories()
        memories[Self.self] = memory
        defer { memory = memories[Self.self] }
        return decide(GeneralRuleContext(input, settings), &memories)
    }

    /// The next moment of the rule alone, before it has shown anything.
    static func nextMoment(after now: Instant, _ change: (inout GeneralRuleInput) -> Void) -> Instant? {
        var input = GeneralRuleInput(now: now, zone: berlin)
        change(&input)
        return nextMoment(GeneralRuleContext(input, NotificationSettings()), RuleMemories())
    }
}

extension RuleMemory {
    /// The memory after it was saved and read.
    var restored: Self? { try? JSONValue(encoding: self).decode(Self.self) }
}

extension RuleSettings {
    /// The defaults.
    static var standard: Self {
        var reader = SettingReader("")
        return Self(&reader)
    }
}

extension NotificationDecision {
    /// `show alert "Title"`, with `(digest)` for an entry of the digest.
    var line: String {
        "\(operation.rawValue) \(rule.rawValue) \"\(title)\"" + (isForDigest ? " (digest)" : "")
    }
}
