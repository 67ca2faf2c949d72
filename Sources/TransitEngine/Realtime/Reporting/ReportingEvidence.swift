internal import TransitModel

/// Why a trip that the realtime data does not mention is missing, or why nothing follows from its absence.
public struct ReportingFinding: Hashable, Sendable {
    public enum Verdict: UInt8, Hashable, Sendable {
        /// The source reports such trips and should have reported this one by now.
        case missing
        /// Fewer than three trips were under way in the last hour.
        case tooFewTrips
        /// The source has never reported a trip of the route and direction.
        case routeNotReported
        /// The source reports fewer than 80 % of the trips.
        case tooFewReported
        /// The source usually reports trips nearer to their start.
        case notYetDue
        /// The source reported the trip before, and trips that it stops reporting return.
        case reportedBefore
        /// Too many of the trips that were unreported at this point were reported later.
        case oftenReportedLate
    }

    public var verdict: Verdict
    /// How many of ``total`` trips the source reported.
    public var reported: Int
    /// The number of trips that were under way in the last hour, as far as the source was observed. Neither the trip in
    /// question nor canceled trips are counted.
    public var total: Int
    /// Whether the trips are those of the route and direction, rather than those of the feed.
    public var isOfRoute: Bool
    /// The number of seconds before their start by which nine of ten trips had been reported, negative after the start;
    /// `nil` if it has not been learned.
    public var lead: Int?
}

/// What the current message and the previous ones say about the trips that the source does not mention.
///
/// A trip is missing only if the source reports trips like it: at least three, and 80 %, of those of its route and
/// direction that were under way in the last hour, or of those of the feed, if there are fewer. In addition, the trip
/// must be nearer to its start than the lead by which nine of ten trips had been reported, and of the trips that were
/// unreported so late, at most one in twenty may have been reported afterwards.
public final class ReportingEvidence: Sendable {
    /// The number of trips and how many of them are reported.
    struct Share: Hashable, Sendable {
        var reported = 0
        var total = 0

        /// Whether at least 80 % are reported.
        var isReported: Bool { reported * 5 >= total * 4 }
    }

    /// A trip that the source no longer reports.
    struct DroppedTrip: Hashable, Sendable {
        /// The planned or predicted end, whichever is later, in seconds since 1970.
        var end: Int64
        /// Whether the trip was not about to end when the source stopped reporting it.
        var isEarly: Bool
    }

    /// The time of the message.
    let time: Int64
    /// The start of the period in which trips are counted.
    let countedSince: Int64
    let feed: Share
    let routes: [TimetableTrips.RouteDirection: Route]
    let dropped: [TripInstanceKey: DroppedTrip]
    let habits: ReportingHabits

    /// The trips of one route and direction.
    struct Route: Sendable {
        var name: ReportingHabits.RouteName?
        var share = Share()
        var lead: Int?
        /// Whether the timetable's trips are counted.
        var isCounted = false
        /// The time of the message for which the lead was determined.
        var time: Int64 = .min
    }

    /// The lead in seconds that is assumed before it has been learned: the trip is under way.
    static let assumedLead = -120

    init(
        time: Int64, countedSince: Int64, feed: Share, routes: [TimetableTrips.RouteDirection: Route],
        dropped: [TripInstanceKey: DroppedTrip], habits: ReportingHabits
    ) {
        self.time = time
        self.countedSince = countedSince
        self.feed = feed
        self.routes = routes
        self.dropped = dropped
        self.habits = habits
    }

    /// Whether a trip counts as under way in the last hour. A trip that is usually reported after its start counts from
    /// then.
    static func counts(start: Int64, end: Int64, lead: Int?, time: Int64, since: Int64) -> Bool {
        start - Int64(min(0, lead ?? assumedLead)) <= time && end >= since
    }

    /// Judges a trip that the message does not mention.
    ///
    /// - Parameters:
    ///   - start: the planned start.
    ///   - end: the planned arrival at the last call.
    /// - Returns: `nil` if the trips of the route are not counted.
    func finding(
        _ key: TripInstanceKey, route: TimetableTrips.RouteDirection, start: Int64, end: Int64, now: Int64
    ) -> ReportingFinding? {
        guard let entry = routes[route], entry.isCounted else { return nil }
        let isItselfCounted = Self.counts(start: start, end: end, lead: entry.lead, time: time, since: countedSince)
        func others(_ share: Share) -> Share {
            guard isItselfCounted else { return share }
            return Share(reported: share.reported - (dropped[key] == nil ? 0 : 1), total: share.total - 1)
        }
        var share = others(entry.share)
        let isOfRoute = share.total >= 3
        if !isOfRoute { share = others(feed) }
        let verdict: ReportingFinding.Verdict =
            if share.total < 3 {
                .tooFewTrips
            } else if entry.share.reported == 0, !(entry.name.map { habits.reports($0) } ?? false) {
                .routeNotReported
            } else if share.reported < 3 || !share.isReported {
                .tooFewReported
            } else if now < start - Int64(entry.lead ?? Self.assumedLead) {
                .notYetDue
            } else if dropped[key] != nil, !habits.abandonedTripsStayAway {
                .reportedBefore
            } else if dropped[key] == nil, isOftenReportedLater(entry.name, lead: Int(clamping: start - now)) {
                .oftenReportedLate
            } else {
                .missing
            }
        return ReportingFinding(
            verdict: verdict, reported: share.reported, total: share.total, isOfRoute: isOfRoute, lead: entry.lead)
    }

    /// Whether more than one in twenty trips that were unreported so near to their start were reported later.
    private func isOftenReportedLater(_ name: ReportingHabits.RouteName?, lead: Int) -> Bool {
        let leads = habits.leads(of: name)
        return leads.reportedLater(than: lead) * 19 > leads.neverReported + 1
    }
}
