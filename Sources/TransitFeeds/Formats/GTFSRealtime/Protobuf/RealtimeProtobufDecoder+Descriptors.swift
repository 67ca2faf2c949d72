internal import TransitModel

extension RealtimeProtobufDecoder {
    /// Reads a *TripDescriptor* (GTFS-Realtime reference).
    mutating func merge(_ wire: inout ProtobufReader, into trip: inout TripDescriptor) throws(MalformedMessageError) {
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1): trip.tripID = identifier(try wire.bytes(), "TripDescriptor.trip_id", offset)
            case ProtobufTag.bytes(2):
                trip.startTime = log.time(try wire.bytes(), "TripDescriptor.start_time", at: offset)
            case ProtobufTag.bytes(3): trip.startDate = date(try wire.bytes(), "TripDescriptor.start_date", offset)
            case ProtobufTag.varint(4):
                try set(&trip.relationship, &wire, "TripDescriptor.schedule_relationship")
            case ProtobufTag.bytes(5):
                trip.routeID = frequentIdentifier(try wire.bytes(), "TripDescriptor.route_id", offset)
            case ProtobufTag.varint(6):
                trip.direction = log.direction(
                    Int64(try wire.uint32()), "TripDescriptor.direction_id", at: offset)
            case ProtobufTag.bytes(7):
                _ = try wire.bytes()
                log.add(.unsupportedField, "TripDescriptor.modified_trip", at: offset)
            default: try log.skip(&wire, tag, "TripDescriptor", known: 1...7)
            }
        }
    }

    /// Reads a *VehicleDescriptor* (GTFS-Realtime reference).
    mutating func merge(_ wire: inout ProtobufReader, into vehicle: inout VehicleDescriptor)
        throws(MalformedMessageError)
    {
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1): vehicle.id = identifier(try wire.bytes(), "VehicleDescriptor.id", offset)
            case ProtobufTag.bytes(2): vehicle.label = text(try wire.bytes(), "VehicleDescriptor.label", offset)
            case ProtobufTag.bytes(3):
                vehicle.licensePlate = text(try wire.bytes(), "VehicleDescriptor.license_plate", offset)
            case ProtobufTag.varint(4):
                var access = VehicleAccessibility(vehicle.wheelchair)
                try set(&access, &wire, "VehicleDescriptor.wheelchair_accessible")
                vehicle.wheelchair = access.accessibility
            default: try log.skip(&wire, tag, "VehicleDescriptor", known: 1...4)
            }
        }
    }

    /// Parses a date in the format `YYYYMMDD`. The last date is cached because most dates in a message are the same.
    mutating func date(_ bytes: UnsafeBufferPointer<UInt8>, _ field: StaticString, _ offset: Int) -> ServiceDate? {
        guard bytes.count == 8, let base = bytes.baseAddress else { return log.date(bytes, field, at: offset) }
        let text = UnsafeRawPointer(base).loadUnaligned(as: UInt64.self)
        if let lastDate, lastDate.text == text { return lastDate.date }
        let date = log.date(bytes, field, at: offset)
        lastDate = date.map { (text, $0) }
        return date
    }
}
