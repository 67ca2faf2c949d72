internal import TransitModel

// The rows of the network's lists.

/// A variant in KMB's list of routes, or a route of Citybus, whose return direction has the same ends in reverse.
struct HongKongRouteRow: Hashable, Sendable {
    var route: String
    /// `nil` for Citybus.
    var direction: Direction?
    var serviceType: String
    var origin: HongKongName
    var destination: HongKongName

    /// - Parameter isDirected: Whether a row without a direction is unusable.
    init?(_ row: HongKongRow, isDirected: Bool, _ log: inout HongKongRowLog) {
        guard let route = row.route else {
            log.add(.missing, "route", at: row.place)
            return nil
        }
        if isDirected, row.direction == nil {
            log.add(.missing, "bound", at: row.place)
            return nil
        }
        self.route = route
        direction = isDirected ? row.direction : nil
        serviceType = row.serviceType ?? "1"
        origin = row.origin
        destination = row.destination
    }
}

/// One call of a variant.
struct HongKongCallRow: Hashable, Sendable {
    var route: String
    var direction: Direction
    var serviceType: String
    var sequence: UInt32
    var stop: StopID
}

extension HongKongCallRow {
    init?(_ row: HongKongRow, _ log: inout HongKongRowLog) {
        guard let route = row.route, let direction = row.direction, let sequence = row.sequence, let stop = row.stop
        else {
            let missing =
                row.route == nil ? "route" : row.direction == nil ? "dir" : row.sequence == nil ? "seq" : "stop"
            log.add(.missing, missing, at: row.place)
            return nil
        }
        self.init(
            route: route, direction: direction, serviceType: row.serviceType ?? "1", sequence: sequence, stop: stop)
    }
}

/// A stop with its name and coordinate.
struct HongKongStopRow: Hashable, Sendable {
    var id: StopID
    var name: HongKongName
    /// `nil` if the coordinate is missing or outside Hong Kong.
    var coordinate: Coordinate?

    init?(_ row: HongKongRow, _ log: inout HongKongRowLog) {
        guard let id = row.stop else {
            log.add(.missing, "stop", at: row.place)
            return nil
        }
        guard row.name.text != nil else {
            log.add(.missing, "name_en", at: row.place)
            return nil
        }
        self.init(id: id, name: row.name, latitude: row.latitude, longitude: row.longitude, place: row.place, &log)
    }

    init(
        id: StopID, name: HongKongName, latitude: Double?, longitude: Double?, place: (row: Int, offset: Int),
        _ log: inout HongKongRowLog
    ) {
        self.id = id
        self.name = name
        coordinate = Self.coordinate(latitude, longitude)
        if coordinate == nil {
            let text = "\(latitude.map { "\($0)" } ?? "-"), \(longitude.map { "\($0)" } ?? "-")"
            log.add(.invalid, "lat", at: place, value: text)
        }
    }

    /// Creates the row of a stop from the previous version; `nil` if that version lacks the stop.
    init?(_ id: StopID, in previous: any PreviousNetwork) throws(FeedError) {
        guard let stop = try previous.stop(id) else { return nil }
        self.id = id
        name = HongKongName(
            english: try previous.name(of: id, in: "en") ?? stop.name,
            traditional: try previous.name(of: id, in: "zh-Hant"), simplified: try previous.name(of: id, in: "zh-Hans"))
        coordinate = stop.coordinate
    }

    /// The area of Hong Kong and its border crossings. A coordinate elsewhere is an error that would mislead users.
    private static let area = (latitude: 21.9...22.8, longitude: 113.4...114.7)

    private static func coordinate(_ latitude: Double?, _ longitude: Double?) -> Coordinate? {
        guard let latitude, let longitude, area.latitude.contains(latitude), area.longitude.contains(longitude) else {
            return nil
        }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}
