internal import TransitControl
internal import TransitModel

extension View where Result == NotifyListResult {
    /// Whether notifications are on, what is watched and by which rules, and the settings that differ from the defaults.
    static let notifyList = View(
        page: { page, result in
            page.addState(result)
            if result.isOn {
                page.addSubjects(result)
                page.addHintWithoutSubjects(result)
                page.addWatchingRules(result)
                page.addRules(result)
            }
            page.addChangedSettings(result)
            page.blank()
            page.line("To list every setting: transitctl notify list --all", .faint)
        }, rows: { $0.rules.flatMap(\.rows) })

    /// Every setting of every rule.
    static let notifySettings = View(page: settingsPage, rows: { $0.rules.flatMap(\.rows) })

    /// What was decided, or not shown.
    static let notifyLog = View(
        page: logPage,
        rows: {
            $0.log.map { [$0.at.rfc3339, $0.rule, $0.op.rawValue, $0.stage, $0.title, $0.reason ?? "", $0.id] }
        }
    ).numbered(.notification, count: { $0.log.count }, command: { _ in "transitctl notify list --log" })

    private static func logPage(_ page: inout Page, _ result: NotifyListResult) {
        var table = Table(["at", "rule", .shrinking("what"), "stage"])
        for entry in result.log {
            table.add([
                page.numbers.next(TerminalRows.Row(id: entry.id, words: entry.title))
                    + Line(entry.at.words(from: result.at), .faint), Line(entry.rule, .strong),
                Line(entry.op == .withdraw ? "withdrawn: " : "", .faint) + Line(entry.title)
                    + Line(entry.reason.map { " (\($0))" } ?? "", .faint), entry.stageLine,
            ])
        }
        page.table(table)
        if result.log.isEmpty { page.line("No notifications.") }
        let sources = Set(result.log.flatMap(\.attribution)).sorted()
        if !sources.isEmpty { page.line(sources.joined(separator: " · "), .faint) }
    }

    /// The state after notifications were turned on or off.
    static let notifyEnable = View(
        page: { page, result in
            page.addState(result)
            if result.isOn {
                page.addSubjects(result)
                page.addHintWithoutSubjects(result)
            }
        }, rows: { [[$0.isOn ? "on" : "off"]] })

    private static func settingsPage(_ page: inout Page, _ result: NotifyListResult) {
        page.addState(result)
        for rule in result.rules {
            page.blank()
            page.line(Line(rule.rule, .strong) + Line(rule.isOn ? "" : "  off", .caution) + rule.muteLine(result.at))
            for setting in rule.settings {
                page.line(setting.line, indent: 2)
                page.line(setting.description, .faint, indent: 4)
            }
        }
    }
}

extension NotificationSetting {
    /// The setting with its value, its unit, its default and where the value comes from.
    fileprivate var line: Line {
        func text(_ value: String) -> String { ([value] + [unit].compactMap(\.self)).joined(separator: " ") }
        // An older daemon does not report the default.
        let facts =
            [origin == .builtIn ? nil : origin.words]
            + [origin == .builtIn ? "default" : defaultValue.isEmpty ? nil : "default \(text(defaultValue))"]
        return Line("\(key) = ") + Line(text(value), origin == .builtIn ? .normal : .strong)
            + Line(" (\(facts.compactMap(\.self).joined(separator: "; ")))", .faint)
    }
}

extension Page {
    fileprivate mutating func addState(_ result: NotifyListResult) {
        guard result.isOn else {
            return line(
                Line("Your notifications are off.", .caution) + Line(" Turn them on with: transitctl notify on"))
        }
        line(Line("Your notifications are on.", .good))
        if let muted = result.mutedUntil { line("They are muted until \(muted.words(from: result.at)).", .caution) }
        let agent = result.agent
        if agent.subscribers > 0 {
            line(
                "A program shows them"
                    + (agent.lastContact.map { ", last at \($0.words(from: result.at))" } ?? "") + ".", .faint)
        }
        if let quiet = result.quietHours { line("Quiet hours: \(quiet)", .faint) }
        if !result.daysOff.isEmpty {
            let ranges = ServiceDateRange.ranges(of: result.daysOff)
            line("Days off: " + ranges.map(\.description).joined(separator: ", "), .faint)
        }
    }

    /// Adds the rules that watch the subjects of each kind.
    fileprivate mutating func addWatchingRules(_ result: NotifyListResult) {
        var kinds: [(name: String, rules: [String])] = []
        for subject in result.subjects where !subject.rules.isEmpty {
            guard !kinds.contains(where: { $0.name == subject.kind.rawValue }) else { continue }
            kinds.append((subject.kind.rawValue, subject.rules))
        }
        if !kinds.isEmpty { blank() }
        for kind in kinds {
            line(Line("\(kind.name): ", .strong) + Line("watched by \(kind.rules.joined(separator: ", "))"))
        }
    }

    /// Adds a line for each rule that is on, and the names of the others.
    fileprivate mutating func addRules(_ result: NotifyListResult) {
        let rules = result.rules.filter(\.isRule)
        let width = rules.map(\.rule.count).max() ?? 0
        if rules.contains(where: \.isOn) {
            blank()
            line("Rules that are on", .strong)
        }
        for rule in rules where rule.isOn {
            let name = rule.rule + String(repeating: " ", count: width - rule.rule.count + 2)
            line(Line(name) + Line(rule.next ?? rule.description, .faint) + rule.muteLine(result.at), indent: 2)
        }
        let off = rules.filter { !$0.isOn }.map(\.rule)
        if let first = off.first {
            blank()
            line(
                Line("Rules that are off: ", .strong) + Line(off.joined(separator: ", "))
                    + Line("  (to turn one on: transitctl notify set \(first) on)", .faint))
        }
    }

    /// Adds the settings that the user or the configuration changed.
    fileprivate mutating func addChangedSettings(_ result: NotifyListResult) {
        let changed = result.rules.flatMap(\.settings).filter { $0.origin != .builtIn }
        guard !changed.isEmpty else { return }
        blank()
        line("Changed settings", .strong)
        for setting in changed { line(setting.line, indent: 2) }
    }

    /// Says how to watch a commute if nothing is watched.
    fileprivate mutating func addHintWithoutSubjects(_ result: NotifyListResult) {
        guard result.subjects.isEmpty else { return }
        line("Nothing is watched yet. To watch a commute, give it a window:")
        line("transitctl commute add NAME FROM TO --window 07:00-09:00", indent: 2)
    }

    fileprivate mutating func addSubjects(_ result: NotifyListResult) {
        guard !result.subjects.isEmpty else { return }
        blank()
        self.table(["watched", "name", .shrinking("next")], of: result.subjects) { subject in
            [Line(subject.kind.rawValue, .faint), Line(subject.name, .strong), subject.line(from: result.at)]
        }
    }
}

extension WatchedSubjectStatus {
    fileprivate func line(from now: Timestamp) -> Line {
        if let problem { return Line(problem, .caution) }
        guard let scheduled else { return Line("no departure in the coming days", .faint) }
        let place = [route, stop.map { "from \($0)" }].compactMap(\.self).joined(separator: " ")
        var line = Line("\(place), \(scheduled.words(from: now))")
        if let expected, expected.instant != scheduled.instant {
            line = line + Line(", expected \(expected.clock)", .caution)
        }
        return line
    }
}

extension NotifyListResult {
    /// The quiet hours such as "22:00 to 07:00"; `nil` if there are none.
    fileprivate var quietHours: String? {
        let settings = rules.first { $0.rule == "quiet" }?.settings ?? []
        func value(_ name: String) -> String? { settings.first { $0.key == "quiet.\(name)" }?.value }
        guard value("on") == "on", let from = value("from"), let until = value("until"), from != until else {
            return nil
        }
        return "\(from) to \(until)"
    }
}

extension NotificationRuleStatus {
    /// Whether it decides notifications, unlike a group of settings that concern all rules.
    fileprivate var isRule: Bool { !["subjects", "quiet", "bucket", "text"].contains(rule) }

    fileprivate func muteLine(_ now: Timestamp) -> Line {
        mutedUntil.map { Line("  muted until \($0.words(from: now))", .caution) } ?? Line("")
    }

    /// The rows for scripts: key, value, origin, description.
    fileprivate var rows: [[String]] { settings.map { [$0.key, $0.value, $0.origin.rawValue, $0.description] } }
}

extension SettingOrigin {
    fileprivate var words: String {
        switch self {
        case .user: "yours"
        case .configuration: "configuration"
        case .builtIn: "default"
        case .other: "other"
        }
    }
}

extension NotificationLogEntry {
    fileprivate var stageLine: Line {
        switch stage {
        case "done": Line("done", .good)
        case "failed": Line("failed", .bad)
        case "suppressed": Line("not shown", .faint)
        case "handed_out": Line("handed out")
        case "replaced": Line("replaced", .faint)
        default: Line(stage, .caution)
        }
    }
}

extension View where Result == NotifySetResult {
    static let notifySet = View(
        page: { page, result in
            let setting = result.setting
            page.line(
                Line(setting.key, .strong) + Line(" is ") + Line(setting.value, .strong)
                    + Line(setting.origin == .user ? "." : " (\(setting.origin.words))."))
            page.line(setting.description, .faint)
        },
        rows: { [[$0.setting.key, $0.setting.value, $0.setting.origin.rawValue, $0.setting.description]] })
}

extension View where Result == NotifyMuteResult {
    static let notifyMute = View.sentence { result in
        let what = result.rule.map { "The rule \($0) is" } ?? "Your notifications are"
        return result.until.map { "\(what) muted until \($0.words(from: result.at))." } ?? "\(what) no longer muted."
    }
}

extension View where Result == NotifyTestResult {
    static let notifyTest = View(
        page: { page, result in
            page.add(result.event, from: result.at)
        }, rows: { [$0.event.row] })
}

extension View where Result == NotifyActResult {
    static let notifyAct = View.sentence { $0.message }
}

extension View where Result == NotifyRehearseResult {
    /// The notifications that other settings would have raised.
    static let notifyRehearse = View(
        page: { page, result in
            page.line(
                "On \(CountText.of(result.days, "day")) with observations, your current settings give "
                    + "\(CountText.of(result.before, "notification")) about departures (\(result.soundingBefore) with a "
                    + "sound), the other settings \(result.after) (\(result.soundingAfter)).")
            page.line(
                result.logged == result.before
                    ? "The log has the same number for these days."
                    : "The log has \(result.logged) for these days: your departures, settings or mutes were different then."
            )
            var table = Table(["current", "other", "rule", .shrinking("what")])
            for entry in result.differences {
                table.add([
                    Line(entry.before?.words(from: result.at) ?? "-"), Line(entry.after?.words(from: result.at) ?? "-"),
                    Line(entry.rule, .strong), Line(entry.title),
                ])
            }
            if !result.differences.isEmpty { page.blank() }
            page.table(table)
        },
        rows: { result in
            result.differences.map { [$0.before?.rfc3339 ?? "", $0.after?.rfc3339 ?? "", $0.rule, $0.title] }
        })
}

extension View where Result == NotificationsResult {
    /// The current notifications, newest first.
    static let notifications = View(
        page: { page, result in
            for event in result.events.reversed() {
                page.blank()
                page.add(event, from: result.at)
            }
            if result.events.isEmpty { page.line("No notification in the last two minutes.") }
        }, rows: { $0.events.map(\.row) })
}

extension Page {
    /// Adds a notification: its title, its text, and its rule.
    fileprivate mutating func add(_ event: NotificationEvent, from now: Timestamp) {
        let style: Style = event.op == .withdraw ? .struck : event.urgency == .high ? .bad : .strong
        line(Line(event.title, style))
        for text in event.body.split(separator: "\n") { line(String(text), indent: 2) }
        for item in event.items {
            line("- \(item.title)", indent: 2)
        }
        var facts = [Line("\(event.rule), \(event.op.rawValue)", .faint), Line(event.at.words(from: now), .faint)]
        if event.op != .withdraw {
            facts.append(Line("valid until \(event.validUntil.words(from: now))", .faint))
        }
        pieces(facts, indent: 2)
    }
}

extension NotificationEvent {
    /// The row for scripts: time, operation, rule, urgency, title, text, reason, id, key.
    fileprivate var row: [String] {
        [at.rfc3339, op.rawValue, rule, urgency.rawValue, title, body, reason, id, key]
    }
}
