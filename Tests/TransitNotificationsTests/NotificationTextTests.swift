import Foundation
import Testing
import TransitModel

@testable import TransitNotifications

/// Every text of a notification in one table, which a person can read aloud. `TRANSIT_RECORD=1` records the table; read
/// it before committing.
struct NotificationTextTests {
    private static var table: TextTable {
        var table = TextTable()
        table.addLeaving()
        table.addCorrections()
        table.addDelays()
        table.addCancellations()
        table.addChanges()
        table.addReports()
        table.addArrivals()
        table.addLastJourneys()
        table.addAlerts()
        table.addTimetables()
        table.addConditions()
        table.addDays()
        table.addDigests()
        table.addSuppressions()
        return table
    }

    @Test func tableEqualsTheRecordedOne() throws {
        let text = Self.table.text
        print(text)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "NotificationTexts.txt")
        if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        let difference = zip(text.split(separator: "\n"), golden.split(separator: "\n")).first { $0 != $1 }
        #expect(text == golden, "first difference: \(difference.map { "\($0.0) instead of \($0.1)" } ?? "the length")")
    }

    @Test func everyCaseHasAText() { #expect(Self.table.emptyCases == []) }

    /// Rules without a text of their own: the weather is a line of others.
    @Test func everyRuleHasAText() {
        let rules = Set(Self.table.rows.map(\.rule))
        #expect(Set(NotificationRule.allCases).subtracting(rules) == [.weather])
    }

    /// The titles of alerts are those of their publishers.
    @Test func titlesFitOnALineOrTwo() {
        for row in Self.table.rows where row.rule != .alert {
            #expect(!row.title.isEmpty && row.title.count <= 70, "\(row.title.count): \(row.title)")
        }
    }

    /// Words and times that no person uses: "told", 26:40, "-1 days", "80 %".
    @Test func textsArePlain() throws {
        let words = try Regex(
            "(?i)\\b(tell|tells|told|nil|optional)\\b|\\b(2[4-9]|[3-9][0-9]):[0-9]{2}|\\s-[0-9]|  | %")
        for row in Self.table.rows {
            for text in [row.title, row.body, row.reason, row.suppression ?? ""] {
                #expect(text.firstMatch(of: words) == nil, "\(row.rule) \(row.name): \(text)")
            }
        }
    }
}

/// The texts of one decision, with the case that it stands for.
struct TextRow {
    let rule: NotificationRule
    let name: String
    let hasSound: Bool
    let title: String
    let body: String
    let reason: String
    let suppression: String?

    var line: String {
        [
            rule.rawValue, name, suppression == nil ? hasSound ? "!" : "" : "-", title,
            body.split(separator: "\n").joined(separator: " / "), suppression.map { "Not shown: \($0)" } ?? reason,
        ].joined(separator: " | ")
    }
}

/// The texts of all cases.
struct TextTable {
    private(set) var rows: [TextRow] = []
    /// The cases that decided nothing, which the test does not accept.
    private(set) var emptyCases: [String] = []

    mutating func add(_ name: String, _ decisions: [NotificationDecision]) {
        if decisions.isEmpty { emptyCases.append(name) }
        rows += decisions.map {
            TextRow(
                rule: $0.rule, name: $0.operation == .withdraw ? "\(name) (withdrawal)" : name, hasSound: $0.hasSound,
                title: $0.title, body: $0.body, reason: $0.reason, suppression: $0.suppression)
        }
    }

    /// `rule | case | ! with a sound, - if not shown | title | body | reason`.
    var text: String { rows.map(\.line).joined(separator: "\n") + "\n" }
}
