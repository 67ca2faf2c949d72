internal import TransitModel

/// What is wrong with single rows of an answer: all is counted, and of each finding the first few places are kept.
struct HongKongRowLog: Sendable {
    enum Rule: Hashable, Sendable {
        /// Without this member the row is of no use, and it is left out; the member is absent, null or of another kind.
        case missing
        /// The member cannot be what it says; the row is used without it, or left out where it is needed.
        case invalid
        /// A text that is not UTF-8; what is broken in it is replaced by U+FFFD.
        case text
        /// More rows than anybody would send; the rest is left out.
        case tooMany
    }

    struct Place: Hashable, Sendable {
        /// From 1 on.
        var row: Int
        /// Bytes from the start of the answer.
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

    /// - Parameter value: what stood there; it is cut, and of control characters nothing is kept.
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

    /// Cut to 32 characters, and without those that act on a terminal.
    static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.lazy.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }.prefix(32)))
    }
}

extension HongKongRowLog {
    /// The findings about a list of the network.
    ///
    /// - Parameter list: what was asked for: "kmb/route-stop".
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
        case .invalid: "\(row) has a “\(member)” that cannot be\(value)"
        case .text: "\(row) has a “\(member)” that is not UTF-8\(value)"
        case .tooMany: "\(row) and what follows is more than is read"
        }
    }
}

extension HongKongRowLog.Rule {
    fileprivate var name: String {
        switch self {
        case .missing: "missing_required_field"
        case .invalid: "invalid_value"
        case .text: "invalid_character"
        case .tooMany: "too_many_rows"
        }
    }

    fileprivate var severity: ValidationReport.Severity { self == .text ? .warning : .error }

    fileprivate func realtimeRule(_ member: String) -> RealtimeProblems.Rule {
        switch self {
        case .missing where member == "route" || member == "dir": .missingTrip
        case .missing: .unexpectedType
        case .invalid where member == "eta" || member.hasSuffix("timestamp"): .invalidTimestamp
        case .invalid: .invalidNumber
        case .text: .invalidText
        case .tooMany: .unsupportedEntity
        }
    }
}
