package import TransitModel
package import TransitQueries
package import TransitWire

/// Tells in the evening that tomorrow's service is not the usual one of its weekday, as an entry of the digest.
package enum ServiceRule {
    package struct Memory: RuleMemory {
        /// The date whose service was told last.
        var told: ServiceDate?

        package init() {}

        package init?(_ json: JSONValue) {
            guard case .object = json else { return nil }
            told = json["told"]?.dateValue
        }

        package var json: JSONValue { .object(JSONObject([("told", told.map { .date($0) })])) }
    }

    /// - Parameters:
    ///   - unusual: The service of tomorrow; `nil` if it is usual.
    ///   - daysOff: Dates on which the user does not travel.
    package static func evaluate(
        _ unusual: UnusualService?, daysOff: DaysOff = DaysOff(), memory: inout Memory,
        thresholds: NetworkThresholds, zone: ServiceZone, now: Instant
    ) -> [NotificationDecision] {
        let clock = zone.civil(at: now)
        let seconds = clock.secondsOfDay - thresholds.eveningDigest
        guard let unusual, unusual.date == clock.date.advanced(by: 1), memory.told != unusual.date,
            !daysOff.contains(unusual.date), seconds >= 0, seconds < thresholds.lateness
        else { return [] }
        memory.told = unusual.date
        var decision = NotificationDecision(
            id: "", key: "service-\(unusual.date)", revision: 0, operation: .show, rule: .timetable, at: now,
            validUntil: zone.instant(date: unusual.date.advanced(by: 1), secondsOfDay: 0), title: unusual.title,
            body: unusual.body, subjectKind: "digest", subjectName: "\(unusual.date)",
            reason: "The service at your stops differs from the neighboring weeks.")
        decision.date = unusual.date
        decision.isForDigest = true
        return [decision]
    }
}

extension UnusualService {
    /// "Sunday service tomorrow, Friday".
    package var title: String { "\(words) tomorrow, \(NetworkText.name(of: date.weekday))" }

    /// "Sunday service", "No service", "Fewer departures", "Different times", "Changed service".
    var words: String {
        if let resembles { return "\(NetworkText.name(of: resembles)) service" }
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
            default: "\(line.name): \(NetworkText.count(line.planned, "departure")) instead of \(line.usual)"
            }
        }
        return NetworkText.limited(
            texts.prefix(5).joined(separator: "\n") + (texts.count > 5 ? "\nand \(texts.count - 5) more" : ""),
            to: NetworkText.maximumBody)
    }
}
