internal import TransitControl
internal import TransitEngine
internal import TransitModel

/// What an answer owes to a source that is asked on demand: what is there, what is coming, and what could not be asked.
///
/// "Nothing leaves", "not known yet" and "could not ask" are three different answers.
struct ArrivalsNotices {
    var needs: [ArrivalsRequirement]
    var arrivalsStatuses: [ArrivalsStatus]
    var feed: FeedID
    /// Whether the question is about a time of which the source tells.
    var isNear: Bool
    /// Seconds after now that the source's departures cover.
    var horizon = 2 * 3600
    /// The requested time; `nil`: now.
    var at: Instant?
    /// Whether the timetable has times, too.
    var hasTimes: Bool
    /// What the operator says instead of times.
    var remarks: [String]
    var now: ClockReading
    var zone: ServiceZone
    /// When that was measured which the source tells and which is too old to be used; `nil` where there is no such thing.
    var outdated: Instant?

    /// - Parameters:
    ///   - isEmpty: whether the answer has no departure.
    ///   - place: where from.
    ///   - nothing: what is said when nothing leaves, in a timetable with times or without trips.
    func notices(isEmpty: Bool, from place: String, nothing: () -> Notice) -> [Notice] {
        var notices = remarks.map { Notice(kind: .suspended, feed: feed, message: "\(feed) says: \($0.asSentence)") }
        notices += [fetching(place), failed(place), cut].compactMap { $0 }
        if isEmpty, let outdated { notices.append(old(outdated, place)) }
        guard isEmpty, notices.isEmpty || hasTimes else { return notices }
        if !hasTimes, !isNear {
            notices.append(
                Notice(
                    kind: .missing, feed: feed,
                    message: "\(feed) tells what leaves within the next \(horizonText); about later nothing is known.")
            )
        } else if !hasTimes, !needs.isEmpty {
            notices.append(
                Notice(
                    kind: .noService, feed: feed,
                    message: "\(feed) tells of no departure from \(place) \(timeText).",
                    since: answered))
        } else {
            notices.append(nothing())
        }
        return notices
    }

    private var horizonText: String { horizon < 86_400 ? "hour or so" : "\(horizon / 86_400) days" }

    /// A source with a long horizon answers by service date.
    private var timeText: String {
        guard horizon >= 86_400 else { return "in the next hour" }
        let moment = at ?? now.wall
        let (date, second) = zone.civil(at: moment)
        let minute = second / 60 % 60
        return "after \(second / 3600):\(minute < 10 ? "0" : "")\(minute) on \(date)"
    }

    /// The source answers, with what it knew long ago.
    private func old(_ measured: Instant, _ place: String) -> Notice {
        Notice(
            kind: .stale, feed: feed,
            message: "What \(feed) tells of departures from \(place) is \(measured.seconds(to: now.wall) / 60) min old "
                + "and not used.",
            since: Timestamp(measured, in: zone))
    }

    private var answered: Timestamp? {
        arrivalsStatuses.compactMap(\.age).max().map { Timestamp(now.wall.advanced(by: -$0), in: zone) }
    }

    /// What is under way, or wanted and not asked yet.
    private func fetching(_ place: String) -> Notice? {
        let coming = arrivalsStatuses.count { arrivalsStatus in
            !arrivalsStatus.isProbe
                && (arrivalsStatus.isInFlight || (arrivalsStatus.trouble == nil && isSoon(arrivalsStatus)))
        }
        guard coming > 0 else { return nil }
        let what = coming == needs.reduce(0) { $0 + $1.queries.count } ? "The departures" : "Some of the departures"
        return Notice(kind: .fetching, feed: feed, message: "\(what) from \(place) are being fetched.")
    }

    private func isSoon(_ arrivalsStatus: ArrivalsStatus) -> Bool {
        guard !arrivalsStatus.isFresh, !arrivalsStatus.isProbe else { return false }
        return arrivalsStatus.reason == .busy || arrivalsStatus.next.map { $0 <= now.boot.advanced(by: 10) } ?? false
    }

    /// What could not be asked, and when it is tried again.
    private func failed(_ place: String) -> Notice? {
        let failing = arrivalsStatuses.filter { arrivalsStatus in
            !arrivalsStatus.isFresh && (arrivalsStatus.isProbe || !arrivalsStatus.isInFlight)
                && (arrivalsStatus.trouble != nil || !isSoon(arrivalsStatus))
        }
        guard
            let first = failing.min(by: {
                ($0.next ?? .init(milliseconds: .max)) < ($1.next ?? .init(milliseconds: .max))
            })
        else { return nil }
        let what = failing.count == arrivalsStatuses.count ? "The departures" : "Some of the departures"
        let reason = first.trouble.map { "\($0)" } ?? first.reason.waitReason
        let next = first.next.map { "; next try \(Self.words(until: $0, now))" } ?? ""
        return Notice(
            kind: first.kind, feed: feed,
            message: "\(what) from \(place) could not be \(first.failedStep): \(Self.clause(reason))\(next).",
            since: first.age.map { Timestamp(now.wall.advanced(by: -$0), in: zone) })
    }

    /// A sentence as a part of another one.
    private static func clause(_ text: String) -> Substring { text.hasSuffix(".") ? text.dropLast() : text[...] }

    private static func words(until moment: BootTime, _ now: ClockReading) -> String {
        let seconds = max(1, (now.boot.milliseconds(to: moment) + 999) / 1000)
        return seconds < 120 ? "in \(seconds) s" : "in \((seconds + 59) / 60) min"
    }

    private var cut: Notice? {
        guard needs.contains(where: \.isCut) else { return nil }
        return Notice(
            kind: .partial, feed: feed,
            message: "Only what leaves nearest is asked about: \(ArrivalsRequirement.most) questions to the source.")
    }

    // MARK: The operator's words

    /// What the answers say instead of times, about some routes at some stops; each once.
    static func remarks(
        _ live: RealtimeTimetable?, at stops: Set<StopID>, of routes: Set<RouteID>, now: Instant, language: String?
    ) -> [String] {
        var remarks: [String] = []
        for alert in live?.arrivals?.alerts.alerts ?? [] where alert.isActive(at: now) {
            let isMeant = alert.informed.contains { informed in
                informed.stopID.map(stops.contains) ?? true && informed.routeID.map(routes.contains) ?? true
            }
            guard isMeant, let text = (alert.header ?? alert.description)?.text(in: language) else { continue }
            if !remarks.contains(text) { remarks.append(text) }
        }
        return remarks
    }
}

extension ArrivalsStatus {
    /// What has failed.
    fileprivate var failedStep: String {
        if case .unreadable = trouble { return "read" }
        return "asked"
    }

    fileprivate var kind: NoticeKind {
        if case .unreadable = trouble { return .malformed }
        return reason == .offline ? .offline : .failed
    }
}

extension DueReason {
    /// What keeps something from being asked, where nothing has failed.
    fileprivate var waitReason: String {
        switch self {
        case .offline: "there is no network"
        case .budget: "what the key may spend is spent"
        case .retryAfter: "the source wants to be left alone"
        case .circuitOpen: "the source does not answer"
        default: "it has to wait its turn"
        }
    }
}
