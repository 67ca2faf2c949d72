package import Logging
package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitNotifications
package import TransitQueries
internal import TransitStore

/// Converts decisions to events of the protocol. Names and texts of feeds are in the context's language.
///
/// An event has its texts even if its departures or its alert cannot be rendered, because its timetable cannot be read.
package struct NotificationRenderer {
    private let context: QueryContext
    private let logger: Logger

    package init(context: QueryContext, logger: Logger) {
        self.context = context
        self.logger = logger
    }

    /// The language of the daemon's own texts.
    static let language = "en"

    package func event(_ decision: NotificationDecision) -> NotificationEvent {
        let zone = decision.departure?.names.zone ?? context.zone
        let found = decision.alert.flatMap(alert)
        return NotificationEvent(
            id: decision.id, key: decision.key, revision: decision.revision,
            op: NotificationOperation(decision.operation), rule: decision.rule.rawValue,
            urgency: NotificationUrgency(decision.urgency), sound: decision.hasSound,
            at: Timestamp(decision.at, in: zone), validUntil: Timestamp(decision.validUntil, in: zone),
            expiresIn: max(0, context.now.seconds(to: decision.validUntil)), language: Self.language,
            feedLanguage: found.map { language(of: $0) } ?? language(of: decision),
            title: decision.title, body: decision.body,
            subject: NotificationSubject(
                kind: NotificationSubjectKind(rawValue: decision.subjectKind) ?? .other, name: decision.subjectName),
            departure: decision.departure.flatMap(departure),
            was: decision.previous.map { PreviousNotification($0, in: zone) },
            leaveBy: decision.leaveBy.map { Timestamp($0, in: zone) }, walk: decision.walk,
            next: decision.next.prefix(3).compactMap(departure), alert: found.flatMap(summary),
            event: decision.event.map { CrowdingEvent($0, in: zone) },
            weather: decision.departure?.weather.map { WeatherOutlook($0, in: zone) },
            items: decision.items.map {
                NotificationItem(rule: $0.rule.rawValue, title: $0.title, body: $0.body, url: $0.url)
            },
            reason: decision.reason, actions: Self.actions(of: decision), url: decision.url,
            attribution: Self.attribution(of: decision),
            test: decision.isTest)
    }

    /// Returns the departure as it was when the notification was decided.
    private func departure(_ watched: WatchedDeparture) -> Departure? {
        guard let merged = watched.shown?.merged else { return nil }
        let renderer = MergedDepartureRenderer([merged.timetable], context, language: context.language)
        return read("departure \(watched.id)") { () throws(StoreError) in try renderer.departure(merged) }
    }

    /// Returns a part of an event; `nil` if it cannot be read, which is logged.
    private func read<Part>(_ name: String, _ body: () throws -> Part) -> Part? {
        do { return try body() } catch {
            logger.warning("A notification lacks the \(name): \(error)")
            return nil
        }
    }

    private func alert(_ reference: NotificationDecision.AlertReference) -> FoundAlert? {
        guard let feed = context.feeds.first(where: { $0.id == reference.feed }) else { return nil }
        return read("alert \(reference.id)") {
            try AlertsQuery(feed: feed.id, route: nil, stop: nil, commute: nil, at: nil, context)
        }?.alerts().first { $0.alert.id.rawValue == reference.id }
    }

    private func summary(_ found: FoundAlert) -> AlertSummary? {
        read("alert \(found.alert.id)") {
            try AlertRenderer(names: NameRenderer(found.timetable, language: context.language), now: context.now)
                .summary(found, informed: found.alert.informed)
        }
    }

    // MARK: Languages

    /// Returns the language of the texts of an alert; `nil` if the feed does not say it.
    private func language(of found: FoundAlert) -> String? {
        let text = found.alert.header ?? found.alert.description
        if let tag = text?.translation(in: context.language).language, !tag.isEmpty { return tag }
        return found.timetable.ownLanguage
    }

    /// Returns the language of the names in a decision: that of the departure's feed or, without a departure, that of all
    /// feeds, if it is the same one. `nil` if it is not known.
    private func language(of decision: NotificationDecision) -> String? {
        let feed = decision.departure?.key.feed
        let timetables = context.feeds.filter { feed == nil || $0.id == feed }.compactMap(\.timetable)
        let languages = Set(
            timetables.map { timetable in
                read("language") { try TimetableNames(timetable, language: context.language).namesLanguage } ?? nil
            })
        return languages.count == 1 ? languages.first ?? nil : nil
    }

    /// Returns the sources whose terms require that they are named with the texts of a decision.
    private static func attribution(of decision: NotificationDecision) -> [String] {
        let rules = Set([decision.rule] + decision.items.map(\.rule))
        var attribution: [String] = []
        if decision.departure?.weather != nil || decision.sources.contains(.weather) {
            attribution.append(DataAttribution.weather)
        }
        if rules.contains(.crowding) || decision.event != nil || decision.sources.contains(.events) {
            attribution.append(DataAttribution.events)
        }
        return attribution
    }

    /// Returns the buttons of an event, with labels in the language of the daemon's own texts.
    private static func actions(of decision: NotificationDecision) -> [NotificationAction] {
        guard decision.operation != .withdraw, decision.departure != nil else { return [] }
        var actions: [NotificationAction] = []
        if decision.rule != .getoff {
            if decision.departure?.observation.status.isRunning ?? false {
                actions.append(NotificationAction(id: NotificationActionID.taken.rawValue, label: "I took it"))
            }
            actions.append(NotificationAction(id: NotificationActionID.next.rawValue, label: "Next one"))
        }
        actions.append(NotificationAction(id: NotificationActionID.muteToday.rawValue, label: "Mute today"))
        return actions
    }
}

/// The actions that `notify.act` accepts.
package enum NotificationActionID: String, CaseIterable {
    case taken
    case next
    case muteToday = "mute-today"
}

extension NotificationOperation {
    fileprivate init(_ operation: NotificationDecision.Operation) {
        switch operation {
        case .show: self = .show
        case .update: self = .update
        case .withdraw: self = .withdraw
        }
    }
}

extension NotificationUrgency {
    fileprivate init(_ urgency: NotificationDecision.Urgency) {
        switch urgency {
        case .low: self = .low
        case .normal: self = .normal
        case .high: self = .high
        }
    }
}

extension CrowdingEvent {
    fileprivate init(_ event: EventNearStation, in zone: ServiceZone) {
        self.init(
            name: event.name, venue: event.venue, station: event.station,
            distance: Int((event.miles * EventsQuery.metersPerMile).rounded()), start: Timestamp(event.start, in: zone),
            end: event.end.map { Timestamp($0, in: zone) })
    }
}

extension WeatherOutlook {
    fileprivate init(_ forecast: WeatherAtArrival, in zone: ServiceZone) {
        self.init(
            at: Timestamp(forecast.at, in: zone), rainProbability: forecast.probability, rain: forecast.millimeters,
            snowfall: forecast.snowfall)
    }
}

extension PreviousNotification {
    fileprivate init(_ previous: NotificationDecision.Previous, in zone: ServiceZone) {
        self.init(
            expected: previous.expected.map { Timestamp($0, in: zone) }, delay: previous.delay,
            platform: previous.platform, status: previous.status.map { DepartureStatus($0) })
    }
}
