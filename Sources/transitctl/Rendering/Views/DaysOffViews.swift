internal import TransitControl
internal import TransitModel

extension View where Result == NotifyDaysOffResult {
    static let daysOff = View(
        page: { page, result in
            if result.days.isEmpty {
                page.line("No days off.")
            } else {
                page.pieces(
                    [Line("Days off: ") + Line("\(ServiceDateRange.ranges(of: result.days)[0])")]
                        + ServiceDateRange.ranges(of: result.days).dropFirst().map { Line("\($0)") })
            }
        }, rows: { $0.days.map { ["\($0)"] } })

    /// The result for each entry of a calendar.
    ///
    /// - Parameter titles: The titles of the entries, by their positions in the file.
    static func daysOffImport(titles: [String]) -> View {
        View(
            page: { $0 = DaysOffImportPage($1, titles).page },
            rows: { result in
                result.entries.map { entry in
                    [
                        entry.title(titles), entry.days > 0 ? "added" : "skipped", String(entry.days),
                        entry.spans.map(\.rangeText).joined(separator: ","), entry.reason ?? "",
                    ]
                }
            })
    }
}

/// The result of an import for people: the entries that are days off with their dates, then the others by reason.
private struct DaysOffImportPage {
    private(set) var page = Page()

    /// The number of titles that are listed for each reason.
    private static let maximumTitles = 10

    init(_ result: NotifyDaysOffResult, _ titles: [String]) {
        let added = result.entries.filter { $0.days > 0 }
        guard !result.entries.isEmpty else {
            page.line("The file has no events.")
            return
        }
        page.line(
            added.isEmpty
                ? "No event is a day off."
                : "Days off from \(added.count) of \(CountText.of(result.entries.count, "event")):")
        page.table([.shrinking("event"), .trailing("days"), "dates"], indent: 2, of: added) { entry in
            [Line(entry.title(titles), .strong), Line(String(entry.days)), Line(entry.dateWords)]
        }
        addSkipped(result.entries.filter { $0.days == 0 }, titles)
        page.blank()
        page.line(
            result.days.isEmpty
                ? "You have no days off."
                : "You have \(CountText.of(result.days.count, "day")) off. To list them: transitctl notify days-off",
            .faint)
    }

    private mutating func addSkipped(_ entries: [ImportedCalendarEntry], _ titles: [String]) {
        var reasons: [(reason: String, titles: [String])] = []
        for entry in entries {
            let reason = entry.reason ?? "It adds no day off."
            if let known = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[known].titles.append(entry.title(titles))
            } else {
                reasons.append((reason, [entry.title(titles)]))
            }
        }
        guard !reasons.isEmpty else { return }
        page.blank()
        page.line("Not days off:")
        for (reason, all) in reasons {
            var unique: [String] = []
            for title in all where !unique.contains(title) && unique.count < Self.maximumTitles { unique.append(title) }
            page.line(Line(reason, .caution), indent: 2)
            let rest = all.count - all.count { unique.contains($0) }
            page.pieces(unique.map { Line($0) } + (rest > 0 ? [Line("and \(rest) more", .faint)] : []), indent: 4)
        }
    }
}

extension ImportedCalendarEntry {
    fileprivate func title(_ titles: [String]) -> String {
        titles.indices.contains(index) ? titles[index] : "Event \(index + 1)"
    }

    /// The first dates, such as "2026-12-24..2026-12-26, 2027-01-01 …".
    fileprivate var dateWords: String {
        let shown = spans.prefix(3)
        let count = shown.reduce(0) { $0 + $1.first.days(to: $1.last) + 1 }
        return shown.map(\.rangeText).joined(separator: ", ") + (count < days ? " …" : "")
    }
}

extension DateSpan {
    /// The range as commands accept it: "2026-12-24" or "2026-12-24..2026-12-26".
    fileprivate var rangeText: String { ServiceDateRange(first: first, last: last).description }
}
