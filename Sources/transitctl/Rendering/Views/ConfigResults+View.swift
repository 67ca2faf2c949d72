internal import TransitControl

extension View where Result == ConfigCheckResult {
    /// The problems of the configuration.
    static let configCheck = View(
        page: { result in
            var page = Page()
            let file = result.file ?? "No configuration file"
            page.line(
                result.isValid ? Line("\(file): ") + Line("ok", .good) : Line("\(file): ") + Line("invalid", .bad))
            page.add(result.problems, in: result.file)
            return page
        }, rows: { $0.problems.map(\.row) })
}

extension View where Result == ConfigReloadResult {
    /// The changes made by the reload.
    static let configReload = View(
        page: { result in
            var page = Page()
            page.line(result.changes.isEmpty ? "Reloaded; nothing changed." : "Reloaded:")
            for change in result.changes { page.line(change, indent: 2) }
            page.add(result.problems, in: result.file)
            return page
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
