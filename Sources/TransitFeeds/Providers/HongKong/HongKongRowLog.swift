internal import TransitModel

/// The problems in individual rows of a response. All problems are counted, and the first few positions of each kind
/// are recorded.
struct HongKongRowLog: Sendable {
    enum Rule: Hashable, Sendable {
        /// A required member is absent, `null` or of another type; the row is left out.
        case missing
        /// The member has an invalid value. The row is used without it, or left out if the member is required.
        case invalid
        /// The text is not valid UTF-8; invalid bytes are replaced by U+FFFD.
        case invalidUTF8
        /// The response has more rows than any valid one; the rest is left out.
        case tooMany
    }

    struct Place: Hashable, Sendable {
        /// The row number, from 1.
        var row: Int
        /// The offset in bytes from the start of the response.
        var offset: Int
        var value: String?
    }

    struct Finding: Hashable, Sendable {
        var rule: Rule
        var member: String
        var count: Int
        var places: [Place]
    }

    private(set) var findings: [Finding] = []

    /// - Parameter value: The invalid value, which is truncated and stripped of control characters.
    mutating func add(_ rule: Rule, _ member: String, at place: (row: Int, offset: Int), value: String? = nil) {
        let position = findings.firstIndex { $0.rule == rule && $0.member == member }
        guard let position else {
            return findings.append(
                Finding(rule: rule, member: member, count: 1, places: [Self.place(place, value)]))
        }
        findings[position].count += 1
        guard findings[position].places.count < ValidationReport.examplesPerRule else { return }
        findings[position].places.append(Self.place(place, value))
    }

    private static func place(_ place: (row: Int, offset: Int), _ value: String?) -> Place {
        Place(row: place.row, offset: place.offset, value: value.map(plain))
    }

    /// Truncates a text to 32 characters and removes control characters, which a terminal would interpret.
    static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.lazy.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }.prefix(32)))
    }
}

extension HongKongRowLog {
    /// Adds the findings about a list of the network to a report.
    ///
    /// - Parameter list: The requested list: "kmb/route-stop".
    func add(to report: inout ValidationReport, list: String) {
        for finding in findings {
            for number in 0..<finding.count {
                let place = finding.places[min(number, finding.places.count - 1)]
                report.add(
                    finding.rule.name, finding.rule.severity,
                    at: .init(file: list, line: place.row, field: finding.member), finding.message(place))
            }
        }
    }

    /// The findings about arrivals.
    var problems: RealtimeProblems {
        var problems = RealtimeProblems()
        for finding in findings {
            for number in 0..<finding.count {
                let place = finding.places[min(number, finding.places.count - 1)]
                problems.add(
                    finding.rule.realtimeRule(finding.member),
                    .init(field: "data.\(finding.member)", offset: place.offset, value: place.value))
            }
        }
        return problems
    }
}

extension HongKongRowLog.Finding {
    fileprivate func message(_ place: HongKongRowLog.Place) -> String {
        let value = place.value.map { " (“\($0)”)" } ?? ""
        let row = "Row \(place.row), at byte \(place.offset),"
        return switch rule {
        case .missing: "\(row) has no usable “\(member)” and is left out"
        case .invalid: "\(row) has an invalid “\(member)”\(value)"
        case .invalidUTF8: "\(row) has a “\(member)” that is not UTF-8\(value)"
        case .tooMany: "\(row) and all later rows exceed the limit and are left out"
        }
    }
}

extension HongKongRowLog.Rule {
    fileprivate var name: String {
        switch self {
        case .missing: "missing_required_field"
        case .invalid: "invalid_value"
        case .invalidUTF8: "invalid_character"
        case .tooMany: "too_many_rows"
        }
    }

    fileprivate var severity: ValidationReport.Severity { self == .invalidUTF8 ? .warning : .error }

    fileprivate func realtimeRule(_ member: String) -> RealtimeProblems.Rule {
        switch self {
        case .missing where member == "route" || member == "dir": .missingTrip
        case .missing: .unexpectedType
        case .invalid where member == "eta" || member.hasSuffix("timestamp"): .invalidTimestamp
        case .invalid: .invalidNumber
        case .invalidUTF8: .invalidText
        case .tooMany: .unsupportedEntity
        }
    }
}
