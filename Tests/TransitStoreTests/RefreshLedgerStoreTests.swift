import Testing
import TransitModel

@testable import TransitStore

@Suite struct RefreshLedgerStoreTests {
    private let folder: TemporaryDirectory
    private let today = ServiceDate(year: 2026, month: 3, day: 28)!
    private let id = DatasetID("ct", .tripUpdates)

    init() throws { folder = try TemporaryDirectory() }

    private func open() throws -> StateStore { try StateStore(directory: folder.path, today: today) }

    private func reading(_ second: Int64) -> ClockReading {
        ClockReading(
            wall: Instant(secondsSince1970: 1_700_000_000 + second), boot: BootTime(milliseconds: second * 1000 - 7))
    }

    private func record(updates: Int) -> DatasetRecord {
        var record = DatasetRecord(id)
        record.source = "https://api.511.org/transit/tripupdates"
        record.lastAttempt = reading(9)
        (record.isInProgress, record.isImporting) = (true, updates % 2 == 0)
        record.lastSuccess = reading(8)
        record.lastFull = reading(7)
        record.lastChange = reading(-6)
        (record.consecutiveFailures, record.isFailurePermanent, record.notModifiedStreak) = (3, true, 4)
        (record.unchangedContentStreak, record.areValidatorsUnreliable, record.contentDigest) = (5, true, "abc")
        record.validators = Validators(etag: "W/\"1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
        record.expiryWarning = ExpiryWarning(lastDate: today, daysAhead: 3)
        for number in 0..<updates {
            record.append(
                UpdateRecord(
                    number: 0, began: reading(Int64(number)).wall, milliseconds: number,
                    outcome: UpdateOutcome.allCases[number % 5], bytes: number * 10,
                    status: number % 2 == 0 ? 200 : nil,
                    priority: FetchPriority.allCases[number % 3], reason: number % 3 == 0 ? "why \(number)" : nil))
        }
        return record
    }

    private func changes() -> LedgerChanges {
        var changes = LedgerChanges(boot: "boot-1", written: reading(10))
        changes.datasets[id] = .some(record(updates: 30))
        var host = HostRecord("api.511.org")
        (host.consecutiveFailures, host.pauses, host.openUntil, host.retryAfter) = (4, 2, reading(40), reading(50))
        changes.hosts["api.511.org"] = .some(host)
        changes.spends = [1, 2, 3].map { BudgetSpend(key: "511", dataset: id, priority: .user, at: reading($0)) }
        return changes
    }

    @Test func savedLedgerIsReadAfterRestart() throws {
        #expect(try open().refreshLedger() == RefreshLedger())
        var expected = RefreshLedger()
        expected.apply(changes())
        try open().saveRefresh(changes())
        let ledger = try open().refreshLedger()
        #expect(ledger == expected)
        #expect(ledger.datasets[id]?.history.count == 20)
        #expect(ledger.datasets[id]?.updates == 30)
    }

    @Test func laterChangesAreApplied() throws {
        let store = try open()
        try store.saveRefresh(changes())
        var expected = RefreshLedger()
        expected.apply(changes())
        var later = LedgerChanges(boot: "boot-1", written: reading(60))
        later.datasets[id] = .some(record(updates: 33))
        later.datasets.updateValue(nil, forKey: DatasetID("gone", .static))
        later.hosts.updateValue(nil, forKey: "api.511.org")
        later.spends = [BudgetSpend(key: "other", dataset: id, priority: .background, at: reading(1))]
        later.spendsEnd["511"] = reading(3).boot
        try store.saveRefresh(later)
        expected.apply(later)
        #expect(
            try store.refreshLedger()
                == RefreshLedger(
                    boot: "boot-1", written: reading(60), datasets: expected.datasets, hosts: [:],
                    spends: expected.spends.sorted { $0.at.boot < $1.at.boot }))
        let updates = try store.read { (database) throws(StoreError) in
            try database.value("SELECT count(*) FROM refresh_history", as: Int.self)
        }
        #expect(updates == 20)
    }

    @Test func ledgerOfAnotherBootReplacesAll() throws {
        let store = try open()
        try store.saveRefresh(changes())
        var all = LedgerChanges(boot: "boot-2", written: reading(1))
        all.replacesAll = true
        all.datasets[DatasetID("x", .static)] = .some(DatasetRecord(DatasetID("x", .static)))
        try store.saveRefresh(all)
        let ledger = try store.refreshLedger()
        #expect(ledger.boot == "boot-2")
        #expect(Array(ledger.datasets.keys) == [DatasetID("x", .static)])
        #expect(ledger.hosts.isEmpty && ledger.spends.isEmpty)
    }

    /// Writes a state file of an earlier release.
    private func writeFile(migrations: Int, _ rows: String) throws {
        try FileSystem.write([], to: folder.file("state.sqlite"))
        let database = try SQLiteConnection.database(folder.file("state.sqlite"), isReader: false)
        try StateSchema.migrate(database, count: migrations)
        try database.execute(rows)
    }

    @Test func feedRecordsAreMigrated() throws {
        try writeFile(
            migrations: 1,
            """
            INSERT INTO feeds VALUES ('ct', 1700000100, 'updated', 'fine', 2.5, 1700000100, 1700086500, '"e"', 'then');
            INSERT INTO feeds VALUES ('bad', 1700000100, 'refused', 'empty', 1, NULL, 1700086500, NULL, NULL);
            INSERT INTO feeds VALUES ('new', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
            """)
        let store = try open()
        let ledger = try store.refreshLedger()
        #expect(ledger.boot == nil && ledger.datasets.count == 3)
        let record = try #require(ledger.datasets[DatasetID("ct", .static)])
        #expect(record.lastSuccess?.wall == Instant(secondsSince1970: 1_700_000_100))
        #expect(record.validators == Validators(etag: "\"e\"", lastModified: "then"))
        #expect(record.lastUpdate?.outcome == .updated && record.lastUpdate?.milliseconds == 2500)
        #expect(ledger.datasets[DatasetID("bad", .static)]?.consecutiveFailures == 1)
        #expect(ledger.datasets[DatasetID("bad", .static)]?.isFailurePermanent == true)
        #expect(ledger.datasets[DatasetID("new", .static)]?.lastSuccess == nil)
        // The old table is still read.
        #expect(try store.feedRecord("ct").etag == "\"e\"")
    }

    @Test func canceledUpdatesOfOldFileAreMigrated() throws {
        try writeFile(
            migrations: 6,
            """
            INSERT INTO feeds VALUES ('ct', 1700000100, 'cancelled', 'stopped', 2.5, NULL, NULL, NULL, NULL);
            INSERT INTO refresh_datasets (
                feed, kind, is_open, failures, failure_lasts, not_modified, same_content, validators_lie)
                VALUES ('ct', 'static', 0, 0, 0, 0, 0, 0);
            INSERT INTO refresh_history VALUES
                ('ct', 'static', 1, 1700000000, 2500, 'updated', 7, 200, 'background', NULL),
                ('ct', 'static', 2, 1700000100, 2500, 'cancelled', 0, NULL, 'user', 'stopped'),
                ('ct', 'static', 3, 1700000200, 0, 'failed', 0, NULL, 'background',
                 'the daemon was stopped in the middle of it');
            """)
        let store = try open()
        let attempt = try #require(try store.feedRecord("ct").lastAttempt)
        #expect((attempt.outcome, attempt.message) == (.canceled, "stopped"))
        let record = try #require(try store.refreshLedger().datasets[DatasetID("ct", .static)])
        #expect(record.history.map(\.outcome) == [.updated, .canceled, .failed])
        #expect(record.history.map(\.reason) == [nil, "stopped", "the daemon stopped during the update"])
    }

    @Test func unknownKindIsSkipped() throws {
        let store = try open()
        try store.saveRefresh(changes())
        try store.write { (database) throws(StoreError) in
            try database.execute("UPDATE refresh_datasets SET kind = 'tides'")
            try database.execute("UPDATE refresh_spends SET priority = 'nobody' WHERE spend = 1")
        }
        let ledger = try store.refreshLedger()
        #expect(ledger.datasets.isEmpty)
        #expect(ledger.spends.count == 2)
    }
}
