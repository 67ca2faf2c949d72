package import TransitControl
internal import TransitEngine
package import TransitModel
package import TransitQueries
internal import TransitStore
internal import TransitWire

/// Writes the notices about the feeds behind a reply.
package struct FeedNotices {
    private let now: Instant

    package init(now: Instant) { self.now = now }

    package func about(_ feeds: [FeedView]) -> [Notice] { feeds.flatMap(about) }

    package func about(_ feed: FeedView) -> [Notice] { feed.notices(at: now).map { Notice($0, at: now) } }

    /// Returns the notices about the timetable alone.
    package func aboutTimetable(_ feed: FeedView) -> [Notice] {
        feed.timetableNotices(at: now).map { Notice($0, at: now) }
    }
}

extension ConfirmedWithdrawal {
    fileprivate var cancellationsSentence: String {
        switch cancellations {
        case 0: "None of them was canceled."
        case 1: "One cancellation ended with them."
        default: "\(cancellations) cancellations ended with them."
        }
    }
}

extension Notice {
    /// Words a notice about a feed.
    init(_ notice: FeedNotice, at now: Instant) {
        let (feed, zone) = (notice.feed, notice.zone)
        func timestamp(_ time: Instant) -> Timestamp { Timestamp(time, in: zone) }
        func made(_ kind: NoticeKind, _ message: String, since: Instant? = nil) -> Notice {
            Notice(kind: kind, feed: feed.id, message: message, since: since.map(timestamp))
        }
        self =
            switch notice.fact {
            case .noTimetable: Notice(withoutTimetable: feed)
            case .keyRejected(let since):
                made(
                    .failed,
                    "The source of \(feed.id) rejects its key. transitd retries at increasing intervals of up to one day. "
                        + RejectedKeyRemedy.text(feed.id, hasFile: feed.source.hasKeyFile), since: since)
            case .offline(let confirmed):
                made(
                    .offline,
                    "There is no network. Replies use the data of \(feed.id) on this machine and show its age.",
                    since: confirmed)
            case .expired(let last, let isNewest):
                made(
                    .expired,
                    "The timetable of \(feed.id) ended on \(last)\(isNewest ? ", and its source has no newer one" : ""). "
                        + "Its times may be wrong."
                        + (isNewest ? "" : " Look for a newer one with: transitctl feed update \(feed.id)"),
                    since: zone.serviceDayStart(last.advanced(by: 1)))
            case .expiring(let last, let days):
                made(
                    .expiring,
                    "The timetable of \(feed.id) ends "
                        + "\(days == 0 ? "today" : days == 1 ? "tomorrow" : "in \(days) days"), on \(last).")
            case .updateFailed(let attempt):
                made(
                    attempt.outcome == .refused ? .malformed : .failed,
                    "The last update of \(feed.id) failed: \(attempt.message)", since: attempt.ended)
            case .unconfirmed(let since, let days):
                made(
                    .stale,
                    "The \(feed.timetable?.hasTimes == false ? "network" : "timetable") of \(feed.id) was last "
                        + "confirmed by its source \(days) days ago.", since: since)
            case .realtimeOutdated(let time):
                made(
                    .stale,
                    "The live data of \(feed.id) is \(AgeWords.of(time.seconds(to: now))) old. "
                        + "Predictions from it that are still shown have low confidence"
                        + (feed.timetable?.hasTimes == false ? "." : "; other times come from the timetable."),
                    since: time)
            case .realtimeFailed(let kind, let failure):
                made(
                    failure.isMalformed ? .malformed : .failed,
                    "The \(kind.rawValue.split(separator: "_").joined(separator: " ")) of \(feed.id) cannot be "
                        + "\(failure.isMalformed ? "used" : "fetched"): \(failure.reason)", since: failure.since)
            case .tripsNotRepeated(let count, let since):
                made(
                    .stale,
                    "Since \(zone.timeOfDay(at: since)), the live data of \(feed.id) lacks \(Self.trips(count)) that "
                        + "it reported before and that \(count == 1 ? "is" : "are") not over. The last known data about "
                        + "\(count == 1 ? "it" : "them") is shown with low confidence.", since: since)
            case .tripsWithdrawn(let withdrawal):
                made(
                    .partial,
                    "Since \(zone.timeOfDay(at: withdrawal.since)), the live data of \(feed.id) no longer contains "
                        + "\(Self.trips(withdrawal.trips)) that \(withdrawal.trips == 1 ? "is" : "are") not over. "
                        + "\(withdrawal.cancellationsSentence) Departures are shown as in the timetable.",
                    since: withdrawal.since)
            case .changesLost(let since):
                made(
                    .partial,
                    "The source of \(feed.id) sends only changes, and those since \(zone.timeOfDay(at: since)) may be lost "
                        + "because transitd was not running. Cancellations and delays may be missing until the source has "
                        + "reported each trip under way.", since: since)
            case .mostlyUnmatched(let unmatched, let matched):
                made(
                    .partial,
                    "\(unmatched) of the \(unmatched + matched) trips in the live data of \(feed.id) are not in the feed's "
                        + "timetable or do not run on the given service date. They are not used.")
            case .withoutTimes:
                made(
                    .noTimetable,
                    "\(feed.id) has no timetable, only live data. Departures outside of the live data are not known.")
            }
    }

    private static func trips(_ count: Int) -> String { count == 1 ? "one trip" : "\(count) trips" }

    private init(withoutTimetable feed: FeedView) {
        if feed.source.isUpdating {
            self.init(kind: .importing, feed: feed.id, message: "\(feed.id) is being imported for the first time.")
            return
        }
        let error = ControlError.noData([feed])
        let rejected = feed.source.hasKey ? feed.source.keyRejectedSince : nil
        let isFailed = rejected != nil || feed.source.lastAttempt?.outcome == .failed
        self.init(
            kind: isFailed ? .failed : .missing, feed: feed.id,
            message: [error.message, error.hint].compactMap { $0 }.joined(separator: " "),
            since: (rejected ?? feed.source.lastAttempt?.ended).map { Timestamp($0) })
    }
}
