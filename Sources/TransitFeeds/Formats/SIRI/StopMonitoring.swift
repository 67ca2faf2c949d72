internal import TransitModel

/// Reads responses of the SIRI StopMonitoring service (CEN/TS 15531-3) in JSON, which list visits of vehicles at stops.
enum StopMonitoring {
    /// The description of the expected document in error messages.
    static let wanted = "a SIRI StopMonitoring response"

    /// Reads a response. Each journey becomes a trip update with its visits, and also a vehicle position if the journey
    /// has one.
    ///
    /// The service is a departure board. Its responses contain neither the last stop of a journey nor stops that the
    /// vehicle has left. A response without visits becomes a message without entities.
    ///
    /// - Throws: ``FeedError/notDocument(_:wanted:)`` if the body is another document, and
    ///   ``FeedError/message(_:offset:member:)`` if the response is malformed, lacks a delivery, or reports a failure.
    static func read(_ body: [UInt8]) throws(FeedError) -> DecodedMessage {
        try JSONResponse.read(body, as: wanted) { (json) throws(MalformedMessageError) in
            var decoder = StopMonitoringDecoder()
            guard try decoder.read(&json) else { return nil }
            return DecodedMessage(
                header: RealtimeHeader(timestamp: decoder.responseTime),
                entities: MonitoredJourney.journeys(of: decoder.visits, responseTime: decoder.responseTime)
                    .flatMap(\.entities),
                problems: decoder.problems)
        }
    }
}

/// Decodes a StopMonitoring response.
///
/// The decoder is lenient. It accepts names in any case, an object in place of a list and vice versa, numbers and
/// booleans as strings, and empty strings for unknown values.
struct StopMonitoringDecoder {
    /// The `ResponseTimestamp` of the service or, if there is none, of the delivery.
    private(set) var responseTime: Instant?
    private(set) var visits: [MonitoredVisit] = []
    /// The maximum number of visits, because all visits are stored until the end of the response. Further visits are
    /// ignored.
    var maximumVisits = RealtimeLimits.memory / MemoryLayout<MonitoredVisit>.stride
    /// Reads individual values by the same rules as GTFS-Realtime JSON, and collects the problems.
    private var values = RealtimeJSONDecoder(ProblemLog())

    var problems: RealtimeProblems { values.log.problems }

    /// Reads the document. Returns false if it is not a StopMonitoring response.
    mutating func read(_ json: inout JSONReader) throws(MalformedMessageError) -> Bool {
        var isReply = false
        guard try json.beginObject() else { return false }
        while let name = try json.nextMember() {
            switch name.folded {
            // Some servers wrap the response in another object.
            case "siri":
                if try read(&json) { isReply = true }
            case "servicedelivery":
                isReply = true
                try service(&json)
            default: break
            }
        }
        return isReply
    }

    private mutating func service(_ json: inout JSONReader) throws(MalformedMessageError) {
        let kind = try json.kind()
        let place = json.offset
        guard kind == .object, try json.beginObject() else {
            throw MalformedMessageError(.expected(.object), at: place)
        }
        var hasDelivery = false
        var hasFailed = false
        while let name = try json.nextMember() {
            switch name.folded {
            case "responsetimestamp":
                responseTime = try time(&json, "ServiceDelivery.ResponseTimestamp") ?? responseTime
            case "status": if try values.boolean(&json, "ServiceDelivery.Status") == false { hasFailed = true }
            case "stopmonitoringdelivery":
                hasDelivery = true
                if try deliveries(&json) { hasFailed = true }
            default: break
            }
        }
        guard visits.isEmpty else { return }
        // Without visits, the status of the response decides whether there are no departures or the request failed.
        if hasFailed { throw MalformedMessageError(.failed, at: place) }
        if !hasDelivery { throw MalformedMessageError(.missing("StopMonitoringDelivery"), at: place) }
    }

    /// Reads one delivery or a list of deliveries. 511.org writes `{}` or null if no train is running. Returns true if
    /// a delivery reports a failure.
    private mutating func deliveries(_ json: inout JSONReader) throws(MalformedMessageError) -> Bool {
        var hasFailed = false
        var list = try json.list()
        while try json.next(&list) {
            guard try values.begin(&json, "StopMonitoringDelivery") else { continue }
            while let name = try json.nextMember() {
                switch name.folded {
                case "responsetimestamp":
                    let time = try time(&json, "StopMonitoringDelivery.ResponseTimestamp")
                    responseTime = responseTime ?? time
                case "status":
                    if try values.boolean(&json, "StopMonitoringDelivery.Status") == false { hasFailed = true }
                case "monitoredstopvisit":
                    var list = try json.list()
                    while try json.next(&list) {
                        guard values.log.acceptsVisit(after: visits.count, of: maximumVisits, at: json.offset) else {
                            continue
                        }
                        try visit(&json)
                    }
                default: break
                }
            }
        }
        return hasFailed
    }

    private mutating func visit(_ json: inout JSONReader) throws(MalformedMessageError) {
        let offset = json.offset
        guard try values.begin(&json, "MonitoredStopVisit") else { return }
        var visit = MonitoredVisit()
        var monitored: StopID?
        while let name = try json.nextMember() {
            switch name.folded {
            case "recordedattime":
                visit.observationTime = try observationTime(&json, "MonitoredStopVisit.RecordedAtTime")
            case "monitoringref": monitored = try values.identifier(&json, "MonitoredStopVisit.MonitoringRef")
            case "monitoredvehiclejourney": try journey(&json, &visit)
            default: break
            }
        }
        // 511.org sends the stop both here and in the call. The stop in the call takes precedence.
        visit.stop = visit.stop ?? monitored
        add(visit, at: offset)
    }

    /// Adds a visit if its stop and its journey are known, and reports its problems.
    private mutating func add(_ visit: MonitoredVisit, at offset: Int) {
        let isNamed = visit.journey.trip != nil || visit.journey.line != nil
        if visit.stop == nil { values.log.add(.missingStop, "MonitoredCall.StopPointRef", at: offset) }
        if !isNamed { values.log.add(.missingTrip, "FramedVehicleJourneyRef.DatedVehicleJourneyRef", at: offset) }
        _ = visit.position.finished(visit.journey.entity, &values.log, at: offset)
        values.log.endEntity(visit.journey.entity)
        if visit.stop != nil, isNamed { visits.append(visit) }
    }
}

// MARK: - Vehicle journeys
extension StopMonitoringDecoder {
    /// Reads a *MonitoredVehicleJourney* (SIRI).
    private mutating func journey(_ json: inout JSONReader, _ visit: inout MonitoredVisit) throws(MalformedMessageError)
    {
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
    private mutating func time(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError)
        -> Instant?
    {
        guard let (text, offset) = try text(&json, field) else { return nil }
        guard let time = Instant(rfc3339: text), time.secondsSince1970 > 0 else {
            values.log.add(.invalidTimestamp, field, at: offset, text)
            return nil
        }
        return time
    }

    /// Reads the time of a vehicle observation in the format of RFC 3339. Returns `nil` for 1970-01-01T00:00:00Z, which
    /// 511.org writes before the first observation.
    private mutating func observationTime(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError)
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
