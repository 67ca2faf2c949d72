import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct ScheduleViewTests {
    @Test func refreshOutcomes() throws {
        let result = RefreshResult(
            at: try Sample.time("08:05"),
            datasets: [
                DatasetRefresh(
                    feed: "demo", dataset: .tripUpdates, outcome: .updated, message: "212 trips.", bytes: 42_000,
                    latency: 130),
                DatasetRefresh(
                    feed: "demo", dataset: .static, outcome: .fresh, message: "It is fresh.",
                    until: try Sample.time("03:00", days: 1)),
                DatasetRefresh(
                    feed: "demo", dataset: .alerts, outcome: .failed, message: "The source did not respond in 20 s."),
                DatasetRefresh(
                    feed: "bay", dataset: .vehicles, outcome: .budget, message: "60 of 60 requests are used.",
                    until: try Sample.time("08:21")),
            ])
        try expectSnapshot(paint(.refresh, result, width: 110), "refresh")
        try expectThemes(.refresh, result, "refresh")
        try expectSnapshot(PlainRows.text(View.refresh.rows(result)), "refresh-plain")
    }

    @Test func datasetStatus() throws {
        var feed = try Sample.feed("demo", .ready, daysLeft: 63)
        feed.datasets = [
            DatasetStatus(
                dataset: .static, source: "GTFS", freshness: .fresh, age: 11_500, lastSuccess: try Sample.time("04:53"),
                lastAttempt: try Sample.time("04:53"), outcome: .unchanged, nextDue: try Sample.time("04:20", days: 1),
                dueReason: "fresh", bytes: 9_000_000, latency: 2100, failures: 0,
                notes: ["The server always sends all data, even if nothing has changed."]),
            DatasetStatus(
                dataset: .tripUpdates, source: "GTFS-Realtime", freshness: .aging, age: 190,
                lastSuccess: try Sample.time("08:01"), lastAttempt: try Sample.time("08:04"), outcome: .failed,
                message: "The source responded with 503.", nextDue: try Sample.time("08:06"), dueReason: "retrying",
                bytes: 42_000, latency: 130, failures: 3,
                updates: [
                    DatasetUpdate(at: try Sample.time("08:04"), outcome: .failed, latency: 90, status: 503),
                    DatasetUpdate(
                        at: try Sample.time("08:01"), outcome: .updated, bytes: 42_000, latency: 130, status: 200),
                ]),
            DatasetStatus(
                dataset: .vehicles, source: "GTFS-Realtime", freshness: .aging, age: 190,
                lastSuccess: try Sample.time("08:01"), lastAttempt: try Sample.time("08:01"), outcome: .updated,
                nextDue: try Sample.time("08:10"), dueReason: "budget", bytes: 42_000, latency: 130, failures: 0),
            DatasetStatus(dataset: .alerts, source: "GTFS-Realtime", freshness: .empty, failures: 0),
        ]
        feed.realtime = RealtimeCounts(
            tripsMatched: 212, tripsUnmatched: 3, tripsExtra: 1, tripsCanceled: 1, stopsUnmatched: 0, vehicles: 60,
            vehiclesUnmatched: 2, alerts: 1)
        let result = StatusResult(
            at: try Sample.time("08:05"),
            daemon: DaemonStatus(
                version: "1.0.0", pid: 4711, started: try Sample.time("06:00"), uptime: 7500, memory: 11_900_000,
                connections: 1, socket: "/run/transitd.sock", isReplay: false),
            feeds: [feed], storage: StorageStatus(state: 40_960, timetables: 12_800_000),
            network: ConnectivityStatus(isOnline: false, since: try Sample.time("08:03")),
            caches: [
                CacheStatus(
                    name: "live snapshot of demo", health: .rebuilt, message: "It was corrupt and has been rebuilt.")
            ])
        try expectSnapshot(paint(.status, result, width: 130), "status-datasets")
        var learned = result
        learned.feeds[0].delays = Sample.delays
        let lines = paint(.status, learned, width: 80).split(separator: "\n")
        #expect(lines.contains("demo usual delays: 79 % in range (target 80 %), off by 74 s, corrected 58 s"))
        try expectThemes(.status, result, "status-datasets")
    }

    @Test func requestBudget() throws {
        let result = BudgetResult(
            at: try Sample.time("08:05"),
            keys: [
                BudgetKey(
                    key: "api.511.org", feeds: ["bay", "caltrain"],
                    windows: [
                        WindowStatus(
                            kind: .rolling, requests: 60, seconds: 3600, spent: 60, left: 0,
                            nextFree: try Sample.time("08:21"), ends: try Sample.time("09:04"), forecast: 60)
                    ],
                    spending: [
                        BudgetSpending(feed: "bay", dataset: .tripUpdates, priority: .commute, spent: 40),
                        BudgetSpending(feed: "caltrain", dataset: .alerts, priority: .background, spent: 20),
                    ])
            ])
        try expectSnapshot(paint(.budget, result, width: 100), "budget")
        try expectThemes(.budget, result, "budget")
        #expect(PlainRows.text(View.budget.rows(result)).hasPrefix("api.511.org\t60\t3600\t60\t0\t60\t"))
        #expect(
            paint(.budget, BudgetResult(at: try Sample.time("08:05"), keys: [])) == "No source has a request limit.\n")
    }

    @Test func explanation() throws {
        let result = ExplainResult(
            at: try Sample.time("08:05"),
            departure: try Sample.departure(Sample.bus, "08:12", delay: 130, source: .live),
            facts: [
                ExplainedFact(fact: "feed", value: "demo", source: "https://example.org/tu.pb"),
                ExplainedFact(
                    fact: "trip_match", value: "by trip_id and start date",
                    source: "GTFS-Realtime reference, TripDescriptor"),
                ExplainedFact(fact: "confidence", value: "high"),
            ])
        try expectSnapshot(paint(.explain, result, width: 100), "explain")
        try expectThemes(.explain, result, "explain")
    }

    @Test func doctorChecks() throws {
        let result = DoctorResult(
            at: try Sample.time("08:05"),
            checks: [
                DoctorCheck(check: "configuration", outcome: .ok, message: "/c.toml is valid."),
                DoctorCheck(
                    check: "clock", outcome: .warning, message: "It is 4 minutes behind.", remedy: "Enable NTP."),
                DoctorCheck(check: "disk", outcome: .failed, message: "It is full.", remedy: "Free some space."),
            ])
        try expectSnapshot(paint(.doctor, result), "doctor")
        try expectThemes(.doctor, result, "doctor")
    }
}
