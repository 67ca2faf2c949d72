package import TransitControl
package import TransitEngine
package import TransitModel
package import TransitRefresh

/// Builds the notices of a reply about an on-demand source: departures that are missing, are being fetched, or could
/// not be fetched.
///
/// An empty board has three different causes: no departures, departures not known yet, and a failed fetch.
package struct ArrivalsNotices {
    /// The number of queries that the reply needs; `nil` if it needs no data of the source.
    private let queryCount: Int?
    /// The maximum number of queries for a request, if the reply needs more; otherwise `nil`.
    private let exceededLimit: Int?
    private let arrivalsStatuses: [ArrivalsStatus]
    private let feed: FeedID
    /// Whether the query time is within the source's horizon.
    private let isWithinHorizon: Bool
    /// The number of seconds, from now, that the source's departures cover.
    private let horizon: Int
    /// The query time; `nil` for now.
    private let at: Instant?
    /// Whether a timetable also provides departure times.
    private let hasTimes: Bool
    /// The messages that the operator sends in place of times.
    private let remarks: [String]
    private let now: ClockReading
    private let zone: ServiceZone
    /// The time of the newest data that is too old to use; `nil` if no data is too old.
    private let outdated: Instant?

    /// - Parameters:
    ///   - queryCount: The number of queries that the reply needs; `nil` if it needs no data of the source.
    ///   - exceededLimit: The maximum number of queries for a request, if the reply needs more.
    ///   - arrivalsStatuses: The status of each query.
    ///   - isWithinHorizon: Whether the query time is within the source's horizon.
    ///   - horizon: The number of seconds, from now, that the source's departures cover.
    ///   - at: The query time; `nil` for now.
    ///   - hasTimes: Whether a timetable also provides departure times.
    ///   - remarks: The messages that the operator sends in place of times.
    ///   - outdated: The time of the newest data that is too old to use; `nil` if no data is too old.
    package init(
        queryCount: Int?, exceededLimit: Int? = nil, arrivalsStatuses: [ArrivalsStatus], feed: FeedID,
        isWithinHorizon: Bool, horizon: Int = 2 * 3600, at: Instant? = nil, hasTimes: Bool, remarks: [String],
        now: ClockReading, zone: ServiceZone, outdated: Instant? = nil
    ) {
        self.queryCount = queryCount
        self.exceededLimit = exceededLimit
        self.arrivalsStatuses = arrivalsStatuses
        self.feed = feed
        self.isWithinHorizon = isWithinHorizon
        self.horizon = horizon
        self.at = at
        self.hasTimes = hasTimes
        self.remarks = remarks
        self.now = now
        self.zone = zone
        self.outdated = outdated
    }

    /// - Parameters:
    ///   - place: The name of the stop or place where the departures start.
    ///   - empty: The reason why the reply has no departures, used if the feed has times or has no trips; `nil` if
    ///     there are departures.
    ///   - hasLaterDepartures: Whether there are departures after the time window of the request.
    package func notices(from place: String, empty: Notice?, hasLaterDepartures: Bool = false) -> [Notice] {
        var notices = remarks.map { Notice(kind: .suspended, feed: feed, message: "\(feed) says: \($0.asSentence)") }
        notices += [fetching(place), failed(place), notRequested(place), truncation].compactMap { $0 }
        if empty != nil, !hasLaterDepartures, let outdated { notices.append(outdatedNotice(outdated, place)) }
        guard let empty, notices.isEmpty || hasTimes else { return notices }
        if hasLaterDepartures {
            notices.append(empty)
        } else if !hasTimes, !isWithinHorizon {
            notices.append(
                Notice(
                    kind: .missing, feed: feed,
                    message: "\(feed) has no departures beyond the next \(horizonText).")
            )
        } else if !hasTimes, queryCount != nil {
            notices.append(
                Notice(
                    kind: .noService, feed: feed,
                    message: "\(feed) has no departures from \(place) \(timeText).",
                    since: answered))
        } else {
            notices.append(empty)
        }
        return notices
    }

    private var horizonText: String { horizon < 86_400 ? "hour or so" : "\(horizon / 86_400) days" }

    /// A source with a long horizon is queried by service date.
    private var timeText: String {
        guard horizon >= 86_400 else { return "in the next hour" }
        let moment = at ?? now.wall
        let (date, second) = zone.civil(at: moment)
        let minute = second / 60 % 60
        return "after \(second / 3600):\(minute < 10 ? "0" : "")\(minute) on \(date)"
    }

    /// Returns the notice for a source whose responses are too old to use.
    private func outdatedNotice(_ measured: Instant, _ place: String) -> Notice {
        Notice(
            kind: .stale, feed: feed,
            message:
                "The data of \(feed) about departures from \(place) is \(AgeWords.of(measured.seconds(to: now.wall))) old "
                + "and is not used.",
            since: Timestamp(measured, in: zone))
    }

    private var answered: Timestamp? {
        arrivalsStatuses.compactMap(\.age).max().map { Timestamp(now.wall.advanced(by: -$0), in: zone) }
    }

    /// Returns the notice for queries that are in flight or about to be sent.
    private func fetching(_ place: String) -> Notice? {
        let coming = arrivalsStatuses.count { arrivalsStatus in
            !arrivalsStatus.isProbe
                && (arrivalsStatus.isInFlight || (arrivalsStatus.lastFailure == nil && isDueSoon(arrivalsStatus)))
        }
        guard coming > 0 else { return nil }
        let what =
            coming == queryCount ? "The departures" : "Some of the departures"
        return Notice(kind: .fetching, feed: feed, message: "\(what) from \(place) are being fetched.")
    }

    private func isDueSoon(_ arrivalsStatus: ArrivalsStatus) -> Bool {
        guard !arrivalsStatus.isFresh, !arrivalsStatus.isProbe else { return false }
        return arrivalsStatus.reason == .busy || arrivalsStatus.next.map { $0 <= now.boot.advanced(by: 10) } ?? false
    }

    /// Returns the notice for queries that failed, with the time of the next attempt.
    private func failed(_ place: String) -> Notice? {
        let failing = arrivalsStatuses.filter { arrivalsStatus in
            !arrivalsStatus.isFresh && (arrivalsStatus.isProbe || !arrivalsStatus.isInFlight)
                && (arrivalsStatus.lastFailure != nil || !isDueSoon(arrivalsStatus))
        }
        guard
            let first = failing.min(by: {
                ($0.next ?? .init(milliseconds: .max)) < ($1.next ?? .init(milliseconds: .max))
            })
        else { return nil }
        let what = failing.count == arrivalsStatuses.count ? "The departures" : "Some of the departures"
        let reason = first.lastFailure.map { "\($0)" } ?? first.hold?.clause ?? first.reason.waitReason
        let next = first.next.map { "; the next attempt is \(Self.text(until: $0, now))" } ?? ""
        return Notice(
            kind: first.kind, feed: feed,
            message: "\(what) from \(place) could not be \(first.failedStep): \(Self.clause(reason))\(next).",
            since: first.age.map { Timestamp(now.wall.advanced(by: -$0), in: zone) })
    }

    /// Returns a sentence as a clause for use within another sentence.
    private static func clause(_ text: String) -> Substring { text.hasSuffix(".") ? text.dropLast() : text[...] }

    private static func text(until moment: BootTime, _ now: ClockReading) -> String {
        let seconds = max(1, (now.boot.milliseconds(to: moment) + 999) / 1000)
        return seconds < 120 ? "in \(seconds) s" : "in \((seconds + 59) / 60) min"
    }

    /// Returns the notice for queries about which the source has not been asked, because too many others are in progress.
    private func notRequested(_ place: String) -> Notice? {
        guard let queryCount, arrivalsStatuses.count < queryCount else { return nil }
        let what = arrivalsStatuses.isEmpty ? "The departures" : "Some of the departures"
        return Notice(
            kind: .missing, feed: feed,
            message: "\(what) from \(place) have not been requested yet. Ask again in a moment.")
    }

    private var truncation: Notice? {
        guard let exceededLimit else { return nil }
        return Notice(
            kind: .partial, feed: feed,
            message:
                "Only the nearest departures are shown: a request sends at most \(exceededLimit) queries to the source."
        )
    }

    // MARK: Messages of the operator

    /// Returns the operator's messages about the given routes at the given stops, without duplicates.
    package static func remarks(
        _ realtime: RealtimeDatasets?, at stops: Set<StopID>, of routes: Set<RouteID>, now: Instant, language: String?
    ) -> [String] {
        var remarks: [String] = []
        for alert in realtime?.arrivals?.alerts.alerts ?? [] where alert.isActive(at: now) {
            let matches = alert.informed.contains { informed in
                informed.stopID.map(stops.contains) ?? true && informed.routeID.map(routes.contains) ?? true
            }
            guard matches, let text = (alert.header ?? alert.description)?.text(in: language) else { continue }
            if !remarks.contains(text) { remarks.append(text) }
        }
        return remarks
    }
}

extension ArrivalsStatus {
    /// The step that failed.
    fileprivate var failedStep: String {
        if case .unreadable = lastFailure { return "read" }
        return "fetched"
    }

    fileprivate var kind: NoticeKind {
        if case .unreadable = lastFailure { return .malformed }
        return reason == .offline ? .offline : .failed
    }
}

extension DueReason {
    /// The reason for waiting if no fetch has failed.
    fileprivate var waitReason: String {
        switch self {
        case .offline: "there is no network"
        case .budget: "the request budget of the key delays the request"
        case .retryAfter: "the source asked the daemon to wait"
        case .circuitOpen: "the source's host does not respond"
        default: "other requests come first"
        }
    }
}
