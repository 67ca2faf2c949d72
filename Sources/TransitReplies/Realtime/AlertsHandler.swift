package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries
internal import TransitStore
internal import TransitWire

/// Handles `alerts`.
package struct AlertsHandler: QueryHandler {
    package init() {}

    /// The maximum size of the alerts on a page in bytes, three quarters of the largest reply.
    private static let maximumPageSize = 768 << 10

    package func reply(to parameters: AlertsParameters, _ context: QueryContext) throws -> AlertsResult {
        let page = try PageRange(cursor: parameters.cursor, count: parameters.count)
        let query = try AlertsQuery(
            feed: parameters.feed, route: parameters.route, stop: parameters.stop, commute: parameters.commute,
            at: parameters.at, context)
        let found = query.alerts()
        var alerts: [AlertSummary] = []
        var bytes = 0
        for one in page.slice(of: found) {
            let renderer = AlertRenderer(
                names: NameRenderer(one.timetable, language: parameters.language), now: query.moment)
            let informed = query.informed(by: one, count: AlertRenderer.maximumInformedEntities)
            var summary = try renderer.summary(one, informed: informed)
            var size = summary.encoded.count
            if size > Self.maximumPageSize {
                // The identifiers of a publisher can be of any length. The texts of an alert alone fit.
                summary.informedEntities = []
                size = summary.encoded.count
            }
            bytes += size
            // The rest is on the next page.
            if bytes > Self.maximumPageSize, !alerts.isEmpty { break }
            alerts.append(summary)
        }
        let end = page.start + alerts.count
        return AlertsResult(
            at: context.at, requestedTime: query.requestedTime.map { Timestamp($0, in: query.zone) }, alerts: alerts,
            nextCursor: end < found.count ? String(end) : nil,
            notices: context.realtimeNotices(
                try context.feeds(named: parameters.feed), publishing: "alerts"))
    }
}

/// Renders alerts for the wire.
struct AlertRenderer {
    var names: NameRenderer
    /// The time at which the alert is shown, to find the periods that are over.
    var now: Instant

    /// The maximum number of informed entities of an alert that are listed. Some alerts list every stop of a network,
    /// and the reply must have room for other alerts.
    static let maximumInformedEntities = 100
    private static let maximumPeriods = 100
    /// The maximum length of a text in characters.
    private static let maximumText = 20_000
    /// The maximum length of an identifier or a URL in characters.
    private static let maximumIdentifier = 1000

    private var timetable: Timetable { names.timetable }

    /// - Parameter informed: The informed entities to list.
    func summary(_ found: FoundAlert, informed: [InformedEntity]) throws(StoreError) -> AlertSummary {
        let alert = found.alert
        var subjects: [AlertSubject] = []
        for informed in informed.prefix(Self.maximumInformedEntities) { subjects.append(try subject(informed)) }
        // A long list of periods is a calendar, of which only the rest matters. A short one is shown as published.
        let periods = periods(of: alert)
        return AlertSummary(
            feed: timetable.feed, id: alert.id.rawValue.limited(to: Self.maximumIdentifier),
            severity: AlertSeverityName(alert.severity),
            cause: AlertCauseName(alert.cause), effect: AlertEffectName(alert.effect),
            header: text(alert.header), description: text(alert.description),
            url: (alert.url?.text(in: names.language)).flatMap { PublishedText.address($0) }.flatMap {
                // A truncated URL is useless.
                $0.utf8.count > Self.maximumIdentifier ? nil : $0
            },
            isActive: found.isActive,
            activePeriods: periods.map { period in
                AlertPeriod(
                    start: period.start.map { Timestamp($0, in: timetable.zone) },
                    end: period.end.map { Timestamp($0, in: timetable.zone) })
            }, informedEntities: subjects, informedEntityCount: alert.informed.count, age: found.age)
    }

    /// Returns the periods of an alert. A long list of periods is a calendar, of which only the rest matters, or the last
    /// one if all are over. A short one is shown as published.
    private func periods(of alert: Alert) -> [Alert.ActivePeriod] {
        guard alert.activePeriods.count > Self.maximumPeriods else { return alert.activePeriods }
        let rest = alert.activePeriods.lazy.filter { $0.end.map { $0 > now } ?? true }.prefix(Self.maximumPeriods)
        // No period would mean that the alert is always active.
        return rest.isEmpty ? alert.activePeriods.suffix(1) : Array(rest)
    }

    /// Returns the text in the requested language, without the surrounding whitespace that some publishers include.
    private func text(_ text: TranslatedText?) -> String? {
        guard let text = (text?.text(in: names.language)).flatMap({ PublishedText.trimmed($0) }) else { return nil }
        let beginning = text.limited(to: Self.maximumText)
        return beginning.utf8.count < text.utf8.count ? beginning + "…" : text
    }

    private func subject(_ informed: InformedEntity) throws(StoreError) -> AlertSubject {
        let route = informed.routeID ?? informed.trip?.routeID
        let row = try route.flatMap { timetable.file.route(id: $0) }.map { (index) throws(StoreError) in
            try names.route(index)
        }
        let stop = try informed.stopID.flatMap { (id) throws(StoreError) in try timetable.file.stop(id: id) }
            .map { (index) throws(StoreError) in try names.stop(at: index) }
        return AlertSubject(
            agency: informed.agencyID, route: route, routeName: row.flatMap { $0.shortName ?? $0.longName },
            routeType: informed.routeType.map { Int($0) }, directionId: informed.direction.map { Int($0.rawValue) },
            trip: informed.trip?.tripID, stop: informed.stopID,
            stopName: stop?.name, stopKind: stop?.kind, stationName: stop?.parent?.name)
    }
}

extension AlertSeverityName {
    init(_ severity: AlertSeverity) {
        switch severity {
        case .unknown: self = .unknown
        case .info: self = .info
        case .warning: self = .warning
        case .severe: self = .severe
        }
    }
}

extension AlertCauseName {
    init(_ cause: AlertCause) {
        switch cause {
        case .unknown: self = .unknown
        case .other: self = .other
        case .technicalProblem: self = .technicalProblem
        case .strike: self = .strike
        case .demonstration: self = .demonstration
        case .accident: self = .accident
        case .holiday: self = .holiday
        case .weather: self = .weather
        case .maintenance: self = .maintenance
        case .construction: self = .construction
        case .policeActivity: self = .policeActivity
        case .medicalEmergency: self = .medicalEmergency
        case .specialEvent: self = .other
        }
    }
}

extension AlertEffectName {
    init(_ effect: AlertEffect) {
        switch effect {
        case .noService: self = .noService
        case .reducedService: self = .reducedService
        case .significantDelays: self = .significantDelays
        case .detour: self = .detour
        case .additionalService: self = .additionalService
        case .modifiedService: self = .modifiedService
        case .other: self = .other
        case .unknown: self = .unknown
        case .stopMoved: self = .stopMoved
        case .noEffect: self = .noEffect
        case .accessibilityIssue: self = .accessibilityIssue
        }
    }
}
