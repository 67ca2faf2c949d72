import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// The result of reading a feed that is defined in a test.
struct GTFSFixture {
    var reading: GTFSReading
    var draft: TimetableDraft { reading.draft }
    var report: ValidationReport { reading.report }

    /// The time zones that are known in these tests.
    static let zones: Set<String> = [
        "Europe/Berlin", "Europe/Kyiv", "America/Los_Angeles", "America/New_York", "Asia/Tokyo", "UTC",
    ]
    static let options = GTFSReader.Options(today: date(2026, 3, 4), isKnownZone: { zones.contains($0) })

    init(_ feed: FeedBuilder) throws {
        reading = try GTFSReader(feed.source, options: Self.options).read()
    }

    /// The expanded trips by `trip_id`.
    var trips: [String: ExpandedTimetable.ExpandedTrip] { ExpandedTimetable(draft).trips }

    func stop(_ id: String) -> Stop? { draft.stops.first { $0.id.rawValue == id } }
    func service(_ id: String) -> Service? { draft.services.first { $0.id.rawValue == id } }

    /// Returns all findings of a rule in a file.
    func findings(_ rule: String, _ file: String) -> [ValidationReport.Finding] {
        report.findings.filter { $0.rule == rule && $0.examples.first?.place.file == file }
    }

    func count(_ rule: String, _ file: String) -> Int { findings(rule, file).reduce(0) { $0 + $1.count } }

    /// Returns the place of the first finding of a rule as "line:column field".
    func place(_ rule: String, _ file: String) -> String? {
        guard let place = findings(rule, file).first?.examples.first?.place else { return nil }
        return "\(place.line ?? 0):\(place.column ?? 0) \(place.field ?? "")"
    }

    /// Returns the reason and the report of a rejected feed. Records a test issue if the feed is not rejected.
    static func refusal(_ feed: FeedBuilder) -> (reason: String, report: ValidationReport)? {
        do {
            _ = try GTFSReader(feed.source, options: options).read()
            Issue.record("The feed is not rejected")
        } catch .refused(let reason, let report) {
            return (reason, report)
        } catch {
            Issue.record("Unexpected error: \(error)")
        }
        return nil
    }
}

func date(_ year: Int, _ month: Int, _ day: Int) -> ServiceDate {
    ServiceDate(year: year, month: month, day: day) ?? ServiceDate(daysSince1970: 0)
}
