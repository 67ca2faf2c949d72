public import TransitModel

/// Decides whether a version that was read may replace the one that is in use.
///
/// A pure comparison of summaries; what makes a feed useless by itself was refused when it was read.
public enum FeedAcceptance {
    public enum Decision: Hashable, Sendable {
        /// `warning` is for people, when the version is taken although something is wrong with it.
        case accept(warning: String?)
        /// The version in use stays; the reason is for people.
        case refuse(reason: String)
    }

    /// A version with less than this part of the stops, or of both trips and stop times, of the one before is taken
    /// for a broken export. One of trips and stop times alone may shrink: a publisher may begin to use
    /// frequencies.txt, or to write fewer dates.
    public static let minimumShare = 0.25

    /// - Parameters:
    ///   - previous: the version in use; `nil` when there is none, and then every version is accepted.
    ///   - isNetwork: whether the source is one that may tell no times.
    public static func decide(
        _ new: TimetableSummary, previous: TimetableSummary?, today: ServiceDate, isNetwork: Bool = false
    ) -> Decision {
        guard let dates = new.serviceDates else {
            guard isNetwork else { return .refuse(reason: "No trip of the feed runs on any date") }
            return decide(network: new, previous: previous)
        }
        let isExpired = dates.upperBound < today
        let warning = isExpired ? "The feed has expired: its last service date was \(dates.upperBound)" : nil
        // A version with which nobody can travel any more is no reason to keep another out.
        guard let previous, let last = previous.serviceDates?.upperBound, last >= today else {
            return .accept(warning: warning)
        }
        if isExpired {
            return .refuse(
                reason:
                    "The feed's last service date was \(dates.upperBound), and the version in use runs until \(last)")
        }
        if let loss = loss(from: previous.counts, to: new.counts) {
            return .refuse(reason: "The feed is far smaller than the version in use: \(loss)")
        }
        return .accept(warning: nil)
    }

    /// A network is compared with a network: where there was a timetable before, another source was configured.
    private static func decide(network new: TimetableSummary, previous: TimetableSummary?) -> Decision {
        guard let previous, previous.serviceDates == nil, let loss = loss(from: previous.counts, to: new.counts) else {
            return .accept(warning: nil)
        }
        return .refuse(reason: "The network is far smaller than the version in use: \(loss)")
    }

    /// What shrank too far, as words; `nil` when nothing did.
    private static func loss(from old: TimetableSummary.Counts, to new: TimetableSummary.Counts) -> String? {
        if isFarBelow(new.stops, than: old.stops) { return "\(new.stops) stops instead of \(old.stops)" }
        if isFarBelow(new.trips, than: old.trips), isFarBelow(new.stopTimes, than: old.stopTimes) {
            return "\(new.trips) trips instead of \(old.trips)"
        }
        return nil
    }

    private static func isFarBelow(_ new: Int, than old: Int) -> Bool { Double(new) < Double(old) * minimumShare }
}
