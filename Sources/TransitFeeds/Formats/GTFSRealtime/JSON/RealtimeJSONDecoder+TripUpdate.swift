internal import TransitModel

extension RealtimeJSONDecoder {
    /// Reads a *TripUpdate* (GTFS-Realtime reference). Returns whether it has a trip descriptor.
    mutating func merge(_ json: inout JSONReader, into update: inout TripUpdate) throws(MalformedMessageError) -> Bool {
        var hasTrip = false
        guard try begin(&json, "FeedEntity.trip_update") else { return false }
        while let name = try json.nextMember() {
            switch name.folded {
            case "trip":
                if let trip = try trip(&json) {
                    update.trip = trip
                    hasTrip = true
                }
            case "vehicle": update.vehicle = try vehicle(&json)
            case "stoptimeupdate", "stoptimeupdates":
                var list = try json.list()
                while try json.next(&list) {
                    guard log.acceptsStopTimeUpdate(after: update.updates.count, at: json.offset) else { continue }
                    if let call = try stopTimeUpdate(&json) { update.updates.append(call) }
                }
            case "timestamp": update.timestamp = try instant(&json, "TripUpdate.timestamp")
            case "delay": update.delay = try number(&json, "TripUpdate.delay")
            case "tripproperties": update.properties = try properties(&json)
            default: break
            }
        }
        return hasTrip
    }

    /// Reads a *StopTimeUpdate* (GTFS-Realtime reference).
    private mutating func stopTimeUpdate(_ json: inout JSONReader) throws(MalformedMessageError) -> StopTimeUpdate? {
        guard try begin(&json, "TripUpdate.stop_time_update") else { return nil }
        var update = StopTimeUpdate()
        while let name = try json.nextMember() {
            switch name.folded {
            case "stopsequence": update.sequence = try number(&json, "StopTimeUpdate.stop_sequence")
            case "stopid": update.stopID = try identifier(&json, "StopTimeUpdate.stop_id")
            case "arrival": update.arrival = try event(&json, "StopTimeUpdate.arrival")
            case "departure": update.departure = try event(&json, "StopTimeUpdate.departure")
            case "schedulerelationship":
                update.relationship =
                    try value(&json, "StopTimeUpdate.schedule_relationship") ?? update.relationship
            case "departureoccupancystatus":
                update.departureOccupancy = try value(&json, "StopTimeUpdate.departure_occupancy_status")
            case "stoptimeproperties": update.assignedStopID = try assignedStop(&json)
            default: break
            }
        }
        return update
    }

    /// Reads a *StopTimeEvent* (GTFS-Realtime reference).
    private mutating func event(
        _ json: inout JSONReader, _ field: StaticString
    ) throws(MalformedMessageError) -> StopTimeEvent? {
        guard try begin(&json, field) else { return nil }
        var event = StopTimeEvent()
        while let name = try json.nextMember() {
            switch name.folded {
            case "delay": event.delay = try number(&json, "StopTimeEvent.delay")
            case "time": event.time = try instant(&json, "StopTimeEvent.time")
            case "uncertainty": event.uncertainty = try number(&json, "StopTimeEvent.uncertainty")
            case "scheduledtime": event.scheduledTime = try instant(&json, "StopTimeEvent.scheduled_time")
            default: break
            }
        }
        return event
    }

    /// Reads the assigned stop of *StopTimeProperties* (GTFS-Realtime reference). The other properties are ignored.
    private mutating func assignedStop(_ json: inout JSONReader) throws(MalformedMessageError) -> StopID? {
        guard try begin(&json, "StopTimeUpdate.stop_time_properties") else { return nil }
        var stop: StopID?
        while let name = try json.nextMember() {
            guard name.folded == "assignedstopid" else { continue }
            stop = try identifier(&json, "StopTimeProperties.assigned_stop_id")
        }
        return stop
    }

    /// Reads *TripProperties* (GTFS-Realtime reference).
    private mutating func properties(_ json: inout JSONReader) throws(MalformedMessageError) -> TripProperties? {
        guard try begin(&json, "TripUpdate.trip_properties") else { return nil }
        var properties = TripProperties()
        while let name = try json.nextMember() {
            switch name.folded {
            case "tripid": properties.tripID = try identifier(&json, "TripProperties.trip_id")
            case "startdate": properties.startDate = try date(&json, "TripProperties.start_date")
            case "starttime": properties.startTime = try time(&json, "TripProperties.start_time")
            case "shapeid": properties.shapeID = try identifier(&json, "TripProperties.shape_id")
            case "tripheadsign": properties.headsign = try text(&json, "TripProperties.trip_headsign")
            case "tripshortname": properties.shortName = try text(&json, "TripProperties.trip_short_name")
            default: break
            }
        }
        return properties
    }
}
