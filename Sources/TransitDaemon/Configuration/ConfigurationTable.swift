internal import TransitControl
internal import TransitWire

/// A TOML table with getters that check the type and range of values.
///
/// A getter that finds a mistake reports it with its position and a remedy, and returns `nil`. Therefore, all
/// mistakes are found in one pass over the file.
struct ConfigurationTable {
    let diagnostics: ConfigurationDiagnostics
    /// The prefix of the headers of subtables, such as `feed.`; empty for the document.
    private let prefix: String
    private let entries: [String: TOMLEntry]
    /// The position of the table; `nil` for the document.
    private let position: TextPosition?

    /// Creates the table of the document itself.
    init(_ entries: [String: TOMLEntry], diagnostics: ConfigurationDiagnostics) {
        self.init(entries, prefix: "", position: nil, diagnostics: diagnostics)
    }

    private init(
        _ entries: [String: TOMLEntry], prefix: String, position: TextPosition?, diagnostics: ConfigurationDiagnostics
    ) {
        self.entries = entries
        self.prefix = prefix
        self.position = position
        self.diagnostics = diagnostics
    }

    /// Maximum number of members of a list or table. A larger one is probably a mistake and would take long to check.
    private static let maximumCount = 1000

    /// Sorted alphabetically.
    var keys: [String] { entries.keys.sorted() }
    func has(_ key: String) -> Bool { entries[key] != nil }

    /// Reports a problem with a value at the value's position, or with a missing value at the table's position.
    func report(_ key: String, _ message: String, remedy: String) {
        diagnostics.report(at: entries[key]?.value.position ?? position, message, remedy: remedy)
    }

    /// Reports a problem with the table's name.
    func reportName(_ message: String, remedy: String) { diagnostics.report(at: position, message, remedy: remedy) }

    /// Warns of a problem that can disappear without an edit, such as a missing file.
    func warn(_ key: String, _ message: String, remedy: String) {
        diagnostics.warn(at: entries[key]?.value.position ?? position, message, remedy: remedy)
    }

    // MARK: Values

    /// Returns a string value. If the value has another type, the remedy shows `example`.
    func text(_ key: String, example: String) -> String? {
        guard let value = entries[key]?.value else { return nil }
        guard case .text(let text) = value.content else {
            wrongType(key, value, wanted: "a string", example: "\"\(example)\"")
            return nil
        }
        return text
    }

    /// Returns the strings of a value that is a string or a list of strings.
    func texts(_ key: String, example: String) -> [String] {
        guard let value = entries[key]?.value else { return [] }
        if case .text(let text) = value.content { return [text] }
        guard let array = list(key, value) else {
            wrongType(key, value, wanted: "a string or a list of strings", example: "\"\(example)\"")
            return []
        }
        return array.compactMap { element in
            if case .text(let text) = element.content { return text }
            diagnostics.report(
                at: element.position, "`\(key)` contains \(article(element.content))",
                remedy: "write `\(key) = [\"\(example)\"]`")
            return nil
        }
    }

    /// Returns a string, number or truth value as text.
    func scalar(_ key: String, example: String) -> String? {
        guard let value = entries[key]?.value else { return nil }
        switch value.content {
        case .text(let text): return text
        case .integer(let number): return String(number)
        case .number(let number): return "\(number)"
        case .boolean(let isTrue): return isTrue ? "on" : "off"
        default:
            wrongType(key, value, wanted: "a single value", example: example)
            return nil
        }
    }

    /// Whether the value is a list without elements.
    func isEmptyList(_ key: String) -> Bool {
        guard case .array(let array) = entries[key]?.value.content else { return false }
        return array.isEmpty
    }

    func requiredText(_ key: String, example: String, of owner: String) -> String? {
        if !has(key) {
            report(key, "\(owner) has no `\(key)`", remedy: "add `\(key) = \"\(example)\"`")
            return nil
        }
        return text(key, example: example)
    }

    func integer(_ key: String, in range: ClosedRange<Int>, unit: String, example: Int) -> Int? {
        guard let value = entries[key]?.value else { return nil }
        guard case .integer(let number) = value.content else {
            wrongType(key, value, wanted: "a whole number", example: Self.unquoted(value, Int.init) ?? String(example))
            return nil
        }
        guard range.contains(number) else {
            report(
                key, "`\(key)` is \(number)",
                remedy: "use a value from \(range.lowerBound) to \(range.upperBound)\(unit.isEmpty ? "" : " ")\(unit)")
            return nil
        }
        return number
    }

    func number(_ key: String, in range: ClosedRange<Double>, unit: String, example: Double) -> Double? {
        guard let value = entries[key]?.value else { return nil }
        let number: Double
        switch value.content {
        case .number(let given): number = given
        case .integer(let given): number = Double(given)
        default:
            wrongType(key, value, wanted: "a number", example: Self.unquoted(value, Double.init) ?? String(example))
            return nil
        }
        guard range.contains(number) else {
            report(
                key, "`\(key)` is \(number)",
                remedy: "use a value from \(range.lowerBound) to \(range.upperBound) \(unit)")
            return nil
        }
        return number
    }

    /// Parses a whole number with a unit, such as `60s`, `5m`, `24h` or `7d`, and returns seconds.
    func duration(_ key: String, in range: ClosedRange<Int>, example: String) -> Int? {
        guard let text = text(key, example: example) else { return nil }
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()), number >= 0 else {
            report(
                key, "`\(key)` is \"\(text)\", which is not a duration",
                remedy: "write `\(key) = \"\(example)\"`, with the unit s, m, h or d")
            return nil
        }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit)
        guard !overflow, range.contains(seconds) else {
            report(
                key, "`\(key)` is \"\(text)\"",
                remedy: "use a value from \(Self.formatted(range.lowerBound)) to \(Self.formatted(range.upperBound))")
            return nil
        }
        return seconds
    }

    /// Formats a duration in the largest unit that divides it.
    private static func formatted(_ seconds: Int) -> String {
        let units = [(86_400, "d"), (3600, "h"), (60, "m")]
        return units.first { seconds % $0.0 == 0 }.map { "\(seconds / $0.0)\($0.1)" } ?? "\(seconds)s"
    }

    /// Returns the `[[key]]` tables.
    func tables(_ key: String) -> [ConfigurationTable] {
        guard let value = entries[key]?.value else { return [] }
        guard let array = list(key, value) else {
            wrongType(key, value, wanted: "a list of tables", example: "[[\(prefix)\(key)]]", isHeader: true)
            return []
        }
        return array.compactMap { element in
            guard case .table(let entries) = element.content else {
                diagnostics.report(
                    at: element.position, "`\(key)` contains \(article(element.content))",
                    remedy: "write a table that begins with the line `[[\(prefix)\(key)]]`")
                return nil
            }
            return ConfigurationTable(
                entries, prefix: "\(prefix)\(key).", position: element.position, diagnostics: diagnostics)
        }
    }

    /// Returns the table `[key]`.
    func table(_ key: String) -> ConfigurationTable? {
        guard let entry = entries[key] else { return nil }
        guard case .table(let entries) = entry.value.content else {
            wrongType(key, entry.value, wanted: "a table", example: "[\(prefix)\(key)]", isHeader: true)
            return nil
        }
        return ConfigurationTable(
            entries, prefix: "\(prefix)\(key).", position: entry.position, diagnostics: diagnostics)
    }

    /// Returns the tables `[key.NAME]`, sorted by name.
    func namedTables(_ key: String) -> [(name: String, table: ConfigurationTable?)] {
        guard let all = table(key) else { return [] }
        if all.entries.count > Self.maximumCount {
            report(key, "`\(key)` has \(all.entries.count) names", remedy: "use at most \(Self.maximumCount)")
        }
        return all.keys.prefix(Self.maximumCount).map { ($0, all.table($0)) }
    }

    /// Returns `nil` if the value is not a list.
    private func list(_ key: String, _ value: TOMLValue) -> [TOMLValue]? {
        guard case .array(let array) = value.content else { return nil }
        guard array.count > Self.maximumCount else { return array }
        report(key, "`\(key)` has \(array.count) entries", remedy: "use at most \(Self.maximumCount)")
        return Array(array.prefix(Self.maximumCount))
    }

    // MARK: Keys

    /// Reports each key that is not among `known`.
    ///
    /// - Parameters:
    ///   - later: Keys that a future version will support.
    ///   - instead: Remedies for common wrong keys, by key.
    func rejectUnknownKeys(
        besides known: [String], later: [String] = [], instead: [String: String] = [:], in owner: String
    ) {
        for (key, entry) in entries.sorted(by: { $0.value.position < $1.value.position })
        where !known.contains(key) {
            if later.contains(key) {
                diagnostics.report(
                    at: entry.position, "`\(key)` in \(owner) is not supported by this version", remedy: "remove it")
                continue
            }
            diagnostics.report(
                at: entry.position, "\(owner) has no key `\(key)`",
                remedy: diagnostics.isFull ? "" : instead[key] ?? remedy(for: key, known))
        }
    }

    private func remedy(for key: String, _ known: [String]) -> String {
        if let near = Spelling.closest(to: key, among: known) { return "did you mean `\(near)`?" }
        return "the keys are " + known.map { "`\($0)`" }.joined(separator: ", ")
    }

    private func wrongType(
        _ key: String, _ value: TOMLValue, wanted: String, example: String, isHeader: Bool = false
    ) {
        let remedy = isHeader ? "begin it with the line `\(example)`" : "write `\(key) = \(example)`"
        report(key, "`\(key)` is \(article(value.content)), not \(wanted)", remedy: remedy)
    }

    /// Returns the number in a quoted string, without the quotes; `nil` if the value is not a string that contains a
    /// number.
    private static func unquoted<Number: CustomStringConvertible>(
        _ value: TOMLValue, _ read: (String) -> Number?
    ) -> String? {
        guard case .text(let text) = value.content else { return nil }
        return read(text).map { "\($0)" }
    }

    private func article(_ content: TOMLValue.Content) -> String {
        switch content {
        case .table: "a table"
        case .array: "a list"
        case .text: "a string"
        case .integer: "a whole number"
        case .number: "a number with a fraction"
        case .boolean: "true or false"
        case .date: "a date"
        case .time: "a time of day"
        case .dateTime: "a date with a time"
        }
    }
}

extension ConfigurationTable {
    /// Parses the base URL of a server, without a trailing slash. Reports an error for any other value.
    func base(_ text: String, key: String, example: String) -> String? {
        switch StaticSource.base(text, key: key, example: example) {
        case .success(let base): return base
        case .failure(let invalidSource):
            report(key, invalidSource.message, remedy: invalidSource.remedy)
            return nil
        }
    }
}
