public import TransitModel

/// Decides whether a new timetable version may replace the current version.
///
/// The decision depends only on the summaries of both versions. A feed that is unusable on its own was already rejected
/// when it was read.
public enum FeedAcceptance {
    public enum Decision: Hashable, Sendable {
        /// The new version replaces the current version. `warning` is a message for the user if the new version has a
        /// defect.
        case accept(warning: String?)
        /// The current version stays in use. `reason` is a message for the user.
        case refuse(reason: String)
    }

    /// The minimum size of a new version relative to the current version.
    ///
    /// A version with a smaller share of the stops, or of both the trips and the stop times, is considered a broken
    /// export. The number of trips or of stop times alone may shrink, because a publisher can start to use
    /// frequencies.txt or to publish fewer dates.
    public static let minimumShare = 0.25

    /// Decides whether to accept a new version.
    ///
    /// - Parameters:
    ///   - previous: The current version, or `nil` if there is none. Without a current version, a new version is
    ///     accepted as long as it has service dates or `isNetwork` is true.
    ///   - isNetwork: Whether the source may publish a network without times.
    public static func decide(
        _ new: TimetableSummary, previous: TimetableSummary?, today: ServiceDate, isNetwork: Bool = false
    ) -> Decision {
        guard let dates = new.serviceDates else {
            guard isNetwork else { return .refuse(reason: "No trip in the feed runs on any date") }
            return decide(network: new, previous: previous)
        }
        let isExpired = dates.upperBound < today
        let warning = isExpired ? "The feed has expired: its last service date was \(dates.upperBound)" : nil
        // An expired current version is always replaced.
        guard let previous, let last = previous.serviceDates?.upperBound, last >= today else {
            return .accept(warning: warning)
        }
        if isExpired {
            return .refuse(
                reason:
                    "The feed's last service date was \(dates.upperBound), but the current version is valid until \(last)"
            )
        }
        // Another part of the feed can have any size.
        if previous.subset?.rule == new.subset?.rule, let loss = loss(from: previous.counts, to: new.counts) {
            return .refuse(reason: "The feed is much smaller than the current version: \(loss)")
        }
        return .accept(warning: nil)
    }

    /// Compares a network only with another network. If the current version is a timetable, the configured source has
    /// changed.
    private static func decide(network new: TimetableSummary, previous: TimetableSummary?) -> Decision {
        guard let previous, previous.serviceDates == nil, let loss = loss(from: previous.counts, to: new.counts) else {
            return .accept(warning: nil)
        }
        return .refuse(reason: "The network is much smaller than the current version: \(loss)")
    }

    /// Returns a description of the counts that shrank too much, or `nil` if none did.
    private static func loss(from old: TimetableSummary.Counts, to new: TimetableSummary.Counts) -> String? {
        if isFarBelow(new.stops, than: old.stops) { return "\(new.stops) stops instead of \(old.stops)" }
        if isFarBelow(new.trips, than: old.trips), isFarBelow(new.stopTimes, than: old.stopTimes) {
            return "\(new.trips) trips instead of \(old.trips)"
        }
        return nil
    }

    private static func isFarBelow(_ new: Int, than old: Int) -> Bool { Double(new) < Double(old) * minimumShare }
}
