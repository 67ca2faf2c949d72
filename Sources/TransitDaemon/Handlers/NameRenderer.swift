internal import TransitControl
internal import TransitModel
internal import TransitStore

/// Renders names in a timetable for the wire, translated if the feed has translations (translations.txt).
struct NameRenderer {
    var timetable: Timetable
    /// An IETF BCP 47 language tag; `nil` keeps the published names.
    var language: String?

    func callStop(_ index: StopIndex) throws(StoreError) -> CallStop {
        let cachedStop = try timetable.cachedStop(index)
        let name = try translated(cachedStop.name, "stops", "stop_name", id: cachedStop.id.rawValue)
        return CallStop(id: cachedStop.id, name: name, platform: cachedStop.platform)
    }

    func stop(_ stop: Stop) throws(StoreError) -> StopSummary {
        var parent: StopReference?
        if let index = stop.parent {
            let cachedStop = try timetable.cachedStop(index)
            parent = StopReference(
                id: cachedStop.id,
                name: try translated(cachedStop.name, "stops", "stop_name", id: cachedStop.id.rawValue))
        }
        return StopSummary(
            feed: timetable.feed, id: stop.id, code: stop.code,
            name: try translated(stop.name, "stops", "stop_name", id: stop.id.rawValue), platform: stop.platform,
            kind: StopKind(stop.kind), position: stop.coordinate.map { Position($0) }, parent: parent,
            wheelchair: AccessibilityLevel(stop.wheelchair))
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
            id: route.id,
            shortName: try translated(route.shortName, "routes", "route_short_name", id: route.id.rawValue),
            longName: try translated(route.longName, "routes", "route_long_name", id: route.id.rawValue),
            type: route.type, color: route.color, textColor: route.textColor)
    }

    /// Returns the headsign of the call or of the trip or, if there is none, the name of the last stop.
    func headsign(of call: ScheduledCall, _ trip: Trip) throws(StoreError) -> String? {
        if let own = call.call.headsign {
            let text = try timetable.text(own)
            return try translated(
                text, "stop_times", "stop_headsign", id: trip.id.rawValue, subID: String(call.call.sequence))
        }
        return try headsign(of: trip, pattern: call.pattern)
    }

    func headsign(of trip: Trip, pattern: Pattern) throws(StoreError) -> String? {
        if let headsign = trip.headsign {
            return try translated(try timetable.text(headsign), "trips", "trip_headsign", id: trip.id.rawValue)
        }
        return try pattern.calls.last.map { (call) throws(StoreError) in try callStop(call.stop).name }
    }

    /// Translates a field into the nearest available language (``LanguageTag``). The translation is looked up by the
    /// record's identifier, then by the field's value (GTFS reference, translations.txt). The published text is used if
    /// the feed's own language is a closer match.
    func translated(
        _ text: String, _ table: String, _ field: String, id: String, subID: String? = nil
    ) throws(StoreError) -> String {
        try translated(text, table, field, as: [.record(id: id, subID: subID), .value(text)])
    }

    /// Returns the translation of a field for the first of several subjects that has one.
    func translated(
        _ text: String, _ table: String, _ field: String, as subjects: [Translation.Subject]
    ) throws(StoreError) -> String {
        guard let language else { return text }
        for language in try timetable.languages(near: language) {
            for subject in subjects {
                if let found = try timetable.file.translation(
                    table: table, field: field, language: language, of: subject)
                {
                    return found
                }
            }
        }
        return text
    }

    private func translated(
        _ text: String?, _ table: String, _ field: String, id: String
    ) throws(StoreError) -> String? {
        guard let text else { return nil }
        return try translated(text, table, field, id: id) as String
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
    init(_ coordinate: Coordinate) { self.init(lat: coordinate.latitude, lon: coordinate.longitude) }
}
