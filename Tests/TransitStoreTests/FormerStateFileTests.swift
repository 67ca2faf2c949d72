import Glibc
import Testing
import TransitModel

@testable import TransitStore

/// A state file that the release before wrote, with GRDB, is read without loss.
///
/// `Former/state.sqlite` is such a file. It was written by ``fill(_:)`` and closed.
@Suite struct FormerStateFileTests {
    private let folder: TemporaryDirectory
    private let today = ServiceDate(year: 2026, month: 3, day: 28)!
    private let dataset = DatasetID("ct", .tripUpdates)

    init() throws { folder = try TemporaryDirectory() }

    private static var formerFile: String {
        let path = String(#filePath)
        return path.prefix(upTo: path.lastIndex(of: "/")!) + "/Former/state.sqlite"
    }

    private func reading(_ second: Int64) -> ClockReading {
        ClockReading(
            wall: Instant(secondsSince1970: 1_774_656_000 + second), boot: BootTime(milliseconds: second * 1000 - 7))
    }

    /// Writes at least one row to every table, with the values that are most easily mistaken: no value, an empty text,
    /// text outside of ASCII, the largest user ID, fractions, negative numbers and both values of a flag.
    private func fill(_ store: StateStore) throws {
        var timed = SavedCommute(name: "zur Arbeit – früh", from: "home", to: "caltrain:70012")
        (timed.windows, timed.days) = (["07:00-09:00", "16:00-18:00"], ["mon-fri", "sun"])
        try store.addCommute(timed, of: 1000)
        try store.addCommute(SavedCommute(name: "gym", from: "work", to: ""), of: 1000)
        try store.addCommute(SavedCommute(name: "a", from: "b", to: "c"), of: .max - 1)
        try store.useCommute("gym", of: 1000)
        let coordinate = Coordinate(latitude: -33.8567844, longitude: 151.213108)!
        try store.setPlace(SavedPlace(name: "home", location: .coordinate(coordinate), walk: 480), of: 1000)
        try store.setPlace(SavedPlace(name: "work", location: .stop(feed: "hk", stop: "中環")), of: 1000)
        let targets: [SavedFavorite.Target] = [
            .stop("70012", bothSides: true), .route("L1"), .routeAtStop("L2", "70011", bothSides: false),
        ]
        for (number, target) in targets.enumerated() {
            try store.addFavorite(
                SavedFavorite(
                    name: "favorite \(number)", category: number == 1 ? "trains" : nil, feed: "ct", target: target),
                of: 1000)
        }
        try store.orderFavorites(["favorite 2"], of: 1000)
        store.recordSearch(SavedSearch(kind: .stops, text: "mill", at: reading(1).wall), of: 1000)
        store.recordSearch(SavedSearch(kind: .routes, text: "22", at: reading(2).wall), of: 1000)
        try store.saveSearches()
        try store.saveRecentViews([
            SavedRecentView(uid: 1000, commute: nil, at: reading(4).wall),
            SavedRecentView(uid: 0, commute: "gym", at: reading(3).wall),
        ])
        var feed = FeedRecord()
        feed.lastAttempt = RecordedFeedAttempt(
            ended: reading(5).wall, outcome: .updated, message: "why", seconds: 1.5)
        (feed.confirmed, feed.etag, feed.lastModified) = (reading(5).wall, "\"e\"", "Sat")
        try store.setFeedRecord(feed, of: "ct")
        try store.setFeedRecord(FeedRecord(), of: "empty")
        try store.setRefusal(.sample, of: "ct")
        try store.saveRefresh(ledgerChanges)
        try store.saveArrivalsBackoff(backoff, of: "hk")
        try store.saveRejectedKey(RejectedKey(fingerprint: "12ab", since: reading(6).wall), of: "ct")
    }

    private var ledgerChanges: LedgerChanges {
        var record = DatasetRecord(dataset)
        record.source = "https://api.511.org/transit/tripupdates"
        (record.lastAttempt, record.isInProgress, record.lastSuccess) = (reading(9), true, reading(8))
        // Earlier releases do not distinguish an import from its download.
        record.isImporting = true
        (record.lastFull, record.lastChange) = (reading(7), reading(-6))
        (record.consecutiveFailures, record.isFailurePermanent, record.notModifiedStreak) = (3, true, 4)
        (record.unchangedContentStreak, record.areValidatorsUnreliable, record.contentDigest) = (5, true, "abc")
        record.validators = Validators(etag: "W/\"1\"", lastModified: nil)
        record.expiryWarning = ExpiryWarning(lastDate: today, daysAhead: 3)
        for number in 0..<6 {
            record.append(
                UpdateRecord(
                    number: 0, began: reading(Int64(number)).wall, milliseconds: number,
                    outcome: UpdateOutcome.allCases[number % 5], bytes: number << 31,
                    status: number % 2 == 0 ? 200 : nil,
                    priority: FetchPriority.allCases[number % 3], reason: number % 3 == 0 ? "why \(number)" : nil))
        }
        var changes = LedgerChanges(boot: "boot-1", written: reading(10))
        changes.datasets = [dataset: record, DatasetID("new", .static): DatasetRecord(DatasetID("new", .static))]
        var host = HostRecord("api.511.org")
        (host.consecutiveFailures, host.pauses, host.openUntil) = (2, 1, reading(20))
        changes.hosts = ["api.511.org": host]
        changes.spends = [1, 2, 3].map { BudgetSpend(key: "511", dataset: dataset, priority: .user, at: reading($0)) }
        return changes
    }

    private var backoff: ArrivalsBackoff {
        var host = HostRecord("kmb.example:443")
        (host.pauses, host.consecutiveFailures, host.retryAfter) = (2, 5, reading(700))
        return ArrivalsBackoff(
            boot: "boot-1", refused: [RefusedArrivalsQuery("1A/中", status: 422, until: reading(500))], hosts: [host])
    }

    /// Everything that a store returns.
    private struct Contents: Equatable {
        var users: [UserRecord]
        var timedCommutes: [SavedCommute]
        var views: [SavedRecentView]
        var feeds: [FeedRecord]
        var refusals: [ValidationReport?]
        var ledger: RefreshLedger
        var backoff: ArrivalsBackoff?
        var rejectedKey: RejectedKey?

        init(_ store: StateStore) throws {
            users = [1000, 0, .max - 1].map(store.userRecord)
            timedCommutes = store.timedCommutes().map(\.commute)
            views = try store.recentViews()
            feeds = try ["ct", "empty", "hk"].map { try store.feedRecord($0) }
            refusals = try ["ct", "empty"].map { try store.refusal(of: $0) }
            ledger = try store.refreshLedger()
            backoff = try store.arrivalsBackoff(of: "hk")
            rejectedKey = try store.rejectedKey(of: "ct")
        }
    }

    @Test("Every record of a file that GRDB wrote is read, and stays when the file is written and backed up")
    func formerFileIsReadAndKept() throws {
        let fresh = try TemporaryDirectory()
        let filled = try StateStore(directory: fresh.path, today: today)
        try fill(filled)
        let expected = try Contents(filled)
        #expect(expected.users[0].favorites.count == 3 && expected.users[2].commutes.count == 1)
        #expect(expected.ledger.datasets[dataset]?.history.count == 6 && expected.refusals[0] != nil)

        let file = RawFile.read(Self.formerFile)
        #expect(file.count > 50_000)
        RawFile.write(file, to: folder.file("state.sqlite"))
        do {
            let store = try StateStore(directory: folder.path, today: today)
            #expect(store.openResult == .intact)
            #expect(try Contents(store) == expected)
            try store.checkIsWritable()
            try store.saveRefresh(ledgerChanges)
            try store.backUp(today: today)
        }
        // The backup replaces a file that was lost.
        TemporaryDirectory.remove(folder.file("state.sqlite"))
        let store = try StateStore(directory: folder.path, today: today)
        #expect(store.openResult == .restored(backup: today, damaged: nil, reason: "it is missing"))
        var restored = try Contents(store)
        #expect(restored.ledger.spends.count == 6)
        restored.ledger.spends = expected.ledger.spends
        #expect(restored == expected)
    }

    @Test("The schema of that release is the one that GRDB wrote")
    func schemaIsUnchanged() throws {
        let formerMigrations = 7
        let written = try SQLiteConnection.building(folder.file("state.sqlite"))
        try StateSchema.migrate(written, count: formerMigrations)
        RawFile.write(RawFile.read(Self.formerFile), to: folder.file("former.sqlite"))
        let schemas = try ["former.sqlite", "state.sqlite"].map { name in
            try SQLiteConnection.database(folder.file(name), isReader: true)
                .rows("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name") { row in
                    [row["type"], row["name"], row["sql"] as String?]
                }
        }
        #expect(schemas[0].count > 15)
        #expect(schemas[0] == schemas[1])
        let migrations = try ["former.sqlite", "state.sqlite"].map { name in
            try StateSchema.appliedIdentifiers(SQLiteConnection.database(folder.file(name), isReader: true))
        }
        #expect(migrations[0] == Set(StateSchema.migrations.prefix(formerMigrations).map(\.identifier)))
        #expect(migrations[0] == migrations[1])
    }
}
