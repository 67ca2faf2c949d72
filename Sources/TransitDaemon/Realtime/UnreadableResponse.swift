internal import TransitFeeds
internal import TransitModel

/// An answer with entries of which not one can be used: that is no news, and not the news that there is nothing.
struct UnreadableResponse: Error, CustomStringConvertible {
    private let finding: RealtimeProblems.Finding

    /// - Parameter entities: how many were read.
    /// - Returns: `nil` where something was read, or nothing was left out.
    init?(entities: Int, problems: RealtimeProblems) {
        guard entities == 0, let finding = problems.findings.first(where: \.rule.mayLeaveOut) else { return nil }
        self.finding = finding
    }

    init?(_ message: DecodedMessage) { self.init(entities: message.entities.count, problems: message.problems) }

    var description: String {
        let example = finding.example
        let value = example.value.map { " (\"\($0)\")" } ?? ""
        let rule = finding.rule.rawValue.split(separator: "_").joined(separator: " ")
        return "None of the answer's entries can be used: \(rule), \(example.field)\(value) at byte \(example.offset)."
    }
}

extension RealtimeProblems.Rule {
    /// Whether an entry may be left out for it.
    fileprivate var mayLeaveOut: Bool {
        switch self {
        case .missingHeader, .missingEntityID, .unsupportedEntity, .unsupportedField, .invalidText: false
        default: true
        }
    }
}
