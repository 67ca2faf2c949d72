internal import TransitControl
internal import TransitModel

extension View where Result == VehiclesResult {
    /// The vehicles and their positions.
    static let vehicles = View(page: page, rows: rows)

    /// Rows for scripts: feed, vehicle, label, route, headsign, trip, latitude, longitude, status, stop, stops away, delay in
    /// seconds, occupancy, age in seconds.
    private static func rows(_ result: VehiclesResult) -> [[String]] {
        result.vehicles.map { vehicle in
            [
                vehicle.feed.rawValue, vehicle.id ?? "", vehicle.label ?? "", vehicle.route?.words ?? "",
                vehicle.headsign ?? "", vehicle.trip?.rawValue ?? "", vehicle.position.map { "\($0.lat)" } ?? "",
                vehicle.position.map { "\($0.lon)" } ?? "", vehicle.status?.rawValue ?? "",
                vehicle.stop?.name ?? "", vehicle.stopsAway.map(String.init) ?? "",
                vehicle.delay.map(String.init) ?? "", vehicle.occupancy?.rawValue ?? "",
                vehicle.age.map(String.init) ?? "",
            ]
        }
    }

    private static func page(_ page: inout Page, _ result: VehiclesResult) {
        guard !result.vehicles.isEmpty else {
            page.line("No vehicle positions.")
            return
        }
        var table = Table(["vehicle", "route", .shrinking("to"), .shrinking("position"), "delay", "occupancy", "seen"])
        for vehicle in result.vehicles { table.add(vehicle.cells) }
        page.table(table)
        if result.nextCursor != nil { page.line("There are more. Use -n 500 to show them.", .faint) }
    }
}

extension VehicleSummary {
    fileprivate var cells: [Line] {
        let isLate = delay.map { $0 >= 60 } ?? false
        return [
            Line(label ?? id ?? trip?.rawValue ?? "", .strong), routeLine, Line(headsign ?? ""), Line(place),
            Line(delay.flatMap { DelayText.of($0) } ?? "", isLate ? .late : .early),
            Line(occupancy?.words ?? ""), Line(age.map { AgeText.of($0) } ?? "", .faint),
        ]
    }

    private var routeLine: Line {
        guard isMatched else { return Line(route?.words ?? "unknown trip", .caution) }
        return route.map { Line($0.words, $0.style) } ?? Line()
    }

    /// The position, such as "at Mill Lane" or "3 stops away, next Mill Lane", or the coordinates if no stop is known.
    private var place: String {
        var words: [String] = []
        if let stopsAway, stopsAway > 0 { words.append(CountText.of(stopsAway, "stop") + " away") }
        if let stop {
            switch status {
            case .atStop: words.append("at \(stop.words)")
            case .approaching: words.append("arriving at \(stop.words)")
            case .inTransit, .other, nil: words.append("next \(stop.words)")
            }
        }
        if let noDepartureReason { words.append(noDepartureReason.words) }
        if words.isEmpty, let position { words.append("\(position.lat),\(position.lon)") }
        return words.joined(separator: ", ")
    }
}

extension VehicleExclusionReason {
    /// The reason why the vehicle yields no departure, as a phrase.
    fileprivate var words: String {
        switch self {
        case .noTrip: "no trip"
        case .unknownTrip: "unknown trip"
        case .noPosition: "no position"
        case .noTimestamp: "position without time"
        case .stale: "position too old"
        case .parked: "parked"
        case .unknownPath: "unknown path"
        case .offRoute: "off route"
        case .atLastStop: "at its last stop"
        case .other: "no departure"
        }
    }
}
