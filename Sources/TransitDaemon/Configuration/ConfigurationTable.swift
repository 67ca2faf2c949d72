internal import TOMLKit
internal import TransitControl

/// What is found while a configuration is read. One for each reading; its tables share it.
final class ConfigurationFindings {
    let positions: TOMLPositions
    private(set) var problems: [ConfigurationError.Problem] = []

    init(positions: TOMLPositions) { self.positions = positions }

    func report(at position: TextPosition?, _ message: String, remedy: String) {
        let problem = ConfigurationError.Problem(position: position, message: message, remedy: remedy)
        // A value may be looked at twice.
        if !problems.contains(problem) { problems.append(problem) }
    }
}

/// A TOML table being read: hands out checked values and reports everything else with its place and a remedy.
///
/// A getter that finds something wrong reports it and returns `nil`, so that one reading finds all that is wrong.
struct ConfigurationTable {
    let path: TOMLPath
    let findings: ConfigurationFindings
    private let table: TOMLTable

    init(_ table: TOMLTable, path: TOMLPath, findings: ConfigurationFindings) {
        self.table = table
        self.path = path
        self.findings = findings
    }

    /// In alphabetical order.
    var keys: [String] { table.keys.sorted() }
    func has(_ key: String) -> Bool { table[key] != nil }

    /// Reports a wrong value, at the value; a missing one at the table.
    func report(_ key: String, _ message: String, remedy: String) {
        findings.report(at: findings.positions.value(path[key]), message, remedy: remedy)
    }

    // MARK: Values

    /// `example` is shown as the remedy when the value is of another type.
    func text(_ key: String, example: String) -> String? {
        guard let value = table[key] else { return nil }
        guard let text = value.string else {
            wrongType(key, value, wanted: "a text", example: "\"\(example)\"")
            return nil
        }
        return text
    }

    /// A text, or a list of texts.
    func texts(_ key: String, example: String) -> [String] {
        guard let value = table[key] else { return [] }
        if let text = value.string { return [text] }
        guard let array = value.array else {
            wrongType(key, value, wanted: "a text or a list of texts", example: "\"\(example)\"")
            return []
        }
        return array.enumerated().compactMap { index, element in
            if let text = element.string { return text }
            findings.report(
                at: findings.positions.value(path[key][index]), "`\(key)` holds \(article(element.type))",
                remedy: "write `\(key) = [\"\(example)\"]`")
            return nil
        }
    }

    func requiredText(_ key: String, example: String, of owner: String) -> String? {
        if !has(key) {
            report(key, "\(owner) has no `\(key)`", remedy: "add `\(key) = \"\(example)\"`")
            return nil
        }
        return text(key, example: example)
    }

    func integer(_ key: String, in range: ClosedRange<Int>, unit: String, example: Int) -> Int? {
        guard let value = table[key] else { return nil }
        guard let number = value.int else {
            wrongType(key, value, wanted: "a whole number", example: String(example))
            return nil
        }
        guard range.contains(number) else {
            report(
                key, "`\(key)` is \(number)",
                remedy: "give \(range.lowerBound) to \(range.upperBound)\(unit.isEmpty ? "" : " ")\(unit)")
            return nil
        }
        return number
    }

    func number(_ key: String, in range: ClosedRange<Double>, unit: String, example: Double) -> Double? {
        guard let value = table[key] else { return nil }
        guard let number = value.double ?? value.int.map(Double.init) else {
            wrongType(key, value, wanted: "a number", example: String(example))
            return nil
        }
        guard range.contains(number) else {
            report(
                key, "`\(key)` is \(number)",
                remedy: "give \(range.lowerBound) to \(range.upperBound) \(unit)")
            return nil
        }
        return number
    }

    /// A whole number with a unit: `60s`, `5m`, `24h`, `7d`. In seconds.
    func duration(_ key: String, in range: ClosedRange<Int>, example: String) -> Int? {
        guard let text = text(key, example: example) else { return nil }
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()), number >= 0 else {
            report(
                key, "`\(key)` is \"\(text)\", which is no duration",
                remedy: "write `\(key) = \"\(example)\"`, with one of s, m, h and d")
            return nil
        }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit)
        guard !overflow, range.contains(seconds) else {
            report(
                key, "`\(key)` is \"\(text)\"",
                remedy: "give \(Self.inWords(range.lowerBound)) to \(Self.inWords(range.upperBound))")
            return nil
        }
        return seconds
    }

    /// In the largest unit that fits.
    private static func inWords(_ seconds: Int) -> String {
        let units = [(86_400, "d"), (3600, "h"), (60, "m")]
        return units.first { seconds % $0.0 == 0 }.map { "\(seconds / $0.0)\($0.1)" } ?? "\(seconds)s"
    }

    /// The tables of `[[key]]`.
    func tables(_ key: String) -> [ConfigurationTable] {
        guard let value = table[key] else { return [] }
        guard let array = value.array else {
            wrongType(key, value, wanted: "a list of tables", example: "[[\(key)]]", isHeader: true)
            return []
        }
        return array.enumerated().compactMap { index, element in
            guard let table = element.table else {
                findings.report(
                    at: findings.positions.value(path[key][index]), "`\(key)` holds \(article(element.type))",
                    remedy: "write a table that begins with the line `[[\(key)]]`")
                return nil
            }
            return ConfigurationTable(table, path: path[key][index], findings: findings)
        }
    }

    /// The table `[key]`.
    func table(_ key: String) -> ConfigurationTable? {
        guard let value = table[key] else { return nil }
        guard let table = value.table else {
            wrongType(key, value, wanted: "a table", example: "[\(key)]", isHeader: true)
            return nil
        }
        return ConfigurationTable(table, path: path[key], findings: findings)
    }

    // MARK: Keys

    /// Reports each key that is not among `known`; one of `later` is of a version to come.
    func refuseKeys(besides known: [String], later: [String] = [], in owner: String) {
        for key in keys where !known.contains(key) {
            let position = findings.positions.key(path[key])
            if later.contains(key) {
                findings.report(
                    at: position, "`\(key)` in \(owner) is not yet in this version", remedy: "remove it for now")
                continue
            }
            let remedy = Spelling.closest(to: key, among: known).map { "did you mean `\($0)`?" }
            let all = known.map { "`\($0)`" }.joined(separator: ", ")
            findings.report(
                at: position, "\(owner) has no key `\(key)`", remedy: remedy ?? "the keys are \(all)")
        }
    }

    private func wrongType(
        _ key: String, _ value: any TOMLValueConvertible, wanted: String, example: String, isHeader: Bool = false
    ) {
        let remedy = isHeader ? "begin it with the line `\(example)`" : "write `\(key) = \(example)`"
        report(key, "`\(key)` is \(article(value.type)), not \(wanted)", remedy: remedy)
    }

    private func article(_ type: TOMLType) -> String {
        switch type {
        case .table: "a table"
        case .array: "a list"
        case .string: "a text"
        case .int: "a whole number"
        case .double: "a number with a fraction"
        case .bool: "true or false"
        case .date: "a date"
        case .time: "a time of day"
        case .dateTime: "a date with a time"
        }
    }
}
