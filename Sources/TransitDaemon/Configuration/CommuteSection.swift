internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitWire

/// Reads the `[commute.NAME]` tables.
struct CommuteSection {
    var feeds: [FeedID]
    var places: [String]

    func read(_ root: ConfigurationTable) -> [CommuteConfiguration] {
        root.namedTables("commute").compactMap { name, table in
            guard let table else { return nil }
            guard PlaceName.isValid(name) else {
                table.reportName("\"\(name)\" is not a valid commute name", remedy: PlaceName.rule)
                return nil
            }
            return readCommute(table, name: name)
        }
    }

    private func readCommute(_ table: ConfigurationTable, name: String) -> CommuteConfiguration? {
        let owner = "[commute.\(name)]"
        table.rejectUnknownKeys(besides: ["from", "to", "window", "days"], in: owner)
        let from = readEnd("from", example: "home", table, owner)
        let to = readEnd("to", example: "work", table, owner)
        guard let from, let to else { return nil }
        if from == to {
            table.report("to", "\(owner) starts and ends at the same place", remedy: "use another place or stop")
            return nil
        }
        return CommuteConfiguration(name: name, from: from, to: to, windows: readWindows(table))
    }

    private func readWindows(_ table: ConfigurationTable) -> [CommuteWindow] {
        let days = readDays(table)
        if table.has("days"), !table.has("window") {
            table.report(
                "days", "`days` applies to `window`, which is missing",
                remedy: "add `window = \"07:00-09:00\"`, or remove `days`")
        }
        return table.texts("window", example: "07:00-09:00").compactMap { text in
            if let window = CommuteWindow(text, days: days) { return window }
            table.report(
                "window", "\"\(text)\" is not a time window", remedy: "write it as `window = \"07:00-09:00\"`")
            return nil
        }
    }

    /// Returns all days if there is no `days` key.
    private func readDays(_ table: ConfigurationTable) -> Set<Weekday> {
        guard table.has("days") else { return Set(Weekday.allCases) }
        var days: Set<Weekday> = []
        for text in table.texts("days", example: "weekdays") {
            if let known = CommuteWindow.days(text) {
                days.formUnion(known)
            } else {
                table.report(
                    "days", "\"\(text)\" is not a day of the week", remedy: "use some of \(CommuteWindow.dayForms)")
            }
        }
        return days
    }

    private func readEnd(_ key: String, example: String, _ table: ConfigurationTable, _ owner: String) -> String? {
        guard let text = table.requiredText(key, example: example, of: owner) else { return nil }
        if text.contains(":") { return StopSection.check(text, feeds: feeds, key: key, in: table)?.description }
        if places.contains(text) { return text }
        let near = Spelling.closest(to: text, among: places)
        table.report(
            key, "there is no place \"\(text)\"",
            remedy: near.map { "did you mean \"\($0)\"?" } ?? "add `[place.\(text)]`, or name a stop as `feed:stop_id`")
        return nil
    }
}
