internal import TransitEngine

/// Describes what follows from the trips that a realtime source usually reports.
enum ReportingText {
    static func text(of finding: ReportingFinding) -> String {
        let place = finding.isOfRoute ? "of this route and direction" : "of the feed"
        let share =
            "the source reports \(finding.reported) of \(finding.total) other trips \(place) that were under way in the last hour"
        return switch finding.verdict {
        case .missing: "\(share); \(lead(finding))"
        case .tooFewTrips: "fewer than three other trips were under way in the last hour, too few to expect this one"
        case .routeNotReported: "the source has never reported a trip of this route and direction"
        case .tooFewReported: "\(share), too few to expect this one"
        case .notYetDue: "\(lead(finding)), so it is too early to expect this one"
        case .reportedBefore: "the source reported this trip before; trips that it stops reporting may return"
        case .oftenReportedLate: "\(share), but it often reports trips later than this"
        }
    }

    private static func lead(_ finding: ReportingFinding) -> String {
        guard let lead = finding.lead else { return "it reports trips at the latest when they are under way" }
        let minutes = abs(lead) / 60
        return "nine of ten trips are first reported "
            + (lead >= 0 ? "at least \(minutes) min before their start" : "at most \(minutes) min after their start")
    }
}
