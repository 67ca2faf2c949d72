internal import TransitModel

extension RealtimeProtobufDecoder {
    /// Reads a *VehiclePosition* (GTFS-Realtime reference).
    mutating func merge(_ wire: inout ProtobufReader, into parts: inout VehiclePositionBuilder)
        throws(MalformedMessageError)
    {
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1):
                var message = try wire.message()
                var trip = parts.vehicle.trip ?? TripDescriptor()
                try merge(&message, into: &trip)
                parts.vehicle.trip = trip
            case ProtobufTag.bytes(2):
                var message = try wire.message()
                try position(&message, &parts)
            case ProtobufTag.varint(3): parts.vehicle.currentSequence = try wire.uint32()
            case ProtobufTag.varint(4):
                try set(&parts.vehicle.status, &wire, "VehiclePosition.current_status")
            case ProtobufTag.varint(5):
                parts.vehicle.timestamp = log.instant(
                    try wire.varint(), "VehiclePosition.timestamp", at: offset)
            case ProtobufTag.bytes(7):
                parts.vehicle.stopID = identifier(try wire.bytes(), "VehiclePosition.stop_id", offset)
            case ProtobufTag.bytes(8):
                var message = try wire.message()
                var vehicle = parts.vehicle.vehicle ?? VehicleDescriptor()
                try merge(&message, into: &vehicle)
                parts.vehicle.vehicle = vehicle
            case ProtobufTag.varint(9):
                try set(&parts.vehicle.occupancy, &wire, "VehiclePosition.occupancy_status")
            case ProtobufTag.varint(10): parts.vehicle.occupancyPercentage = try wire.uint32()
            // The congestion level and the carriage details are ignored.
            case ProtobufTag.varint(6), ProtobufTag.bytes(11): try wire.skip(tag)
            default: try log.skip(&wire, tag, "VehiclePosition", known: 1...11)
            }
        }
    }

    /// Reads a *Position* (GTFS-Realtime reference).
    private mutating func position(_ wire: inout ProtobufReader, _ parts: inout VehiclePositionBuilder)
        throws(MalformedMessageError)
    {
        while let tag = try wire.nextTag() {
            switch tag {
            case ProtobufTag.fixed32(1): parts.latitude = Double(try wire.float())
            case ProtobufTag.fixed32(2): parts.longitude = Double(try wire.float())
            case ProtobufTag.fixed32(3): parts.bearing = Double(try wire.float())
            case ProtobufTag.fixed32(5): parts.speed = Double(try wire.float())
            case ProtobufTag.fixed64(4): try wire.skip(tag)  // odometer
            default: try log.skip(&wire, tag, "Position", known: 1...5)
            }
        }
    }
}
