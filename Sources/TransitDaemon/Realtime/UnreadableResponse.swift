internal import TransitFeeds
internal import TransitModel

/// A response in which no entry is usable. Such a response is neither an update nor an empty dataset.
struct UnreadableResponse: Error, CustomStringConvertible {
    private let finding: RealtimeProblems.Finding

    /// - Parameter entities: The number of entries that were read.
    /// - Returns: `nil` if an entry was read or none was dropped.
    init?(entities: Int, problems: RealtimeProblems) {
        guard entities == 0, let finding = problems.findings.first(where: \.rule.mayLeaveOut) else { return nil }
        self.finding = finding
    }

    init?(_ message: DecodedMessage) { self.init(entities: message.entities.count, problems: message.problems) }

    var description: String {
        let example = finding.example
        let value = example.value.map { " (\"\($0)\")" } ?? ""
        let rule = finding.rule.rawValue.split(separator: "_").joined(separator: " ")
        return
            "None of the response's entries can be used: \(rule), \(example.field)\(value) at byte \(example.offset)."
    }
}

extension RealtimeProblems.Rule {
    /// Whether the problem can cause an entry to be dropped.
    fileprivate var mayLeaveOut: Bool {
        switch self {
        case .missingHeader, .missingEntityID, .unsupportedEntity, .unsupportedField, .invalidText: false
        default: true
        }
    }
}
