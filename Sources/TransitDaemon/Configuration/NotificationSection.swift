internal import TransitNotifications

/// Reads the `[notifications.RULE]` tables: the defaults for the users' notifications.
struct NotificationSection {
    /// Returns the values by `rule.key`.
    func read(_ root: ConfigurationTable) -> [String: String] {
        guard let table = root.table("notifications") else { return [:] }
        let groups = SettingDefinition.all.map(\.group)
        let known = groups.enumerated().filter { groups.firstIndex(of: $0.element) == $0.offset }.map(\.element)
        table.rejectUnknownKeys(
            besides: known, instead: ["on": "each user turns notifications on: transitctl notify on"],
            in: "[notifications]")
        var values: [String: String] = [:]
        for group in known {
            guard let rule = table.table(group) else { continue }
            let definitions = SettingDefinition.all.filter { $0.group == group }
            rule.rejectUnknownKeys(
                besides: definitions.map { String($0.name.dropFirst(group.count + 1)) },
                in: "[notifications.\(group)]")
            for definition in definitions { read(definition, rule, &values) }
        }
        return values
    }

    private func read(
        _ definition: SettingDefinition, _ table: ConfigurationTable, _ values: inout [String: String]
    ) {
        let key = String(definition.name.dropFirst(definition.group.count + 1))
        let example = definition.text(definition.standard)
        guard let text = table.scalar(key, example: example) else { return }
        guard definition.parse(text) != nil else {
            table.report(key, "`\(key)` is \"\(text)\"", remedy: "use \(definition.rangeText)")
            return
        }
        values[definition.name] = text
    }
}
