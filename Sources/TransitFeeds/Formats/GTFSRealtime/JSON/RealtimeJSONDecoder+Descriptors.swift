internal import TransitModel

extension RealtimeJSONDecoder {
    /// Reads a *TripDescriptor* (GTFS-Realtime reference).
    mutating func trip(_ json: inout JSONReader) throws(MalformedMessageError) -> TripDescriptor? {
        guard try begin(&json, "TripDescriptor") else { return nil }
        var trip = TripDescriptor()
        while let name = try json.nextMember() {
            switch name.folded {
            case "tripid": trip.tripID = try identifier(&json, "TripDescriptor.trip_id")
            case "routeid": trip.routeID = try identifier(&json, "TripDescriptor.route_id")
            case "directionid": trip.direction = try direction(&json, "TripDescriptor.direction_id")
            case "starttime": trip.startTime = try time(&json, "TripDescriptor.start_time")
            case "startdate": trip.startDate = try date(&json, "TripDescriptor.start_date")
            case "schedulerelationship":
                trip.relationship = try value(&json, "TripDescriptor.schedule_relationship") ?? trip.relationship
            case "modifiedtrip" where try json.kind() == .object:
                log.add(.unsupportedField, "TripDescriptor.modified_trip", at: json.offset)
            default: break
            }
        }
        return trip
    }

    /// Reads a *VehicleDescriptor* (GTFS-Realtime reference).
    mutating func vehicle(_ json: inout JSONReader) throws(MalformedMessageError) -> VehicleDescriptor? {
        guard try begin(&json, "VehicleDescriptor") else { return nil }
        var vehicle = VehicleDescriptor()
        while let name = try json.nextMember() {
            switch name.folded {
            case "id": vehicle.id = try identifier(&json, "VehicleDescriptor.id")
            case "label": vehicle.label = try text(&json, "VehicleDescriptor.label")
            case "licenseplate": vehicle.licensePlate = try text(&json, "VehicleDescriptor.license_plate")
            case "wheelchairaccessible":
                let access: VehicleAccessibility? = try value(&json, "VehicleDescriptor.wheelchair_accessible")
                vehicle.wheelchair = access?.accessibility
            default: break
            }
        }
        return vehicle
    }
}
