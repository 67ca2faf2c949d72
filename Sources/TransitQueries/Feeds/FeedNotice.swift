package import TransitEngine
package import TransitModel
package import TransitStore

/// A fact about a feed that a caller must know to judge a result: data that is missing, old or partial. The words are
/// the caller's.
package struct FeedNotice: Sendable {
    package enum Fact: Sendable {
        /// The feed has no timetable. ``FeedView/source`` tells why.
        case noTimetable
        case keyRejected(since: Instant)
        case offline(confirmed: Instant?)
        /// The last service date has passed. `isNewest` is whether the source has been checked since then, and published
        /// no newer timetable.
        case expired(last: ServiceDate, isNewest: Bool)
        /// The last service date is near. `days` is 0 for today.
        case expiring(last: ServiceDate, days: Int)
        /// The last update was refused or failed.
        case updateFailed(RecordedFeedAttempt)
        /// The source has not confirmed the timetable for several refresh intervals.
        case unconfirmed(since: Instant, days: Int)
        /// The realtime data is too old. Its last predictions are still shown, with low confidence.
        case realtimeOutdated(Instant)
        /// A realtime source fails, and its last data is no longer fresh.
        case realtimeFailed(DatasetKind, RealtimeSourceFailure)
        /// The last full message lacks trips that were reported and are not over. Their last predictions are still shown,
        /// with low confidence.
        case tripsNotRepeated(count: Int, since: Instant)
        /// It is believed that the source no longer reports trips.
        case tripsWithdrawn(ConfirmedWithdrawal)
        /// Changes of a source that sends only changes may be lost.
        case changesLost(since: Instant)
        /// More than half of the trips in the realtime data are not in the timetable. Departures in the timetable are
        /// then shown as scheduled.
        case mostlyUnmatched(unmatched: Int, matched: Int)
        /// The feed is a network without times. This is the only fact that is not a problem.
        case withoutTimes
    }

    package var feed: FeedView
    package var fact: Fact

    /// The number of days before the last service date from which a notice warns that the timetable ends soon.
    package static let soon = 7
    /// The number of refresh intervals without confirmation by the source after which a timetable is stale.
    fileprivate static let maximumMissedIntervals = 3

    /// The time zone for the times of the notice.
    package var zone: ServiceZone { feed.timetable?.zone ?? .utc }
}

extension FeedView {
    /// Returns the notices about the feed at a moment. Most feeds have none.
    package func notices(at now: Instant) -> [FeedNotice] {
        facts(at: now).map { FeedNotice(feed: self, fact: $0) }
    }

    /// Returns the notices about the timetable alone.
    package func timetableNotices(at now: Instant) -> [FeedNotice] {
        timetableFacts(at: now).map { FeedNotice(feed: self, fact: $0) }
    }

    private func facts(at now: Instant) -> [FeedNotice.Fact] {
        var facts = timetableFacts(at: now)
        guard let timetable else { return facts }
        if let time = realtime?.outdatedTime(at: now) { facts.append(.realtimeOutdated(time)) }
        if !source.failures.isEmpty {
            for kind in DatasetKind.realtime {
                if let failure = failure(of: kind, at: now) { facts.append(.realtimeFailed(kind, failure)) }
            }
        }
        if let snapshot {
            facts += Self.earlierDataFacts(snapshot, at: now)
            if let fact = Self.mostlyUnmatched(snapshot, at: now) { facts.append(fact) }
        }
        if !timetable.hasTimes { facts.append(.withoutTimes) }
        return facts
    }

    private func timetableFacts(at now: Instant) -> [FeedNotice.Fact] {
        var facts: [FeedNotice.Fact] = []
        let rejected = source.hasKey ? source.keyRejectedSince.map { FeedNotice.Fact.keyRejected(since: $0) } : nil
        // The notice about a missing timetable gives the rejected key as the reason.
        guard let timetable else { return [.noTimetable] }
        if let rejected { facts.append(rejected) }
        if source.isOffline { facts.append(.offline(confirmed: source.confirmed)) }
        if let last = timetable.file.summary.serviceDates?.upperBound {
            let days = timetable.zone.civil(at: now).date.days(to: last)
            if days < 0 {
                let end = timetable.zone.serviceDayStart(last.advanced(by: 1))
                facts.append(.expired(last: last, isNewest: isNewest(since: end)))
            } else if days < FeedNotice.soon {
                facts.append(.expiring(last: last, days: days))
            }
        }
        if let attempt = source.lastAttempt, attempt.outcome == .refused || attempt.outcome == .failed {
            facts.append(.updateFailed(attempt))
        }
        if let confirmed = source.confirmed {
            let seconds = confirmed.seconds(to: now)
            if seconds > FeedNotice.maximumMissedIntervals * source.refreshInterval {
                facts.append(.unconfirmed(since: confirmed, days: seconds / 86_400))
            }
        }
        return facts
    }

    /// Whether the source has confirmed its timetable since a time, and the last attempt did not fail.
    private func isNewest(since time: Instant) -> Bool {
        guard let confirmed = source.confirmed, confirmed >= time else { return false }
        let outcome = source.lastAttempt?.outcome
        return outcome != .refused && outcome != .failed
    }

    /// Returns the failure of a realtime source whose last data is no longer fresh. A rejected key and a missing network
    /// have their own notices, which explain the failure.
    private func failure(of kind: DatasetKind, at now: Instant) -> RealtimeSourceFailure? {
        guard let failure = source.failures[kind], source.keyRejectedSince == nil, !source.isOffline else { return nil }
        if let snapshot, let time = snapshot.responses[kind]?.dataset.time,
            snapshot.policy(kind).age(of: time, at: now).freshness == .fresh
        {
            return nil
        }
        return failure
    }

    /// Returns the facts about trips of earlier messages.
    private static func earlierDataFacts(_ snapshot: RealtimeSnapshot, at now: Instant) -> [FeedNotice.Fact] {
        var facts: [FeedNotice.Fact] = []
        for kind in DatasetKind.realtime {
            guard let dataset = snapshot.responses[kind]?.dataset else { continue }
            if let since = dataset.retentions.map(\.missingSince).min() {
                facts.append(.tripsNotRepeated(count: dataset.retainedTrips, since: since))
            }
            if let withdrawal = dataset.withdrawal, now < withdrawal.end { facts.append(.tripsWithdrawn(withdrawal)) }
            if let lost = dataset.lostChanges, lost.pending.contains(where: { $0.value >= now }) {
                facts.append(.changesLost(since: lost.since))
            }
        }
        return facts
    }

    private static func mostlyUnmatched(_ snapshot: RealtimeSnapshot, at now: Instant) -> FeedNotice.Fact? {
        // Trip updates take precedence over vehicle positions, because they contain more information.
        for kind in [DatasetKind.tripUpdates, .vehicles] {
            guard let dataset = snapshot.responses[kind]?.dataset else { continue }
            let (unmatched, matched) = (dataset.statistics.unmatchedTripCount, dataset.statistics.matchedTrips)
            guard matched + unmatched > 0 else { continue }
            guard dataset.statistics.isMostlyUnmatched,
                snapshot.policy(kind).age(of: dataset.time, at: now).freshness != .stale
            else { return nil }
            return .mostlyUnmatched(unmatched: unmatched, matched: matched)
        }
        return nil
    }
}

extension QueryContext {
    /// Returns the notices about the feeds behind a result. A feed without a timetable is not a problem if it
    /// supplements a feed that has a timetable.
    package func mergedNotices(about behind: [FeedView]) -> [FeedNotice] {
        behind.flatMap { $0.notices(at: now) }.filter { notice in
            guard case .withoutTimes = notice.fact else { return true }
            return !behind.contains { $0.id == notice.feed.source.supplements && $0.timetable?.hasTimes == true }
        }
    }

    /// Returns the notices about the feeds of the given timetables.
    package func notices(about timetables: [Timetable]) -> [FeedNotice] {
        if timetables.count == 1 { return feed(of: timetables[0])?.notices(at: now) ?? [] }
        return mergedNotices(about: feeds.filter { feed in timetables.contains { $0.feed == feed.id } })
    }
}
