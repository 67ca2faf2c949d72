internal import GRDB
public import TransitModel

extension StateStore {
    /// Returns the stored ledger of the refresh engine; empty before its first start.
    public func refreshLedger() throws(StoreError) -> RefreshLedger {
        try read { database in
            var ledger = RefreshLedger()
            if let row = try Row.fetchOne(database, sql: "SELECT * FROM refresh_clock") {
                ledger.boot = BootID(rawValue: row["boot"])
                ledger.written = RefreshRows.reading(row, "written")
            }
            let histories = try RefreshRows.histories(database)
            for row in try Row.fetchAll(database, sql: "SELECT * FROM refresh_datasets") {
                guard let record = RefreshRows.dataset(row, histories) else { continue }
                ledger.datasets[record.id] = record
            }
            for row in try Row.fetchAll(database, sql: "SELECT * FROM refresh_hosts") {
                let record = RefreshRows.host(row)
                ledger.hosts[record.host] = record
            }
            ledger.spends = try Row.fetchAll(database, sql: "SELECT * FROM refresh_spends ORDER BY boot, spend")
                .compactMap(RefreshRows.spend)
            return ledger
        }
    }

    /// Writes changes in one transaction. If it throws, none of them is written.
    public func saveRefresh(_ changes: LedgerChanges) throws(StoreError) {
        try write { database in
            if changes.replacesAll {
                for table in ["refresh_datasets", "refresh_history", "refresh_spends", "refresh_hosts"] {
                    try database.execute(sql: "DELETE FROM \(table)")
                }
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO refresh_clock VALUES (1, ?, ?, ?)",
                arguments: [
                    changes.boot.rawValue, changes.written.wall.secondsSince1970, changes.written.boot.milliseconds,
                ])
            for (id, record) in changes.datasets { try RefreshRows.save(record, as: id, database) }
            for (host, record) in changes.hosts { try RefreshRows.save(record, as: host, database) }
            for spend in changes.spends { try RefreshRows.save(spend, database) }
            for (key, end) in changes.spendsEnd {
                try database.execute(
                    sql: "DELETE FROM refresh_spends WHERE key = ? AND boot < ?",
                    arguments: [key.rawValue, end.milliseconds])
            }
        }
    }
}
