internal import TransitModel
package import TransitQueries

/// Notifies in the evening that tomorrow's service is not the usual one of its weekday, as an entry of the digest.
enum UnusualServiceRule: GeneralRule {
    static let name = "service"
    static let rules: [NotificationRule] = [.timetable]

    struct Memory: RuleMemory {
        /// The last date about whose service the user was notified.
        var reported: ServiceDate?

        private enum CodingKeys: String, CodingKey { case reported = "told" }
    }

    static func decide(_ context: GeneralRuleContext, _ state: inout RuleMemories) -> [NotificationDecision] {
        guard let unusual = context.input.service, unusual.date == context.today.advanced(by: 1),
            state[Self.self].reported != unusual.date, !context.settings.daysOff.contains(unusual.date),
            context.isTime(context.evening)
        else { return [] }
        state[Self.self].reported = unusual.date
        var decision = context.decision(
            .timetable, "service-\(unusual.date)", title: unusual.title, body: unusual.body,
            validUntil: context.moment(0, on: unusual.date.advanced(by: 1)), subject: ("digest", "\(unusual.date)"),
            reason: "The service at your stops differs from the neighboring weeks.")
        decision.date = unusual.date
        decision.isForDigest = true
        return [decision]
    }

    static func nextMoment(_ context: GeneralRuleContext, _ state: RuleMemories) -> Instant? {
        guard let service = context.input.service, state[Self.self].reported != service.date else { return nil }
        return context.moment(context.evening, on: service.date.advanced(by: -1))
    }
}

extension UnusualService {
    /// "Sunday service tomorrow, Friday".
    package var title: String { "\(words) tomorrow, \(GeneralText.name(of: date.weekday))" }

    /// "Sunday service", "No service", "Fewer departures", "Different times", "Changed service".
    var words: String {
        if let resembles { return "\(GeneralText.name(of: resembles)) service" }
        if lines.allSatisfy({ $0.planned == 0 }) { return "No service" }
        if lines.allSatisfy({ $0.planned < $0.usual }) { return "Fewer departures" }
        return lines.allSatisfy { $0.planned == $0.usual } ? "Different times" : "Changed service"
    }

    /// "Bus 24: 4 departures instead of 12".
    package var body: String {
        let texts = lines.map { line in
            switch line.planned {
            case 0: "\(line.name): no departures"
            case line.usual: "\(line.name): different times"
            default: "\(line.name): \(GeneralText.count(line.planned, "departure")) instead of \(line.usual)"
            }
        }
        return GeneralText.limited(
            texts.prefix(5).joined(separator: "\n") + (texts.count > 5 ? "\nand \(texts.count - 5) more" : ""),
            to: GeneralText.maximumBody)
    }
}
