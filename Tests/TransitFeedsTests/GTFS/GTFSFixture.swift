import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// What came of reading a feed written in a test.
struct GTFSFixture {
    var reading: GTFSReading
    var draft: TimetableDraft { reading.draft }
    var report: ValidationReport { reading.report }

    /// The zones that these tests know.
    static let zones: Set<String> = [
        "Europe/Berlin", "Europe/Kyiv", "America/Los_Angeles", "America/New_York", "Asia/Tokyo", "UTC",
    ]
    static let options = GTFSReader.Options(today: date(2026, 3, 4), isKnownZone: { zones.contains($0) })

    init(_ feed: FeedBuilder) throws {
        reading = try GTFSReader(feed.source, options: Self.options).read()
    }

    /// The trips written out, by `trip_id`.
    var trips: [String: ExpandedTimetable.ExpandedTrip] { ExpandedTimetable(draft).trips }

    func stop(_ id: String) -> Stop? { draft.stops.first { $0.id.rawValue == id } }
    func service(_ id: String) -> Service? { draft.services.first { $0.id.rawValue == id } }

    /// All findings of a rule in a file.
    func findings(_ rule: String, _ file: String) -> [ValidationReport.Finding] {
        report.findings.filter { $0.rule == rule && $0.examples.first?.place.file == file }
    }

    func count(_ rule: String, _ file: String) -> Int { findings(rule, file).reduce(0) { $0 + $1.count } }

    /// Where a rule was first broken, as "line:column field".
    func place(_ rule: String, _ file: String) -> String? {
        guard let place = findings(rule, file).first?.examples.first?.place else { return nil }
        return "\(place.line ?? 0):\(place.column ?? 0) \(place.field ?? "")"
    }

    /// The reason and the report with which a feed is refused; records an issue when it is not.
    static func refusal(_ feed: FeedBuilder) -> (reason: String, report: ValidationReport)? {
        do {
            _ = try GTFSReader(feed.source, options: options).read()
            Issue.record("The feed is not refused")
        } catch .refused(let reason, let report) {
            return (reason, report)
        } catch {
            Issue.record("Another error: \(error)")
        }
        return nil
    }
}

func date(_ year: Int, _ month: Int, _ day: Int) -> ServiceDate {
    ServiceDate(year: year, month: month, day: day) ?? ServiceDate(daysSince1970: 0)
}
