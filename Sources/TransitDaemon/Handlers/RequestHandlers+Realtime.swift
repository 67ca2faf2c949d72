internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore
internal import TransitSystem

// Requests for vehicles and service alerts.

extension RequestHandlers {
    func vehicles(_ parameters: VehiclesParameters, _ context: RequestContext) throws -> VehiclesResult {
        let feeds = try context.feeds(named: parameters.feed)
        let page = try Page(cursor: parameters.cursor, count: parameters.count)
        let filter = try VehicleFilter(parameters, feeds, context)
        var found: [(vehicle: RealtimeVehicle, call: Int?, rendering: VehicleRenderer)] = []
        for feed in feeds {
            guard let timetable = feed.timetable, let realtime = feed.realtimeTimetable else { continue }
            let rendering = VehicleRenderer(
                realtime: realtime, now: context.now,
                names: NameRenderer(timetable: timetable, language: parameters.language))
            for vehicle in (realtime.vehicles ?? realtime.tripUpdates)?.vehicles ?? [] {
                guard let call = filter.call(of: vehicle, rendering) else { continue }
                found.append((vehicle, call, rendering))
            }
            daemon.demand.recordRequest(about: feed.id, at: daemon.clock.reading())
        }
        return VehiclesResult(
            at: context.at,
            vehicles: try page.slice(of: found).map { (found) throws(StoreError) in
                try found.rendering.summary(found.vehicle, until: found.call)
            }, nextCursor: page.next(among: found.count),
            notices: realtimeNotices(feeds, context, without: "No vehicles are known"))
    }

    func alerts(_ parameters: AlertsParameters, _ context: RequestContext) throws -> AlertsResult {
        let feeds = try context.feeds(named: parameters.feed)
        let page = try Page(cursor: parameters.cursor, count: parameters.count)
        let filter = try AlertFilter(parameters, feeds, context)
        let moment = try context.moment(parameters.at, zone: context.zone)
        var found: [(alert: Alert, isActive: Bool, rendering: AlertRenderer)] = []
        for feed in feeds {
            guard let timetable = feed.timetable, let dataset = feed.realtimeTimetable?.alerts else { continue }
            let rendering = AlertRenderer(
                age: max(0, dataset.time.seconds(to: context.now)), moment: moment,
                names: NameRenderer(timetable: timetable, language: parameters.language))
            for alert in dataset.alerts.alerts where filter.matches(alert, of: timetable) {
                let isActive = alert.isActive(at: moment)
                if parameters.at == nil || isActive { found.append((alert, isActive, rendering)) }
            }
        }
        // Alerts are sorted with active alerts first, then by severity; otherwise, the published order is preserved.
        let sorted = found.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            if one.isActive != other.isActive { return one.isActive }
            if one.alert.severity != other.alert.severity { return one.alert.severity > other.alert.severity }
            return left.offset < right.offset
        }
        return AlertsResult(
            at: context.at,
            alerts: try page.slice(of: sorted).map { (found) throws(StoreError) in
                try found.element.rendering.summary(found.element.alert)
            },
            nextCursor: page.next(among: found.count),
            notices: realtimeNotices(feeds, context, without: "No alerts are known"))
    }

    /// Returns the feeds' notices, including one for each feed without realtime data, because an empty list then does
    /// not mean that there are none.
    private func realtimeNotices(_ feeds: [FeedSnapshot], _ context: RequestContext, without: String) -> [Notice] {
        feeds.filter { !$0.configuration.datasets.contains(where: \.isRealtime) }.map {
            Notice(kind: .missing, feed: $0.id, message: "\(without) of \($0.id): it has no live data.")
        } + FeedNotices(now: context.now).about(feeds)
    }
}

// MARK: - Vehicles

/// Selects the vehicles that match a request.
private struct VehicleFilter {
    private var routes: Set<RouteIndex>?
    private var stops: Set<StopIndex>?
    private var timetable: Timetable?
    private var trip: TripID?

    init(_ parameters: VehiclesParameters, _ feeds: [FeedSnapshot], _ context: RequestContext) throws {
        trip = parameters.trip.map { text in DepartureID(text)?.trip ?? TripID(text) }
        guard parameters.route != nil || parameters.stop != nil else { return }
        let timetables = try RequestContext.timetables(
            of: feeds, at: context.now, naming: parameters.stop ?? parameters.route)
        if let text = parameters.stop {
            let found = try StopFinder(timetables, context).find(text)
            timetable = found.timetable
            stops = Set(try found.callingStops())
        }
        if let text = parameters.route {
            let resolution = RouteFinder(timetable.map { [$0] } ?? timetables)
            if timetable == nil { timetable = try resolution.find(text).timetable }
            routes = try RouteFinder([timetable ?? timetables[0]]).routes(named: text)
        }
    }

    /// Returns the position of the call up to which ``VehicleSummary/stopsAway`` counts; `nil` for a vehicle that does
    /// not match the filter.
    func call(of vehicle: RealtimeVehicle, _ rendering: VehicleRenderer) -> Int?? {
        if let trip, vehicle.position.trip?.tripID != trip { return nil }
        guard let timetable else { return .some(nil) }
        guard rendering.names.timetable === timetable else { return nil }
        let pattern = rendering.pattern(of: vehicle)
        if let routes {
            // A vehicle may have a route but no trip, as in Warsaw.
            guard let route = rendering.route(of: vehicle, on: pattern), routes.contains(route) else { return nil }
        }
        guard let stops else { return .some(nil) }
        guard let pattern else { return nil }
        let next = vehicle.progress?.call ?? 0
        guard let call = pattern.calls.indices.first(where: { $0 >= next && stops.contains(pattern.calls[$0].stop) })
        else { return nil }
        return .some(call)
    }
}

/// Renders vehicles for the wire.
private struct VehicleRenderer {
    var realtime: RealtimeDatasets
    var now: Instant
    var names: NameRenderer

    private var timetable: Timetable { names.timetable }

    func pattern(of vehicle: RealtimeVehicle) -> Pattern? {
        // A pattern that cannot be read causes an error in the next request about its stops.
        (vehicle.tripInstance?.pattern ?? vehicle.variant?.pattern).flatMap { try? timetable.file.pattern($0) }
    }

    /// Returns the route of the vehicle's trip or, without a trip, the route that the vehicle reports.
    func route(of vehicle: RealtimeVehicle, on pattern: Pattern?) -> RouteIndex? {
        pattern?.route ?? vehicle.position.trip?.routeID.flatMap { timetable.file.route(id: $0) }
    }

    func summary(_ vehicle: RealtimeVehicle, until call: Int?) throws(StoreError) -> VehicleSummary {
        let position = vehicle.position
        let pattern = pattern(of: vehicle)
        let measured = realtime.measured(vehicle)
        var summary = VehicleSummary(
            feed: timetable.feed, id: position.vehicle?.id?.rawValue, label: position.vehicle?.label,
            trip: position.trip?.tripID, isMatched: vehicle.tripInstance != nil || vehicle.variant != nil,
            serviceDate: vehicle.tripInstance?.serviceDate ?? position.trip?.startDate,
            directionId: (pattern?.direction ?? position.trip?.direction).map { Int($0.rawValue) },
            position: position.coordinate.map { Position($0) }, bearing: position.bearing.map { Double($0) },
            speed: position.speed.map { Double($0) }, occupancy: position.occupancy.flatMap { OccupancyLevel($0) },
            occupancyPercentage: position.occupancyPercentage.map { Int($0) },
            timestamp: measured.map { Timestamp($0, in: timetable.zone) },
            age: measured.map { max(0, $0.seconds(to: now)) })
        if let trip = vehicle.tripInstance?.trip ?? vehicle.variant?.trip, let pattern {
            summary.route = try names.route(pattern.route)
            summary.headsign = try names.headsign(of: try timetable.file.trip(trip), pattern: pattern)
            if let progress = vehicle.progress, pattern.calls.indices.contains(progress.call) {
                summary.status = VehicleStatus(progress.state)
                summary.stop = try names.callStop(pattern.calls[progress.call].stop)
                summary.stopsAway = call.flatMap { progress.stopsAway(from: $0) }
            }
            if let run = vehicle.tripInstance {
                summary.delay = try delay(of: run, pattern, at: vehicle.progress?.call)
            }
        } else if let route = route(of: vehicle, on: pattern) {
            summary.route = try names.route(route)
        }
        summary.noDepartureReason = vehicle.exclusion.map { VehicleExclusionReason($0) }
        return summary
    }

    /// Returns the delay at the vehicle's current or next call. A last known prediction is not a current delay.
    private func delay(of run: TripInstanceKey, _ pattern: Pattern, at call: Int?) throws(StoreError) -> Int? {
        guard let call, let place = try timetable.file.locate(run.trip) else { return nil }
        let scheduled = ScheduledCall(
            run, pattern: place.pattern, timingGroup: place.timingGroup, tripPosition: place.position, position: call,
            zone: timetable.zone(of: pattern.route))
        return realtime.expected(scheduled, of: run, now: now).flatMap { $0.isLastKnown ? nil : $0.delay }
    }
}

extension ScheduledCall {
    /// Creates the call of a trip instance from its key.
    init(
        _ run: TripInstanceKey, pattern: Pattern, timingGroup: Int, tripPosition: Int, position: Int, zone: ServiceZone
    ) {
        // Reads the columns directly, because unpacking a timing group takes time proportional to its calls and trips.
        let times = pattern.times(timingGroup: timingGroup, call: position)
        let row = run.frequencyStart.flatMap { start in
            pattern.frequencies(ofTimingGroup: timingGroup).first { row in
                Int(row.trip) == tripPosition && row.start <= start.seconds && start.seconds < row.end
            }
        }
        let place = pattern.tripRange(ofTimingGroup: timingGroup).lowerBound + tripPosition
        let start = run.frequencyStart ?? ServiceTime(seconds: pattern.column(.starts)[place])
        let begin = zone.instant(of: start, on: run.serviceDate)
        self.init(
            pattern: pattern, timingGroup: timingGroup, tripPosition: tripPosition, serviceDate: run.serviceDate,
            position: position, arrival: begin.advanced(by: Int(times.arrival)),
            departure: begin.advanced(by: Int(times.departure)), frequency: row.map { (start, $0) })
    }
}

// MARK: - Alerts

/// Selects the alerts that match a request.
private struct AlertFilter {
    private var timetable: Timetable?
    private var routes: Set<RouteID>?
    private var stops: Set<StopID>?
    private var endsOfCommute: [FeedID: Set<StopID>]?

    init(_ parameters: AlertsParameters, _ feeds: [FeedSnapshot], _ context: RequestContext) throws {
        if let name = parameters.commute { endsOfCommute = try Self.ends(of: name, context) }
        guard parameters.route != nil || parameters.stop != nil else { return }
        let timetables = try RequestContext.timetables(
            of: feeds, at: context.now, naming: parameters.stop ?? parameters.route)
        if let text = parameters.stop {
            let found = try StopFinder(timetables, context).find(text)
            timetable = found.timetable
            var ids: Set<StopID> = [found.stop.id]
            for stop in try found.callingStops() { ids.formUnion(try found.timetable.withStation(stop)) }
            stops = ids
        }
        if let text = parameters.route {
            let found = try RouteFinder(timetable.map { [$0] } ?? timetables).find(text)
            timetable = found.timetable
            let indexes = try RouteFinder([found.timetable]).routes(named: text)
            routes = Set(indexes.compactMap { found.timetable.route($0)?.id })
        }
    }

    private static func ends(of name: String, _ context: RequestContext) throws -> [FeedID: Set<StopID>] {
        let entry = try context.commuteList.entry(named: name)
        let search = AccessStopFinder(context: context)
        var ends: [FeedID: Set<StopID>] = [:]
        for end in [entry.commute.from, entry.commute.to] {
            for reach in try search.stops(for: context.commuteList.end(end)) {
                for stop in reach.walks.keys {
                    ends[reach.timetable.feed, default: []].formUnion(try reach.timetable.withStation(stop))
                }
            }
        }
        return ends
    }

    /// Whether an alert matches the filter. An alert whose informed entities contain neither routes nor stops applies
    /// to all routes and stops.
    func matches(_ alert: Alert, of timetable: Timetable) -> Bool {
        if let ends = endsOfCommute {
            guard let stops = ends[timetable.feed] else { return false }
            let isNear = alert.informed.contains { informed in
                informed.stopID.map { Self.names($0, oneOf: stops, of: timetable) } ?? true
            }
            if !isNear { return false }
        }
        guard let requested = self.timetable else { return true }
        guard requested === timetable else { return false }
        return alert.informed.contains { informed in
            if let stops, let stop = informed.stopID, !Self.names(stop, oneOf: stops, of: timetable) { return false }
            if let routes, let route = informed.routeID ?? informed.trip?.routeID, !routes.contains(route) {
                return false
            }
            if stops != nil, routes == nil { return informed.stopID != nil || informed.routeID == nil }
            return true
        }
    }
}

extension AlertFilter {
    /// Whether a stop is one of the given stops, or an elevator or entrance of one of them.
    private static func names(_ id: StopID, oneOf stops: Set<StopID>, of timetable: Timetable) -> Bool {
        if stops.contains(id) { return true }
        // A stop that cannot be read is treated as missing from the timetable.
        guard let parent = (try? timetable.file.find(id))?.stop.parent,
            let station = try? timetable.cachedStop(parent).id
        else { return false }
        return stops.contains(station)
    }
}

/// Renders alerts for the wire.
private struct AlertRenderer {
    var age: Int
    var moment: Instant
    var names: NameRenderer

    private var timetable: Timetable { names.timetable }

    func summary(_ alert: Alert) throws(StoreError) -> AlertSummary {
        var subjects: [AlertSubject] = []
        for informed in alert.informed { subjects.append(try subject(informed)) }
        return AlertSummary(
            feed: timetable.feed, id: alert.id.rawValue, severity: AlertSeverityName(alert.severity),
            cause: AlertCauseName(alert.cause), effect: AlertEffectName(alert.effect),
            header: text(alert.header), description: text(alert.description),
            url: (alert.url?.text(in: names.language)).flatMap { PublishedText.address($0) },
            isActive: alert.isActive(at: moment),
            activePeriods: alert.activePeriods.map { period in
                AlertPeriod(
                    start: period.start.map { Timestamp($0, in: timetable.zone) },
                    end: period.end.map { Timestamp($0, in: timetable.zone) })
            }, informedEntities: subjects, age: age)
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
