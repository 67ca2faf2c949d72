internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// Handles `alerts`.
struct AlertsHandler: MethodHandler {
    func reply(to parameters: AlertsParameters, _ context: RequestContext) throws -> AlertsResult {
        let page = try Page(cursor: parameters.cursor, count: parameters.count)
        let query = try AlertsQuery(
            feed: parameters.feed, route: parameters.route, stop: parameters.stop, commute: parameters.commute,
            at: parameters.at, context.query)
        let found = query.alerts()
        return AlertsResult(
            at: context.at,
            alerts: try page.slice(of: found).map { (found) throws(StoreError) in
                try AlertRenderer(names: NameRenderer(found.timetable, language: parameters.language)).summary(found)
            },
            nextCursor: page.next(among: found.count),
            notices: context.realtimeNotices(
                try context.feeds(named: parameters.feed), publishing: "alerts"))
    }
}

/// Renders alerts for the wire.
struct AlertRenderer {
    var names: NameRenderer

    private var timetable: Timetable { names.timetable }

    func summary(_ found: FoundAlert) throws(StoreError) -> AlertSummary {
        let alert = found.alert
        var subjects: [AlertSubject] = []
        for informed in alert.informed { subjects.append(try subject(informed)) }
        return AlertSummary(
            feed: timetable.feed, id: alert.id.rawValue, severity: AlertSeverityName(alert.severity),
            cause: AlertCauseName(alert.cause), effect: AlertEffectName(alert.effect),
            header: text(alert.header), description: text(alert.description),
            url: (alert.url?.text(in: names.language)).flatMap { PublishedText.address($0) },
            isActive: found.isActive,
            activePeriods: alert.activePeriods.map { period in
                AlertPeriod(
                    start: period.start.map { Timestamp($0, in: timetable.zone) },
                    end: period.end.map { Timestamp($0, in: timetable.zone) })
            }, informedEntities: subjects, age: found.age)
    }

    /// Returns the text in the requested language, without the surrounding whitespace that some publishers include.
    private func text(_ text: TranslatedText?) -> String? {
        (text?.text(in: names.language)).flatMap { PublishedText.trimmed($0) }
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
