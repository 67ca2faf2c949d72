package import TransitModel

/// A time range in which notifications need a feed's realtime data.
package struct RefreshPeriod: Hashable, Sendable {
    package var feed: FeedID
    package var range: ClosedRange<Instant>
    /// Whether the data has to be as fresh as for a client's request. Otherwise, a message every five minutes is enough.
    package var isDue: Bool
}

/// When the departures that are followed need realtime data.
///
/// A departure is due from 20 minutes before the time to leave for it until it has left, or until the user took it. Before,
/// it is near. A user who took a vehicle needs its data again shortly before the arrival, for the notice to get off.
extension NotificationEngine {
    /// A departure is due this many seconds before the time to leave.
    private static let due = 20 * 60
    /// The arrival is due this many seconds before the notice to get off.
    private static let dueBeforeArrival = 5 * 60
    /// How long before the window of a commute its departures are near, in seconds.
    private static let nearWindow = 15 * 60

    /// Returns the periods for the departures that are followed now and for those that will be followed next, so that
    /// the caller can plan its requests.
    package func refreshPeriods(at now: Instant) -> [RefreshPeriod] {
        guard settings.isEnabled else { return [] }
        let followed = followed(now)
        let current = followed.flatMap { periods($0.departure, of: subjects[$0.subject], now) }
        let keys = Set(followed.map(\.departure.key))
        let later = subjects.flatMap { subject -> [RefreshPeriod] in
            guard let departure = upcoming(subject, now), !keys.contains(departure.key) else { return [] }
            return periods(departure, of: subject, now)
        }
        return current + later
    }

    /// The departure of a subject that will be followed when its time comes.
    private func upcoming(_ subject: WatchedSubject, _ now: Instant) -> WatchedDeparture? {
        switch subject.kind {
        case .commute:
            guard let window = subject.window, window.lowerBound > now else { return nil }
            return choice(subject, window.lowerBound)
        case .journey, .connection, .pinned, .usual:
            guard let first = subject.departures.first, !state.finished.contains(first.key),
                first.key.scheduled.advanced(by: -settings.subjects.ahead) > now
            else { return nil }
            return first
        case .favorite: return nil
        }
    }

    private func periods(
        _ departure: WatchedDeparture, of subject: WatchedSubject, _ now: Instant
    ) -> [RefreshPeriod] {
        guard !isSilent(departure, of: subject, now) else { return [] }
        let memory = state.runs[departure.key]
        if memory?.phase == .caught { return arrivalPeriods(departure, of: subject) }
        let observation = departure.observation
        let end = max(observation.time, departure.key.scheduled).advanced(by: DepartureStateMachine.afterDeparture)
        guard observation.status != .departed, memory?.isPassedUp != true, end >= now else { return [] }
        let near =
            subject.window.map { $0.lowerBound.advanced(by: -Self.nearWindow) }
            ?? departure.key.scheduled.advanced(by: -SubjectEvaluation.lead)
        let target = DepartureRuleContext.timing(departure, in: subject, settings).target(at: now)
        let isLimited =
            exhaustion(memory ?? DepartureState(departure.key, kind: subject.kind, name: ""), subject, now) != nil
        let isUseful = isEveryMessageUseful(for: subject) && !isLimited
        let due = isUseful ? min(end, target.advanced(by: -Self.due)) : end
        return Self.periods(departure.key.feed, near: near, due: due, end: end)
    }

    /// The periods of the vehicle in which the user is.
    private func arrivalPeriods(_ departure: WatchedDeparture, of subject: WatchedSubject) -> [RefreshPeriod] {
        guard settings.isOn(.getoff, for: subject.kind), let arrival = departure.arrival else { return [] }
        let notice = min(
            arrival.advanced(by: -settings[GetoffRule.self].before), departure.departureBeforeArrival ?? arrival)
        return Self.periods(
            departure.key.feed, near: departure.key.scheduled, due: notice.advanced(by: -Self.dueBeforeArrival),
            end: arrival.advanced(by: DepartureStateMachine.afterDeparture))
    }

    private static func periods(_ feed: FeedID, near: Instant, due: Instant, end: Instant) -> [RefreshPeriod] {
        var periods: [RefreshPeriod] = []
        if near < due { periods.append(RefreshPeriod(feed: feed, range: near...due, isDue: false)) }
        if due < end { periods.append(RefreshPeriod(feed: feed, range: due...end, isDue: true)) }
        return periods
    }

    /// Whether nothing will be shown about a departure: on a day off, and while everything is muted.
    private func isSilent(_ departure: WatchedDeparture, of subject: WatchedSubject, _ now: Instant) -> Bool {
        if settings.daysOff.contains(departure.key.serviceDate), !subject.isForDate { return true }
        return mutes(at: now).contains { mute in
            mute.rule == nil && mute.until.map { $0 > departure.observation.time } ?? true
        }
    }

    /// Whether the notices about a subject depend on the latest message. By default, the only notice about a favorite
    /// is that its next departure does not run.
    private func isEveryMessageUseful(for subject: WatchedSubject) -> Bool {
        subject.kind != .favorite
            || Rules.departures.contains { rule in
                rule.situation == .expected && rule.rules.contains { settings.isOn($0, for: .favorite) }
            }
    }
}
