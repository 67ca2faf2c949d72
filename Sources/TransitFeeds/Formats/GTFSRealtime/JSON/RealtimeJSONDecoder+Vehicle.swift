internal import TransitModel

extension RealtimeJSONDecoder {
    /// Reads a *VehiclePosition* (GTFS-Realtime reference).
    mutating func merge(_ json: inout JSONReader, into parts: inout VehiclePositionBuilder)
        throws(MalformedMessageError)
    {
        guard try begin(&json, "FeedEntity.vehicle") else { return }
        while let name = try json.nextMember() {
            switch name.folded {
            case "trip": parts.vehicle.trip = try trip(&json)
            case "vehicle": parts.vehicle.vehicle = try vehicle(&json)
            case "position": try position(&json, &parts)
            case "currentstopsequence":
                parts.vehicle.currentSequence = try number(&json, "VehiclePosition.current_stop_sequence")
            case "stopid": parts.vehicle.stopID = try identifier(&json, "VehiclePosition.stop_id")
            case "currentstatus":
                parts.vehicle.status = try value(&json, "VehiclePosition.current_status") ?? parts.vehicle.status
            case "timestamp": parts.vehicle.timestamp = try instant(&json, "VehiclePosition.timestamp")
            case "occupancystatus": parts.vehicle.occupancy = try value(&json, "VehiclePosition.occupancy_status")
            case "occupancypercentage":
                parts.vehicle.occupancyPercentage = try number(&json, "VehiclePosition.occupancy_percentage")
            default: break
            }
        }
    }

    /// Reads a *Position* (GTFS-Realtime reference).
    private mutating func position(_ json: inout JSONReader, _ parts: inout VehiclePositionBuilder)
        throws(MalformedMessageError)
    {
        guard try begin(&json, "VehiclePosition.position") else { return }
        while let name = try json.nextMember() {
            switch name.folded {
            case "latitude": parts.latitude = try double(&json, "Position.latitude")
            case "longitude": parts.longitude = try double(&json, "Position.longitude")
            case "bearing": parts.bearing = try double(&json, "Position.bearing")
            case "speed": parts.speed = try double(&json, "Position.speed")
            default: break
            }
        }
    }
}
