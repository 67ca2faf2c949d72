import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct FeedViewTests {
    private func feeds() throws -> [FeedStatus] {
        var importing = try Sample.feed("new", .importing, daysLeft: nil)
        importing.lastAttempt = nil
        importing.nextAttempt = nil
        importing.progress = RequestProgress(
            phase: "stop_times.txt", done: 12_400_000, total: 35_000_000, unit: "bytes")
        return [
            try Sample.feed("demo", .ready, daysLeft: 63), try Sample.feed("old", .expired, daysLeft: -3), importing,
        ]
    }

    @Test func feedsAndTheDaemon() throws {
        let at = try Sample.time("08:05")
        let list = FeedListResult(at: at, feeds: try feeds(), notices: [try Sample.stale()])
        try expectSnapshot(paint(.feedList, list, width: 120), "feed-list")
        try expectThemes(.feedList, list, "feed-list")
        try expectSnapshot(PlainRows.text(View.feedList.rows(list)), "feed-list-plain")
        let status = StatusResult(
            at: at,
            daemon: DaemonStatus(
                version: "1.0.0", pid: 4711, started: try Sample.time("06:00"), uptime: 7500, memory: 11_900_000,
                connections: 1, socket: "/run/user/1000/transitd/transitd.sock",
                configuration: "/home/me/.config/transitd/config.toml", isReplay: true),
            feeds: try feeds(), storage: StorageStatus(state: 40_960, timetables: 12_800_000, free: 81_000_000_000))
        try expectSnapshot(paint(.status, status, width: 120), "status")
        try expectThemes(.status, status, "status")
    }

    @Test func feedListShowsTheKeptPart() throws {
        var feed = try Sample.feed("nation", .ready, daysLeft: 63)
        feed.kept = KeptPart(
            rule: "stops within 10000 m of 53.5,10.0", stops: 4120, stopsInSource: 512_000, trips: 31_000,
            tripsInSource: 1_200_000)
        let list = FeedListResult(at: try Sample.time("08:05"), feeds: [feed])
        #expect(
            paint(.feedList, list, width: 160).contains(
                "nation: keeps 4,120 of 512,000 stops and 31,000 of 1,200,000 trips (stops within 10000 m of 53.5,10.0)"
            ))
        feed.kept = nil
        let whole = FeedListResult(at: try Sample.time("08:05"), feeds: [feed])
        #expect(!paint(.feedList, whole, width: 160).contains("keeps"))
    }

    @Test func versions() throws {
        let at = try Sample.time("08:05")
        let versions = [try Sample.version(4, isCurrent: true), try Sample.version(3, isCurrent: false)]
        let result = FeedVersionsResult(at: at, feed: "demo", versions: versions)
        try expectSnapshot(paint(.feedVersions, result, width: 110), "feed-versions")
        try expectThemes(.feedVersions, result, "feed-versions")
        let rollback = FeedRollbackResult(at: at, feed: "demo", version: versions[1], previous: 4)
        #expect(paint(.feedRollback, rollback) == "demo: version 3 is current again; version 4 remains stored.\n")
        let update = FeedUpdateResult(
            at: at, feed: "demo", outcome: .updated, message: "A new version was imported.", version: versions[0],
            previous: 3, downloaded: 9_000_000, seconds: 1.3)
        try expectSnapshot(paint(.feedUpdate, update), "feed-update")
        try expectThemes(.feedUpdate, update, "feed-update")
    }

    @Test func validationReport() throws {
        let result = FeedValidateResult(
            at: try Sample.time("08:05"), feed: "demo", version: 4, isRefused: false,
            counts: FindingCounts(fatal: 0, error: 7, warning: 0, info: 1),
            findings: [
                Finding(
                    rule: "foreign_key_violation", severity: .error, count: 7,
                    examples: [
                        FindingExample(
                            file: "trips.txt", line: 12, column: 1, field: "route_id", message: "\"R9\" is not a route."
                        )
                    ])
            ])
        try expectSnapshot(paint(.feedValidate, result), "feed-validate")
        try expectThemes(.feedValidate, result, "feed-validate")
        try expectSnapshot(PlainRows.text(View.feedValidate.rows(result)), "feed-validate-plain")
    }

    @Test func differences() throws {
        let result = FeedDiffResult(
            at: try Sample.time("08:05"), feed: "demo", from: try Sample.version(3, isCurrent: false),
            to: try Sample.version(4, isCurrent: true), stops: ChangeCounts(added: 2, removed: 0, changed: 1),
            routes: ChangeCounts(added: 0, removed: 1, changed: 0),
            trips: ChangeCounts(added: 1204, removed: 33, changed: 9),
            commutes: [
                CommuteChanges(
                    commute: "home-to-work",
                    changes: [
                        FeedChange(
                            subject: .trip, change: .changed, id: "T1", name: "Bus 24", message: "08:12 leaves at 08:09"
                        ),
                        FeedChange(subject: .stop, change: .removed, id: "S1", message: "is no longer served"),
                    ], isTruncated: true),
                CommuteChanges(commute: "gym", changes: [], isTruncated: false),
            ])
        try expectSnapshot(paint(.feedDiff, result), "feed-diff")
        try expectThemes(.feedDiff, result, "feed-diff")
    }

    @Test func learnedDelays() throws {
        var lying = Sample.delays
        (lying.repeatsTimetable, lying.correcting) = (true, false)
        let result = FeedHistoryResult(
            at: try Sample.time("08:05"),
            feeds: [
                FeedHistory(feed: "demo", delays: Sample.delays), FeedHistory(feed: "old", delays: lying),
                FeedHistory(feed: "new"),
            ])
        let text = [40, 80].map { (columns: Int) in
            "=== \(columns) columns\n" + paint(.feedHistory, result, width: columns)
        }.joined()
        try expectSnapshot(text, "feed-history")
        try expectSnapshot(PlainRows.text(View.feedHistory.rows(result)), "feed-history-plain")
        let at = result.at
        #expect(
            paint(.feedHistoryClear, FeedHistoryClearResult(at: at, feeds: ["demo", "old"]))
                == "Removed what was learned about the delays of demo, old.\n")
        #expect(
            paint(.feedHistoryClear, FeedHistoryClearResult(at: at, feeds: []))
                == "Nothing had been learned about delays.\n")
    }

    @Test func progressIsRewrittenOnATerminal() {
        var meter = ProgressMeter(subject: "demo", canvas: Canvas(width: 40), rewrites: true)
        let progress = RequestProgress(phase: "stop_times.txt", done: 12_400_000, total: 35_000_000, unit: "bytes")
        #expect(meter.text(for: progress) == "\r\u{1B}[Kdemo: reading stop_times.txt, 12.4 MB …")
        #expect(meter.text(for: progress) == nil)
        #expect(meter.ending() == "\r\u{1B}[K")
    }

    @Test func progressIsOneLinePerStageWithoutTerminal() {
        var meter = ProgressMeter(subject: "demo", canvas: Canvas(), rewrites: false)
        let lines = ["download", "download", "trips.txt", "stops.txt", "a\u{1B}b"].map {
            meter.text(for: RequestProgress(phase: $0, done: 1, unit: "rows"))
        }
        #expect(lines == ["demo: downloading\n", nil, "demo: reading\n", nil, "demo: a\u{FFFD}b\n"])
        #expect(meter.ending() == "")
    }

    @Test(arguments: [
        (
            RequestProgress(phase: "stop_times.txt", done: 12_400_000, total: 35_000_000, unit: "bytes"),
            "reading stop_times.txt, 12.4 MB of 35.0 MB, 35 %"
        ),
        (RequestProgress(phase: "download", done: 900, unit: "bytes"), "downloading, 900 B"),
        (RequestProgress(phase: "write", done: 1200, total: 1000, unit: "rows"), "writing, 1,200 of 1,000 rows, 100 %"),
        (RequestProgress(phase: "write", done: 1200, total: 0, unit: "rows"), "writing, 1,200 rows"),
        (RequestProgress(phase: "start", done: 0, total: 0, unit: "bytes"), "starting"),
    ])
    func progressInWords(progress: RequestProgress, words: String) {
        #expect(ProgressText.of(progress) == words)
    }
}
