internal import TransitModel

extension StopMonitoringDecoder {
    /// Reads a *MonitoredVehicleJourney* (SIRI).
    mutating func journey(_ json: inout JSONReader, _ visit: inout MonitoredVisit) throws(MalformedMessageError) {
        guard try begin(&json, "MonitoredStopVisit.MonitoredVehicleJourney") else { return }
        while let name = try json.nextMember() {
            switch name.folded {
            case "lineref": visit.journey.line = try values.identifier(&json, "MonitoredVehicleJourney.LineRef")
            case "directionref": visit.journey.direction = try direction(&json)
            case "framedvehiclejourneyref": try frame(&json, &visit.journey)
            case "monitored":
                visit.isMonitored =
                    try values.boolean(&json, "MonitoredVehicleJourney.Monitored") ?? visit.isMonitored
            case "vehiclelocation": try location(&json, &visit.position)
            case "bearing": visit.position.bearing = try values.double(&json, "MonitoredVehicleJourney.Bearing")
            case "vehicleref": visit.vehicle = try values.identifier(&json, "MonitoredVehicleJourney.VehicleRef")
            case "monitoredcall": try call(&json, &visit)
            default: break
            }
        }
    }

    /// Reads a *FramedVehicleJourneyRef* (SIRI).
    private mutating func frame(_ json: inout JSONReader, _ journey: inout JourneyReference)
        throws(MalformedMessageError)
    {
        guard try begin(&json, "MonitoredVehicleJourney.FramedVehicleJourneyRef") else { return }
        while let name = try json.nextMember() {
            switch name.folded {
            case "dataframeref": journey.date = try date(&json, "FramedVehicleJourneyRef.DataFrameRef")
            case "datedvehiclejourneyref":
                journey.trip = try values.identifier(&json, "FramedVehicleJourneyRef.DatedVehicleJourneyRef")
            default: break
            }
        }
    }

    /// Reads a *LocationStructure* (SIRI). In responses from 511.org, the coordinates are strings, which are empty
    /// without a vehicle.
    private mutating func location(_ json: inout JSONReader, _ position: inout VehiclePositionBuilder)
        throws(MalformedMessageError)
    {
        guard try begin(&json, "MonitoredVehicleJourney.VehicleLocation") else { return }
        while let name = try json.nextMember() {
            switch name.folded {
            case "latitude": position.latitude = try values.double(&json, "VehicleLocation.Latitude")
            case "longitude": position.longitude = try values.double(&json, "VehicleLocation.Longitude")
            default: break
            }
        }
    }

    /// Reads a *MonitoredCall* (SIRI). Onward calls are not supported because 511.org does not send them.
    private mutating func call(_ json: inout JSONReader, _ visit: inout MonitoredVisit) throws(MalformedMessageError) {
        guard try begin(&json, "MonitoredVehicleJourney.MonitoredCall") else { return }
        while let name = try json.nextMember() {
            switch name.folded {
            case "stoppointref": visit.stop = try values.identifier(&json, "MonitoredCall.StopPointRef")
            case "aimedarrivaltime": visit.arrival.aimed = try time(&json, "MonitoredCall.AimedArrivalTime")
            case "expectedarrivaltime": visit.arrival.expected = try time(&json, "MonitoredCall.ExpectedArrivalTime")
            case "aimeddeparturetime": visit.departure.aimed = try time(&json, "MonitoredCall.AimedDepartureTime")
            case "expecteddeparturetime":
                visit.departure.expected = try time(&json, "MonitoredCall.ExpectedDepartureTime")
            case "arrivalstatus", "departurestatus":
                if try json.string().map({ JSONName.fold($0) }) == "cancelled" { visit.isCanceled = true }
            default: break
            }
        }
    }

    // MARK: Values

    /// Enters an object. Returns false for null, and for an empty string, which 511.org writes in place of an empty
    /// object.
    private mutating func begin(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError) -> Bool {
        guard try json.kind() == .string else { return try values.begin(&json, field) }
        let offset = json.offset
        if try json.string()?.isEmpty == false { values.log.add(.unexpectedType, field, at: offset) }
        return false
    }

    /// Reads a time in the format of RFC 3339. Reports any other text and returns `nil`.
    mutating func time(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError) -> Instant? {
        guard let (text, offset) = try text(&json, field) else { return nil }
        guard let time = Instant(rfc3339: text), time.secondsSince1970 > 0 else {
            values.log.add(.invalidTimestamp, field, at: offset, text)
            return nil
        }
        return time
    }

    /// Reads the time of a vehicle observation in the format of RFC 3339. Returns `nil` for 1970-01-01T00:00:00Z, which
    /// 511.org writes before the first observation.
    mutating func observationTime(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError)
        -> Instant?
    {
        guard let (text, offset) = try text(&json, field) else { return nil }
        guard let time = Instant(rfc3339: text), time.secondsSince1970 >= 0 else {
            values.log.add(.invalidTimestamp, field, at: offset, text)
            return nil
        }
        return time.secondsSince1970 == 0 ? nil : time
    }

    private mutating func date(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError)
        -> ServiceDate?
    {
        guard let (text, offset) = try text(&json, field) else { return nil }
        if let date = ServiceDate(iso8601: text) ?? ServiceDate(gtfs: Array(text.utf8)) { return date }
        values.log.add(.invalidDate, field, at: offset, text)
        return nil
    }

    private mutating func direction(_ json: inout JSONReader) throws(MalformedMessageError) -> Direction? {
        try json.integer().flatMap { UInt8(exactly: $0) }.flatMap(Direction.init)
    }

    /// Reads a text and returns it with its offset.
    private mutating func text(
        _ json: inout JSONReader, _ field: StaticString
    ) throws(MalformedMessageError) -> (text: String, offset: Int)? {
        _ = try json.kind()
        let offset = json.offset
        return try values.text(&json, field).map { ($0, offset) }
    }
}
