internal import TransitModel

/// The parts of one entity that were read so far. The trip update itself is in the decoder, which reuses its memory.
struct EntityBuilder {
    var id: EntityID = ""
    var isDeleted = false
    var hasUpdate = false
    /// Whether the trip update has a trip descriptor.
    var hasTrip = false
    /// Whether the entity contains a shape, a stop or trip modifications.
    var isUnsupported = false
    private var vehicle: VehiclePositionBuilder?
    private var alert: Alert?

    mutating func withVehicle<Failure: Error>(
        _ body: (inout VehiclePositionBuilder) throws(Failure) -> Void
    ) throws(Failure) {
        var value = vehicle.take() ?? VehiclePositionBuilder()
        try body(&value)
        vehicle = value
    }

    mutating func withAlert<Failure: Error>(_ body: (inout Alert) throws(Failure) -> Void) throws(Failure) {
        var value = alert.take() ?? Alert(id: "")
        try body(&value)
        alert = value
    }

    /// Passes the parts of the complete entity to `body`, and reports problems of the entity as a whole.
    mutating func finish<Failure: Error>(
        _ update: inout TripUpdate, _ log: inout ProblemLog, at offset: Int,
        _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) {
        if id.rawValue.isEmpty { log.add(.missingEntityID, "FeedEntity.id", at: offset) }
        if isUnsupported { log.add(.unsupportedEntity, "FeedEntity", at: offset) }
        if hasUpdate, !hasTrip, !isDeleted { log.add(.missingTrip, "TripUpdate.trip", at: offset) }
        let isEmpty = !hasUpdate && vehicle == nil && alert == nil
        if isEmpty, !isDeleted, !isUnsupported { log.add(.emptyEntity, "FeedEntity", at: offset) }
        let position = isDeleted ? nil : vehicle?.finished(id, &log, at: offset)
        log.endEntity(id)

        guard !isDeleted else { return try body(.deleted(id)) }
        if hasUpdate, hasTrip {
            update.id = id
            try body(.tripUpdate(update))
        }
        if let position { try body(.vehicle(position)) }
        if var alert {
            alert.id = id
            try body(.alert(alert))
        }
    }
}

/// A vehicle position being read. Latitude and longitude are separate fields, so the coordinate is created at the end.
struct VehiclePositionBuilder {
    var vehicle = VehiclePosition(id: "")
    var latitude: Double?
    var longitude: Double?
    var bearing: Double?
    var speed: Double?

    /// Returns the position. Invalid coordinates, bearings and speeds are removed and reported.
    func finished(_ id: EntityID, _ log: inout ProblemLog, at offset: Int) -> VehiclePosition {
        var vehicle = vehicle
        vehicle.id = id
        vehicle.coordinate = latitude.flatMap { latitude in
            longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) }
        }
        if vehicle.coordinate == nil, latitude != nil || longitude != nil {
            log.add(.invalidCoordinate, "Position.latitude", at: offset, text(latitude) + ", " + text(longitude))
        }
        if let bearing {
            vehicle.bearing = (0...360).contains(bearing) ? Float(bearing == 360 ? 0 : bearing) : nil
            if vehicle.bearing == nil { log.add(.invalidBearing, "Position.bearing", at: offset, text(bearing)) }
        }
        if let speed {
            vehicle.speed = (0..<Double(Float.infinity)).contains(speed) ? Float(speed) : nil
            if vehicle.speed == nil { log.add(.invalidSpeed, "Position.speed", at: offset, text(speed)) }
        }
        return vehicle
    }

    private func text(_ number: Double?) -> String { number.map { "\($0)" } ?? "-" }
}

extension TripUpdate {
    mutating func resetAllButCalls() {
        trip = TripDescriptor()
        vehicle = nil
        timestamp = nil
        delay = nil
        properties = nil
    }
}
