package import TransitControl
internal import TransitEngine
package import TransitModel
internal import TransitQueries
internal import TransitStore

/// Renders stops and routes for the wire, with their translated names.
struct NameRenderer {
    let names: TimetableNames

    /// - Parameter language: An IETF BCP 47 language tag; `nil` keeps the published names.
    init(_ timetable: Timetable, language: String? = nil) { names = TimetableNames(timetable, language: language) }

    var timetable: Timetable { names.timetable }
    var language: String? { names.language }

    func callStop(_ index: StopIndex) throws(StoreError) -> CallStop {
        try callStop(try timetable.cachedStop(index))
    }

    func callStop(_ stop: Timetable.CachedStop) throws(StoreError) -> CallStop {
        CallStop(id: stop.id, name: try names.name(of: stop), platform: stop.platform)
    }

    func stop(_ stop: Stop) throws(StoreError) -> StopSummary {
        var parent: StopReference?
        if let index = stop.parent {
            let cachedStop = try timetable.cachedStop(index)
            parent = StopReference(id: cachedStop.id, name: try names.name(of: cachedStop))
        }
        return StopSummary(
            feed: timetable.feed, id: stop.id, code: stop.code, name: try names.name(of: stop),
            platform: stop.platform, kind: StopKind(stop.kind), position: stop.coordinate.map { Position($0) },
            parent: parent, wheelchair: AccessibilityLevel(stop.wheelchair))
    }

    func stop(at index: StopIndex) throws(StoreError) -> StopSummary {
        try stop(try timetable.file.stop(index))
    }

    func reference(_ index: StopIndex) throws(StoreError) -> StopReference {
        let stop = try callStop(index)
        return StopReference(id: stop.id, name: stop.name)
    }

    func route(_ index: RouteIndex) throws(StoreError) -> RouteSummary {
        guard let route = timetable.route(index) else {
            throw .corrupt(path: timetable.file.path, detail: "route \(index.rawValue) is missing")
        }
        return RouteSummary(
            id: route.id, shortName: try names.shortName(of: route), longName: try names.longName(of: route),
            type: route.type, color: route.color, textColor: route.textColor)
    }
}

// Conversions of model types to wire types.

extension AccessibilityLevel {
    init(_ accessibility: Accessibility) {
        switch accessibility {
        case .unknown: self = .unknown
        case .possible: self = .possible
        case .notPossible: self = .notPossible
        }
    }
}

extension Boarding {
    init(_ type: PickupDropOff) {
        switch type {
        case .regular: self = .regular
        case .none: self = .none
        case .phone: self = .phone
        case .driver: self = .driver
        }
    }
}

extension StopKind {
    init(_ kind: Stop.Kind) {
        switch kind {
        case .platform: self = .platform
        case .station: self = .station
        case .entrance: self = .entrance
        case .node: self = .node
        case .boardingArea: self = .boardingArea
        }
    }
}

extension Position {
    package init(_ coordinate: Coordinate) { self.init(lat: coordinate.latitude, lon: coordinate.longitude) }
}

extension MatchRank {
    init(_ rank: SearchRank) {
        switch rank {
        case .exact: self = .exact
        case .prefix: self = .prefix
        case .word: self = .word
        case .substring: self = .substring
        case .similar: self = .similar
        }
    }
}

extension TransferKind {
    init(_ kind: Transfer.Kind) {
        switch kind {
        case .recommended: self = .recommended
        case .timed: self = .timed
        case .minimumTime: self = .minimumTime
        case .notPossible: self = .notPossible
        case .inSeat: self = .inSeat
        case .inSeatNotAllowed: self = .noInSeat
        }
    }
}

extension AgencySummary {
    /// Creates the summary of a route's agency. If the feed lacks the agency, only the time zone is known.
    init(_ agency: Agency?, zone: ServiceZone) {
        self.init(
            id: agency?.id ?? "", name: agency?.name ?? "", url: agency?.url, phone: agency?.phone,
            timezone: agency?.timezone ?? zone.name)
    }
}
