internal import TransitModel

extension RealtimeProtobufDecoder {
    /// Reads a *TripUpdate* (GTFS-Realtime reference). Returns whether it has a trip descriptor.
    mutating func merge(_ wire: inout ProtobufReader, into update: inout TripUpdate) throws(MalformedMessageError)
        -> Bool
    {
        var hasTrip = false
        while let tag = try wire.nextTag() {
            switch tag {
            case ProtobufTag.bytes(1):
                hasTrip = true
                var message = try wire.message()
                try merge(&message, into: &update.trip)
            case ProtobufTag.bytes(2):
                repeat {
                    var message = try wire.message()
                    try nextCall(&message, &update.updates)
                } while wire.consume(ProtobufTag.bytes(2))
            case ProtobufTag.bytes(3):
                var message = try wire.message()
                var vehicle = update.vehicle ?? VehicleDescriptor()
                try merge(&message, into: &vehicle)
                update.vehicle = vehicle
            case ProtobufTag.varint(4):
                let offset = wire.offset
                update.timestamp = log.instant(try wire.varint(), "TripUpdate.timestamp", at: offset)
            case ProtobufTag.varint(5): update.delay = try wire.int32()
            case ProtobufTag.bytes(6):
                var message = try wire.message()
                var properties = update.properties ?? TripProperties()
                try merge(&message, into: &properties)
                update.properties = properties
            default: try log.skip(&wire, tag, "TripUpdate", known: 1...6)
            }
        }
        return hasTrip
    }

    /// Reads the next stop time update and overwrites the update of an earlier entity. Most of the decoding time is
    /// spent on stop time updates, and a new value would be copied several times before it is in the array.
    @inline(__always)
    private mutating func nextCall(
        _ wire: inout ProtobufReader, _ calls: inout [StopTimeUpdate]
    ) throws(MalformedMessageError) {
        let position = callCount
        guard log.acceptsStopTimeUpdate(after: position, at: wire.offset) else { return }
        if position == calls.count { calls.append(StopTimeUpdate()) }
        callCount += 1
        try calls.withUnsafeMutableBufferPointer { calls throws(MalformedMessageError) in
            calls[position].clear()
            try merge(&wire, into: &calls[position])
        }
    }

    /// Reads a *StopTimeUpdate* (GTFS-Realtime reference).
    @inline(__always)
    private mutating func merge(_ wire: inout ProtobufReader, into update: inout StopTimeUpdate)
        throws(MalformedMessageError)
    {
        if wire.consume(ProtobufTag.varint(1)) { update.sequence = try wire.uint32() }
        if wire.consume(ProtobufTag.bytes(2)) { try event(&wire, &update.arrival) }
        if wire.consume(ProtobufTag.bytes(3)) { try event(&wire, &update.departure) }
        if wire.consume(ProtobufTag.bytes(4)) { try stop(&wire, &update) }
        while let tag = try wire.nextTag() {
            switch tag {
            case ProtobufTag.varint(1): update.sequence = try wire.uint32()
            case ProtobufTag.bytes(2): try event(&wire, &update.arrival)
            case ProtobufTag.bytes(3): try event(&wire, &update.departure)
            case ProtobufTag.bytes(4): try stop(&wire, &update)
            case ProtobufTag.varint(5): try set(&update.relationship, &wire, "StopTimeUpdate.schedule_relationship")
            case ProtobufTag.bytes(6):
                var message = try wire.message()
                try stopTimeProperties(&message, &update.assignedStopID)
            case ProtobufTag.varint(7):
                try set(&update.departureOccupancy, &wire, "StopTimeUpdate.departure_occupancy_status")
            default: try log.skip(&wire, tag, "StopTimeUpdate", known: 1...7)
            }
        }
    }

    @inline(__always)
    private mutating func stop(_ wire: inout ProtobufReader, _ update: inout StopTimeUpdate)
        throws(MalformedMessageError)
    {
        let offset = wire.offset
        update.stopID = frequentIdentifier(try wire.bytes(), "StopTimeUpdate.stop_id", offset)
    }

    /// Reads a *StopTimeEvent* (GTFS-Realtime reference) and merges it into an earlier part of the same event.
    @inline(__always)
    private mutating func event(_ wire: inout ProtobufReader, _ event: inout StopTimeEvent?)
        throws(MalformedMessageError)
    {
        var message = try wire.message()
        var (time, scheduledTime) = (event?.time, event?.scheduledTime)
        var (delay, uncertainty) = (event?.delay, event?.uncertainty)
        if message.consume(ProtobufTag.varint(1)) { delay = try message.int32() }
        if message.consume(ProtobufTag.varint(2)) { time = try instant(&message, "StopTimeEvent.time") }
        while let tag = try message.nextTag() {
            switch tag {
            case ProtobufTag.varint(1): delay = try message.int32()
            case ProtobufTag.varint(2): time = try instant(&message, "StopTimeEvent.time")
            case ProtobufTag.varint(3): uncertainty = try message.int32()
            case ProtobufTag.varint(4):
                scheduledTime = try instant(&message, "StopTimeEvent.scheduled_time")
            default: try log.skip(&message, tag, "StopTimeEvent", known: 1...4)
            }
        }
        event = StopTimeEvent(time: time, delay: delay, uncertainty: uncertainty, scheduledTime: scheduledTime)
    }

    @inline(__always)
    private mutating func instant(
        _ wire: inout ProtobufReader, _ field: StaticString
    ) throws(MalformedMessageError) -> Instant? {
        let offset = wire.offset
        return log.instant(try wire.varint(), field, at: offset)
    }

    /// Reads the assigned stop of *StopTimeProperties* (GTFS-Realtime reference). The other properties are ignored.
    private mutating func stopTimeProperties(
        _ wire: inout ProtobufReader, _ assigned: inout StopID?
    ) throws(MalformedMessageError) {
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            guard tag == ProtobufTag.bytes(1) else {
                try log.skip(&wire, tag, "StopTimeProperties", known: 1...1)
                continue
            }
            assigned = identifier(try wire.bytes(), "StopTimeProperties.assigned_stop_id", offset)
        }
    }

    /// Reads *TripProperties* (GTFS-Realtime reference).
    private mutating func merge(
        _ wire: inout ProtobufReader, into properties: inout TripProperties
    ) throws(MalformedMessageError) {
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1):
                properties.tripID = identifier(try wire.bytes(), "TripProperties.trip_id", offset)
            case ProtobufTag.bytes(2):
                properties.startDate = date(try wire.bytes(), "TripProperties.start_date", offset)
            case ProtobufTag.bytes(3):
                properties.startTime = log.time(try wire.bytes(), "TripProperties.start_time", at: offset)
            case ProtobufTag.bytes(4):
                properties.shapeID = identifier(try wire.bytes(), "TripProperties.shape_id", offset)
            case ProtobufTag.bytes(5):
                properties.headsign = text(try wire.bytes(), "TripProperties.trip_headsign", offset)
            case ProtobufTag.bytes(6):
                properties.shortName = text(try wire.bytes(), "TripProperties.trip_short_name", offset)
            default: try log.skip(&wire, tag, "TripProperties", known: 1...6)
            }
        }
    }
}

extension StopTimeUpdate {
    /// Resets all fields to their defaults.
    @inline(__always)
    fileprivate mutating func clear() {
        sequence = nil
        stopID = nil
        arrival = nil
        departure = nil
        relationship = .scheduled
        assignedStopID = nil
        departureOccupancy = nil
    }
}
