internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries

/// Explains whether the two feeds of an agency agree about a departure, and whose data is shown.
struct FeedAgreementText {
    private let explained: ExplainedDeparture
    private let departure: Departure

    init(_ explained: ExplainedDeparture, _ departure: Departure) {
        self.explained = explained
        self.departure = departure
    }

    /// What the other feed changes about the confidence of the shown data, such as ", but town has it canceled"; empty
    /// if nothing.
    var confidence: String {
        guard let data = explained.merged.confirmation, let other = explained.other else { return "" }
        let hidden = other.isShown ? explained.own : other
        switch data.agreement {
        case .alone, .agreed, .differs: return ""
        case .confirmed:
            return raises ? "; one level higher, because \(hidden.feed.id) agrees" : ""
        case .contradictsStatus:
            return hidden.call.isRunning
                ? ", but \(hidden.feed.id) reports that it runs"
                : ", but \(hidden.feed.id) reports that it does not run"
        case .contradictsTime, .contradictsTimeWidely:
            return ", but the prediction of \(hidden.feed.id) differs by \(abs(data.difference)) s"
        }
    }

    private var raises: Bool { explained.merged.call.confidence > explained.shown.call.confidence }

    /// Returns what the other feed states about the departure; empty if it does not have the departure.
    ///
    /// - Parameter local: Formats a time.
    func fact(_ local: (Instant) -> String) -> [ExplainedFact] {
        guard let confirmation = departure.confirmedBy, let data = explained.merged.confirmation else { return [] }
        let time = confirmation.expected.map { "at \(local($0.instant))" } ?? "at an unknown time"
        let action =
            confirmation.status == .scheduled || confirmation.status == .added ? "leaves" : confirmation.status.rawValue
        let offset = "\(abs(confirmation.difference)) s \(confirmation.difference < 0 ? "earlier" : "later")"
        return [
            ExplainedFact(
                fact: "confirmed_by",
                value:
                    "\(confirmation.feed) says: \(action) \(time) (\(confirmation.source.rawValue)), \(offset); "
                    + meaning(data) + (raises ? ", so the confidence is one level higher" : ""),
                source: "`supplements` in the configuration; \(confirmation.departure)")
        ]
    }

    private func meaning(_ data: MergedDeparture.DepartureConfirmation) -> String {
        let (own, other) = (departure.feed.rawValue, data.timetable.feed.rawValue)
        let (shown, hidden) = data.isUsed ? (other, own) : (own, other)
        let reason: String? =
            switch data.preference {
            case .equal: nil
            case .otherIsScheduled: "\(hidden) has only a scheduled time"
            case .otherIsSilent: "\(hidden) has only the last prediction of a source that has sent nothing newer"
            case .predictionOverEstimate: "\(hidden) has only an estimate from a position"
            case .cancellationOverEstimate: "a position does not show that \(hidden) is right"
            }
        let because = reason.map { ", because \($0)" } ?? ""
        switch data.agreement {
        case .contradictsStatus:
            return "the two feeds disagree on whether it runs, and the data of \(shown) is shown\(because)"
        case .contradictsTime, .contradictsTimeWidely, .alone:
            return "the two feeds differ, and the time of \(shown) is shown\(because)"
        case .differs:
            return data.isUsed
                ? "its time is shown\(because)" : "the two feeds differ, and the time of \(shown) is shown\(because)"
        case .agreed, .confirmed:
            return data.isUsed ? "its time is shown\(because)" : "the two feeds agree"
        }
    }
}
