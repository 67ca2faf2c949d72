internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Builds the notices about the feeds behind a reply.
struct FeedNotices {
    var now: Instant

    /// The number of days before the last service date from which a notice warns that the timetable ends soon.
    static let soon = 7
    /// The number of refresh intervals without confirmation by the source after which a timetable is stale.
    private static let maximumMissedIntervals = 3

    func about(_ feeds: [FeedSnapshot]) -> [Notice] { feeds.flatMap(about) }

    func about(_ feed: FeedSnapshot) -> [Notice] {
        var notices = aboutTimetable(feed)
        guard let timetable = feed.timetable else { return notices }
        // Most feeds have no notices.
        func add(_ notice: Notice?) { if let notice { notices.append(notice) } }
        add(expiredRealtimeNotice(feed, zone: timetable.zone))
        for kind in DatasetKind.realtime { add(sourceFailureNotice(feed, kind, zone: timetable.zone)) }
        add(unmatched(feed))
        add(withoutTimes(timetable))
        return notices
    }

    /// Returns the notices about the timetable alone.
    func aboutTimetable(_ feed: FeedSnapshot) -> [Notice] {
        var notices: [Notice] = []
        func add(_ notice: Notice?) { if let notice { notices.append(notice) } }
        guard let timetable = feed.timetable else {
            add(missing(feed))
            add(rejectedKeyNotice(feed, zone: .utc))
            return notices
        }
        let zone = timetable.zone
        add(rejectedKeyNotice(feed, zone: zone))
        add(offline(feed, zone: zone))
        add(dates(timetable))
        add(lastAttempt(feed, zone: zone))
        add(staleness(feed, zone: zone))
        return notices
    }

    private func rejectedKeyNotice(_ feed: FeedSnapshot, zone: ServiceZone) -> Notice? {
        guard let since = feed.keyRejectedSince, let credential = feed.configuration.credential else { return nil }
        return Notice(
            kind: .failed, feed: feed.id,
            message:
                "The source of \(feed.id) rejects its key. transitd retries at increasing intervals of up to one day. "
                + credential.rejectionRemedy(feed.id),
            since: Timestamp(since, in: zone))
    }

    private func offline(_ feed: FeedSnapshot, zone: ServiceZone) -> Notice? {
        guard feed.isOffline else { return nil }
        return Notice(
            kind: .offline, feed: feed.id,
            message: "There is no network. Replies use the data of \(feed.id) on this machine and show its age.",
            since: feed.confirmed.map { Timestamp($0, in: zone) })
    }

    /// Returns the notice for realtime data that is too old. The last predictions are still shown, with low confidence.
    private func expiredRealtimeNotice(_ feed: FeedSnapshot, zone: ServiceZone) -> Notice? {
        guard let time = feed.realtimeTimetable?.outdatedTime(at: now) else { return nil }
        let minutes = max(0, time.seconds(to: now)) / 60
        return Notice(
            kind: .stale, feed: feed.id,
            message:
                "The live data of \(feed.id) is \(minutes) min old. Its last predictions are shown with low confidence"
                + (feed.timetable?.hasTimes == false ? "." : "; other times come from the timetable."),
            since: Timestamp(time, in: zone))
    }

    /// Returns the notice for a realtime source that fails and whose last data is no longer fresh. A rejected key and a
    /// missing network have their own notices, which explain the failure.
    private func sourceFailureNotice(_ feed: FeedSnapshot, _ kind: DatasetKind, zone: ServiceZone) -> Notice? {
        guard let failure = feed.sourceFailures[kind], feed.keyRejectedSince == nil, !feed.isOffline else { return nil }
        if let realtime = feed.realtime, let time = realtime.responses[kind]?.dataset.time,
            realtime.policy(kind).age(of: time, at: now).freshness == .fresh
        {
            return nil
        }
        let what = kind.rawValue.split(separator: "_").joined(separator: " ")
        let action = failure.isMalformed ? "used" : "fetched"
        return Notice(
            kind: failure.isMalformed ? .malformed : .failed, feed: feed.id,
            message: "The \(what) of \(feed.id) cannot be \(action): \(failure.reason)",
            since: Timestamp(failure.since, in: zone))
    }

    /// Returns the notice for realtime data in which more than half of the trips are not in the timetable. Departures
    /// in the timetable are then shown as scheduled.
    private func unmatched(_ feed: FeedSnapshot) -> Notice? {
        guard let realtime = feed.realtime else { return nil }
        let responses = [DatasetKind.tripUpdates, .vehicles].compactMap { kind in
            realtime.responses[kind].map { (kind, $0.dataset) }
        }
        // Trip updates take precedence over vehicle positions, because they contain more information.
        guard
            let (kind, dataset) = responses.first(where: {
                $0.1.statistics.matchedTrips + $0.1.statistics.unmatchedTripCount > 0
            }),
            dataset.statistics.isMostlyUnmatched,
            realtime.policy(kind).age(of: dataset.time, at: now).freshness != .stale
        else { return nil }
        let (count, matched) = (dataset.statistics.unmatchedTripCount, dataset.statistics.matchedTrips)
        return Notice(
            kind: .partial, feed: feed.id,
            message:
                "\(count) of the \(count + matched) trips in the live data of \(feed.id) are not in the feed's timetable or do not "
                + "run on the given service date. They are not used.")
    }

    /// Returns the only notice that does not report a problem.
    private func withoutTimes(_ timetable: Timetable) -> Notice? {
        guard !timetable.hasTimes else { return nil }
        return Notice(
            kind: .noTimetable, feed: timetable.feed,
            message:
                "\(timetable.feed) has no timetable, only live data. Departures outside of the live data are not known."
        )
    }

    private func missing(_ feed: FeedSnapshot) -> Notice {
        if feed.isUpdating {
            return Notice(kind: .importing, feed: feed.id, message: "\(feed.id) is being imported for the first time.")
        }
        let error = ControlError.noData([feed], at: now)
        return Notice(
            kind: feed.lastAttempt?.outcome == .failed ? .failed : .missing, feed: feed.id,
            message: [error.message, error.hint].compactMap { $0 }.joined(separator: " "),
            since: feed.lastAttempt.map { Timestamp($0.ended) })
    }

    private func dates(_ timetable: Timetable) -> Notice? {
        guard let last = timetable.file.summary.serviceDates?.upperBound else { return nil }
        let days = timetable.zone.civil(at: now).date.days(to: last)
        if days < 0 {
            return Notice(
                kind: .expired, feed: timetable.feed,
                message: "The timetable of \(timetable.feed) ended on \(last). Its times may be wrong.",
                since: Timestamp(timetable.zone.serviceDayStart(last.advanced(by: 1)), in: timetable.zone))
        }
        guard days < Self.soon else { return nil }
        let when = days == 0 ? "today" : days == 1 ? "tomorrow" : "in \(days) days"
        return Notice(
            kind: .expiring, feed: timetable.feed,
            message: "The timetable of \(timetable.feed) ends \(when), on \(last).")
    }

    private func lastAttempt(_ feed: FeedSnapshot, zone: ServiceZone) -> Notice? {
        guard let attempt = feed.lastAttempt else { return nil }
        let kind: NoticeKind
        switch attempt.outcome {
        case .updated, .unchanged, .canceled: return nil
        case .refused: kind = .malformed
        case .failed: kind = .failed
        }
        return Notice(
            kind: kind, feed: feed.id, message: "The last update of \(feed.id) failed: \(attempt.message)",
            since: Timestamp(attempt.ended, in: zone))
    }

    private func staleness(_ feed: FeedSnapshot, zone: ServiceZone) -> Notice? {
        guard let confirmed = feed.confirmed,
            confirmed.seconds(to: now) > Self.maximumMissedIntervals * feed.configuration.refreshInterval
        else { return nil }
        let days = confirmed.seconds(to: now) / 86_400
        return Notice(
            kind: .stale, feed: feed.id,
            message: "The \(feed.timetable?.hasTimes == false ? "network" : "timetable") of \(feed.id) was last "
                + "confirmed by its source \(days) days ago.",
            since: Timestamp(confirmed, in: zone))
    }
}
