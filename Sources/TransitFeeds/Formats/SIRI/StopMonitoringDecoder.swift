internal import TransitModel

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
    var values = RealtimeJSONDecoder(ProblemLog())

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
