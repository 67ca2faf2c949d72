internal import TransitModel

/// Vehicles, in the format that both `/v1/vehicles` and the WebSocket use:
///
///     {"key": "1:1000", "vehicleNumber": "1000", "type": 1, "line": "175", "brigade": "3", "lat": 52.23, "lon": 21.01,
///      "timestamp": "2026-02-10T18:38:00+01:00", "tileId": "14/9149/5394", "updatedAt": "2026-02-10T18:38:09.5+01:00"}
///
/// A vehicle names its line but neither trip nor direction, so its position only refers to a route. `timestamp` is the
/// time at which the city measured the position; `updatedAt` is the time at which the server polled the city.
struct WaBusVehicles: Hashable, Sendable {
    /// In the order of first occurrence. If a key occurs again, the later vehicle replaces the earlier one.
    private(set) var entities: [RealtimeEntity] = []
    /// The latest `updatedAt`, according to the server's clock.
    private(set) var newest: Instant?
    private(set) var problems = RealtimeProblems()
    private var places: [EntityID: Int] = [:]

    /// Parses the response of `/v1/vehicles`, which lists all vehicles.
    static func message(_ body: [UInt8]) throws(FeedError) -> DecodedMessage {
        var vehicles = WaBusVehicles()
        let list = try WaBusList.read(body, of: "vehicles") { (json, offset) throws(MalformedMessageError) in
            try vehicles.readVehicle(&json, offset)
        }
        let header = RealtimeHeader(timestamp: list.serverTime ?? vehicles.newest)
        return DecodedMessage(header: header, entities: vehicles.entities, problems: vehicles.problems)
    }

    /// Returns `nil` if the value is not a list; `null` is an empty list.
    init?(_ json: inout JSONReader) throws(MalformedMessageError) {
        self.init()
        var vehicles = self
        let list = try WaBusList.read(&json) { (json, offset) throws(MalformedMessageError) in
            try vehicles.readVehicle(&json, offset)
        }
        guard list != nil else { return nil }
        self = vehicles
    }

    init() {}

    /// Returns `nil` if the value is not a vehicle, or has no key by which it could be replaced or removed.
    private mutating func readVehicle(_ json: inout JSONReader, _ offset: Int) throws(MalformedMessageError)
        -> EntityID?
    {
        var row = WaBusRow()
        guard try row.read(&json) else {
            problems.add(.malformedEntity, .init(field: "vehicles", offset: offset))
            return nil
        }
        guard let key = row.texts["key"] else {
            problems.add(.missingEntityID, .init(field: "vehicles.key", offset: offset))
            return nil
        }
        let id = EntityID(key)
        var vehicle = VehiclePosition(id: id, vehicle: VehicleDescriptor(id: VehicleID(key)))
        vehicle.vehicle?.label = row.texts["vehiclenumber"]
        vehicle.trip = row.texts["line"].map { TripDescriptor(routeID: RouteID($0)) }
        vehicle.coordinate = coordinate(row, id, offset)
        vehicle.timestamp = time(row, "timestamp", id, offset)
        newest = [newest, time(row, "updatedAt", id, offset)].compactMap(\.self).max()
        add(vehicle)
        return id
    }

    private mutating func add(_ vehicle: VehiclePosition) {
        if let place = places[vehicle.id] {
            entities[place] = .vehicle(vehicle)
        } else {
            places[vehicle.id] = entities.count
            entities.append(.vehicle(vehicle))
        }
    }

    private mutating func coordinate(_ row: WaBusRow, _ id: EntityID, _ offset: Int) -> Coordinate? {
        if let latitude = row.number("lat"), let longitude = row.number("lon"),
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        {
            return coordinate
        }
        problems.add(
            .invalidCoordinate, .init(entity: id, field: "vehicles.lat", offset: offset, value: row.texts["lat"]))
        return nil
    }

    /// Parses an RFC 3339 time with nanoseconds and the server's UTC offset.
    private mutating func time(_ row: WaBusRow, _ name: String, _ id: EntityID, _ offset: Int) -> Instant? {
        guard let text = row.texts[JSONName.fold(name)] else { return nil }
        if let time = Instant(rfc3339: text), time.secondsSince1970 > 0 { return time }
        let value = String(text.prefix(32))
        problems.add(
            .invalidTimestamp, .init(entity: id, field: "vehicles.\(name)", offset: offset, value: value))
        return nil
    }
}
