internal import TransitClient
internal import TransitControl
internal import TransitWire

extension ClientError {
    /// The page for standard error: the cause, followed by suggestions.
    var page: Page {
        var page = Page()
        let lines = message.split(separator: "\n").map(String.init)
        page.line(Line("transitctl: ", .bad) + Line(lines.first ?? ""))
        for line in lines.dropFirst() { page.line(line, indent: 2) }
        if case .refused(let error) = self {
            if let hint = error.hint { page.line(hint, indent: 2) }
            page.table(error.choices)
        }
        return page
    }
}

extension ControlError {
    /// The candidates listed in the details of the error.
    fileprivate var choices: Table {
        var table = Table([.shrinking("name"), "reference"], indent: 2, showsTitles: false)
        guard case .object(let object)? = details else { return table }
        for member in object.members {
            guard case .array(let elements) = member.value else { continue }
            for element in elements.prefix(Self.choicesShown) { if let row = Self.row(element) { table.add(row) } }
        }
        return table
    }

    private static let choicesShown = 10

    private static func row(_ value: JSONValue) -> [Line]? {
        guard let id = value["id"]?.text else { return nil }
        let platform = PlatformText.of(value["platform"]?.text)
        let name = [value["name"]?.text, platform, value["long_name"]?.text].compactMap { $0 }.joined(separator: ", ")
        return [Line(name), Line(value["feed"]?.text.map { "\($0):\(id)" } ?? id, .faint)]
    }
}

extension Notice {
    /// Returns a line such as "note: the last update of caltrain failed (since 3 March 04:00)".
    func line(from now: Timestamp) -> Line {
        var line = Line("note: ", .caution)
        line.append(message)
        switch kind {
        case .failed, .missing, .malformed, .partial, .importing, .offline, .damaged, .suspended:
            if let since { line.append(" (since \(since.words(from: now)))", .faint) }
        // The messages of these kinds contain the date.
        case .stale, .expired, .expiring, .noService, .noTimetable, .fetching, .quiet, .lastService, .other:
            break
        }
        return line
    }
}
