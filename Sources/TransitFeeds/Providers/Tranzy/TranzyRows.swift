internal import TransitModel

// The rows of each table. Only the members in the recordings are read; others are ignored.

struct TranzyRoute: Hashable, Sendable {
    var id: RouteID
    var shortName: String?
    var longName: String?
    /// 0, 3 or 11 in the recordings.
    var type: Int
    var color: String?

    static func read(_ row: inout TranzyRow) throws(MalformedMessageError) -> Self? {
        var id: String?
        var names: (short: String?, long: String?, description: String?)
        var type: Int?
        var color: String?
        try row.members { (row, name) throws(MalformedMessageError) in
            switch name {
            case "route_id": id = try row.identifier()
            case "route_short_name": names.short = try row.text()
            case "route_long_name": names.long = try row.text()
            case "route_desc": names.description = try row.text()
            case "route_type": type = try row.integer(name)
            case "route_color":
                guard let text = try row.text() else { return }
                color = Self.color(text)
                if color == nil { row.report("invalid_color", name, text) }
            default: break
            }
        }
        guard let id else {
            row.reportMissing("route_id")
            return nil
        }
        // A route without a type is a bus, as most are.
        return Self(
            id: RouteID(id), shortName: names.short, longName: names.long ?? names.description,
            type: type.flatMap { FieldValue.isRouteType($0) ? $0 : nil } ?? 3, color: color)
    }

    /// Normalizes colors such as "#f3513c" and "#000", with or without "#", to six uppercase hexadecimal digits.
    static func color(_ text: String) -> String? {
        let digits = text.first == "#" ? text.dropFirst() : text[...]
        guard digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return switch digits.count {
        case 6: digits.uppercased()
        case 3: digits.uppercased().map { "\($0)\($0)" }.joined()
        default: nil
        }
    }
}

struct TranzyStop: Hashable, Sendable {
    var id: StopID
    var name: String
    var code: String?
    var coordinate: Coordinate?

    static func read(_ row: inout TranzyRow) throws(MalformedMessageError) -> Self? {
        var id: String?
        var name: String?
        var code: String?
        var place: (latitude: Double?, longitude: Double?)
        try row.members { (row, member) throws(MalformedMessageError) in
            switch member {
            case "stop_id": id = try row.identifier()
            case "stop_name": name = try row.text()
            case "stop_code": code = try row.text()
            case "stop_lat": place.latitude = try row.number(member)
            case "stop_lon": place.longitude = try row.number(member)
            default: break
            }
        }
        guard let id else {
            row.reportMissing("stop_id")
            return nil
        }
        return Self(
            id: StopID(id), name: name ?? id, code: code,
            coordinate: row.coordinate(place.latitude, place.longitude, "stop_lat"))
    }
}

struct TranzyTrip: Hashable, Sendable {
    /// "1_0": the route and the direction. It identifies a stop sequence of the route, not a scheduled trip.
    var id: TripID
    var route: RouteID
    var headsign: String?
    var direction: Direction?
    var shape: String?

    static func read(_ row: inout TranzyRow) throws(MalformedMessageError) -> Self? {
        var id: String?
        var route: String?
        var headsign: String?
        var direction: Int?
        var shape: String?
        try row.members { (row, name) throws(MalformedMessageError) in
            switch name {
            case "trip_id": id = try row.identifier()
            case "route_id": route = try row.identifier()
            case "trip_headsign": headsign = try row.text()
            case "direction_id": direction = try row.integer(name)
            case "shape_id": shape = try row.identifier()
            default: break
            }
        }
        guard let id, let route else {
            row.reportMissing(id == nil ? "trip_id" : "route_id")
            return nil
        }
        let parsed = direction.flatMap { UInt8(exactly: $0) }.flatMap { Direction(rawValue: $0) }
        if let direction, parsed == nil { row.report("invalid_direction", "direction_id", "\(direction)") }
        return Self(
            id: TripID(id), route: RouteID(route), headsign: headsign, direction: parsed, shape: shape)
    }
}

struct TranzyStopTime: Hashable, Sendable {
    var trip: TripID
    var stop: StopID
    /// Starts at 0 in the recordings.
    var sequence: Int

    static func read(_ row: inout TranzyRow) throws(MalformedMessageError) -> Self? {
        var trip: String?
        var stop: String?
        var sequence: Int?
        try row.members { (row, name) throws(MalformedMessageError) in
            switch name {
            case "trip_id": trip = try row.identifier()
            case "stop_id": stop = try row.identifier()
            case "stop_sequence": sequence = try row.integer(name)
            default: break
            }
        }
        guard let trip, let stop, let sequence else {
            row.reportMissing(trip == nil ? "trip_id" : stop == nil ? "stop_id" : "stop_sequence")
            return nil
        }
        return Self(trip: TripID(trip), stop: StopID(stop), sequence: sequence)
    }
}

struct TranzyShapePoint: Hashable, Sendable {
    var coordinate: Coordinate
    var sequence: Int

    static func read(_ row: inout TranzyRow) throws(MalformedMessageError) -> Self? {
        var place: (latitude: Double?, longitude: Double?)
        var sequence: Int?
        try row.members { (row, name) throws(MalformedMessageError) in
            switch name {
            case "shape_pt_lat": place.latitude = try row.number(name)
            case "shape_pt_lon": place.longitude = try row.number(name)
            case "shape_pt_sequence": sequence = try row.integer(name)
            default: break
            }
        }
        guard let coordinate = row.coordinate(place.latitude, place.longitude, "shape_pt_lat"), let sequence else {
            row.reportMissing(sequence == nil ? "shape_pt_sequence" : "shape_pt_lat")
            return nil
        }
        return Self(coordinate: coordinate, sequence: sequence)
    }
}

extension TranzyRow {
    /// Returns a coordinate if both values are present and valid. Invalid coordinates are reported.
    mutating func coordinate(_ latitude: Double?, _ longitude: Double?, _ field: String) -> Coordinate? {
        guard let latitude, let longitude else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        if coordinate == nil { report("invalid_coordinate", field, "\(latitude), \(longitude)") }
        return coordinate
    }
}
