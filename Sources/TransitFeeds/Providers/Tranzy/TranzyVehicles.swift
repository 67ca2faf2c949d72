internal import TransitModel

/// Parses `/vehicles`.
enum TranzyVehicles {
    /// - Parameter received: The time of receipt. The response is generated on request and has no timestamp of its own.
    /// - Throws: A ``FeedError`` if the body is not a list of vehicles.
    static func message(_ body: [UInt8], received: Instant) throws(FeedError) -> DecodedMessage {
        let table = try TranzyTable<VehiclePosition>.read(body, "vehicles", row)
        var problems = RealtimeProblems()
        for finding in table.findings { problems.add(rule(finding.rule), example(finding)) }
        return DecodedMessage(
            header: RealtimeHeader(timestamp: received), entities: table.rows.map { .vehicle($0) }, problems: problems)
    }

    private static func row(_ row: inout TranzyRow) throws(MalformedMessageError) -> VehiclePosition? {
        var id: String?
        var trip: (id: String?, route: String?)
        var place: (latitude: Double?, longitude: Double?)
        var vehicle = VehicleDescriptor()
        var position = VehiclePosition(id: "")
        try row.members { (row, name) throws(MalformedMessageError) in
            switch name {
            // A number in 2026, but a string in the documentation from 2023.
            case "id": id = try row.identifier()
            case "label": vehicle.label = try row.text()
            case "trip_id": trip.id = try row.identifier()
            case "route_id": trip.route = try row.identifier()
            case "latitude": place.latitude = try row.number(name)
            case "longitude": place.longitude = try row.number(name)
            case "timestamp": position.timestamp = try row.time(name)
            case "speed": position.speed = try row.speed(name)
            case "wheelchair_accessible": vehicle.wheelchair = try row.access("WHEELCHAIR")
            case "bike_accessible": vehicle.bikes = try row.access("BIKE")
            default: break
            }
        }
        guard let id else {
            row.reportMissing("id")
            return nil
        }
        position.id = EntityID(id)
        vehicle.id = VehicleID(id)
        position.vehicle = vehicle
        position.coordinate = row.coordinate(place.latitude, place.longitude, "latitude")
        if let name = trip.id {
            position.trip = TripDescriptor(tripID: TripID(name), routeID: trip.route.map { RouteID($0) })
        }
        return position
    }

    // MARK: Problems

    private static func rule(_ name: String) -> RealtimeProblems.Rule {
        switch name {
        case "missing_required_field": .missingEntityID
        case "unexpected_type": .unexpectedType
        default: RealtimeProblems.Rule(rawValue: name) ?? .invalidNumber
        }
    }

    private static func example(_ finding: TranzyRow.Finding) -> RealtimeProblems.Example {
        let row = finding.place.line.map { "[\($0 - 1)]." } ?? ""
        return RealtimeProblems.Example(
            field: row + (finding.place.field ?? "vehicle"), offset: finding.offset,
            value: finding.value.map { String($0.prefix(32)) })
    }
}

extension TranzyRow {
    /// Reads a time: "2026-09-04T11:23:43.000Z". The documentation from 2023 shows "2023-05-10 11:23:43", without a
    /// time zone.
    ///
    /// A time without a zone is read as UTC. If it is in fact local time, the result is hours ahead and is rejected as
    /// implausible.
    fileprivate mutating func time(_ field: String) throws(MalformedMessageError) -> Instant? {
        guard let text = try text() else { return nil }
        if let time = Instant(rfc3339: text) ?? Instant(rfc3339: text + "Z") { return time }
        report("invalid_timestamp", field, text)
        return nil
    }

    /// Reads kilometers per hour and returns meters per second.
    fileprivate mutating func speed(_ field: String) throws(MalformedMessageError) -> Float? {
        guard let speed = try number(field) else { return nil }
        guard (0...400).contains(speed) else {
            report("invalid_speed", field, "\(speed)")
            return nil
        }
        return Float(speed / 3.6)
    }

    /// Reads `BIKE_ACCESSIBLE` and `BIKE_INACCESSIBLE`, and the corresponding values for wheelchairs. `NO_VALUE` and
    /// any other value mean unknown.
    fileprivate mutating func access(_ prefix: String) throws(MalformedMessageError) -> Accessibility? {
        switch try text() {
        case "\(prefix)_ACCESSIBLE": .possible
        case "\(prefix)_INACCESSIBLE": .notPossible
        default: nil
        }
    }
}
