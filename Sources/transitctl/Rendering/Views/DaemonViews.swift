internal import TransitControl
internal import TransitModel

extension View where Result == StatusResult {
    /// The status of the daemon and its feeds.
    static let status = View(page: page, rows: { $0.feeds.map(\.row) })

    private static func page(_ page: inout Page, _ result: StatusResult) {
        page.line(
            Line("transitd \(result.daemon.version)", .heading)
                + Line(", running for \(DurationText.of(seconds: result.daemon.uptime))"))
        page.pieces(facts(result), indent: 2)
        if result.daemon.isReplay {
            page.line(
                "The daemon's clock was set to a different time; it is now \(result.at.rfc3339).", .caution, indent: 2)
        }
        if !result.feeds.isEmpty { page.blank() }
        page.table(FeedTable.of(result.feeds, at: result.at))
        for feed in result.feeds { page.addFailure(of: feed, from: result.at) }
        page.addDatasets(of: result.feeds, at: result.at)
        for feed in result.feeds { page.addDelays(of: feed) }
        for dataset in result.context { page.line(dataset.contextLine) }
        for cache in result.caches {
            page.line(Line("\(cache.name): ", .strong) + Line(cache.health.rawValue, .bad) + Line(". \(cache.message)"))
        }
        if result.feeds.isEmpty { page.line("No feeds: the configuration has no [[feed]].", indent: 2) }
    }

    private static func facts(_ result: StatusResult) -> [Line] {
        var facts = [
            "process \(result.daemon.pid)", "memory \(CountText.bytes(result.daemon.memory))",
            CountText.of(result.daemon.connections, "client"), "socket \(result.daemon.socket)",
            "configuration \(result.daemon.configuration ?? "none")",
            "timetables \(CountText.bytes(result.storage.timetables))",
        ]
        if let network = result.network {
            facts.append(
                (network.isOnline ? network.resolvesNames ? "online" : "ONLINE, BUT DNS FAILS" : "OFFLINE")
                    + (network.since.map { " since \($0.words(from: result.at))" } ?? ""))
        }
        if let free = result.storage.free { facts.append("\(CountText.bytes(free)) free") }
        facts.append("commute \(result.commute ?? "by the time of day")")
        if let notifications = result.notifications {
            facts.append("notifications " + (notifications.isOn ? "on" : "off"))
        }
        return facts.map { Line($0) }
    }
}

extension DatasetStatus {
    /// The state of a dataset that belongs to no feed, such as "weather from Open-Meteo: fresh, 10 minutes old".
    fileprivate var contextLine: Line {
        let style: Style = freshness == .fresh ? .good : .caution
        var line = Line(dataset.rawValue, .strong) + Line(" from \(source): ") + Line(freshness.rawValue, style)
        if let age { line.append(", \(DurationText.of(seconds: max(0, age))) old") }
        for note in notes { line.append(". \(note)", .faint) }
        return line
    }
}

extension View where Result == DoctorResult {
    /// The checks, with remedies for problems.
    static let doctor = View(
        page: { page, result in
            for check in result.checks {
                page.line(check.outcome.line + Line(" \(check.check)", .strong) + Line(": \(check.message)"))
                if let remedy = check.remedy, check.outcome != .ok { page.line("-> \(remedy)", indent: 2) }
            }
        }, rows: { $0.checks.map { [$0.check, $0.outcome.rawValue, $0.message, $0.remedy ?? ""] } })
}

extension CheckOutcome {
    fileprivate var line: Line {
        switch self {
        case .ok: Line("ok", .good)
        case .warning: Line("warning", .caution)
        case .failed: Line("failed", .bad)
        case .skipped, .other: Line(rawValue, .faint)
        }
    }
}

extension View where Result == ConfigCheckResult {
    /// The problems of the configuration.
    static let configCheck = View(
        page: { page, result in
            let file = result.file ?? "No configuration file"
            page.line(
                result.isValid ? Line("\(file): ") + Line("ok", .good) : Line("\(file): ") + Line("invalid", .bad))
            page.add(result.problems, in: result.file)
        }, rows: { $0.problems.map(\.row) })
}

extension View where Result == ConfigReloadResult {
    /// The changes made by the reload.
    static let configReload = View(
        page: { page, result in
            page.line(result.changes.isEmpty ? "Reloaded; nothing changed." : "Reloaded:")
            for change in result.changes { page.line(change, indent: 2) }
            page.add(result.problems, in: result.file)
        }, rows: { $0.changes.map { ["changed", "", "", "", $0, ""] } + $0.problems.map(\.row) })
}

extension Page {
    /// Appends problems in the format of compiler diagnostics, which editors can parse: "config.toml:12:5: error:
    /// message".
    fileprivate mutating func add(_ problems: [ConfigurationProblem], in file: String?) {
        for problem in problems {
            let place = [file, problem.line.map(String.init), problem.column.map(String.init)].compactMap { $0 }
            var line = Line(place.joined(separator: ":"), .strong)
            line.append(": ")
            line.append(problem.isError ? Line("error", .bad) : Line("warning", .caution))
            line.append(": \(problem.message)")
            self.line(line)
            if let remedy = problem.remedy { self.line(remedy, indent: 2) }
        }
    }
}

extension ConfigurationProblem {
    /// The row for scripts: severity, line, column, key, message, remedy.
    fileprivate var row: [String] {
        [
            isError ? "error" : "warning", line.map(String.init) ?? "", column.map(String.init) ?? "", key ?? "",
            message, remedy ?? "",
        ]
    }
}

extension View where Result == KeyResult {
    /// The state of a key, never the key itself.
    static let keyResult = View(
        page: { page, result in
            page.line(Line("\(result.feed): ", .strong) + Line(result.message, result.state.style))
        }, rows: { [[$0.feed.rawValue, $0.state.rawValue, $0.origin?.rawValue ?? "", $0.message]] })
}

extension KeyState {
    fileprivate var style: Style {
        switch self {
        case .accepted: .good
        case .rejected: .bad
        case .missing, .unverified: .caution
        case .removed, .other: .normal
        }
    }
}
