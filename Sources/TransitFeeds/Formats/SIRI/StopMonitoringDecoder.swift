internal import TransitModel

/// Reads the members of a StopMonitoring reply, forgiving: names in any case, an object where a list is meant and the
/// other way round, numbers and booleans as texts, and empty texts for "not known".
struct StopMonitoringDecoder {
    /// `ResponseTimestamp`: of the service, else of the delivery.
    private(set) var responded: Instant?
    private(set) var visits: [MonitoredVisit] = []
    /// More visits than this are left out: they are all kept until the end of the reply.
    var maximumVisits = RealtimeLimits.memory / MemoryLayout<MonitoredVisit>.stride
    /// Reads single values as the JSON dialects of GTFS-Realtime have them, and counts what is wrong.
    var values = RealtimeJSONDecoder(ProblemLog())

    var problems: RealtimeProblems { values.log.problems }

    /// `false` when the document is something else.
    mutating func read(_ json: inout JSONReader) throws(MalformedMessageError) -> Bool {
        var isReply = false
        guard try json.beginObject() else { return false }
        while let name = try json.nextMember() {
            switch name.folded {
            // Some servers wrap the reply into one more object.
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
            case "responsetimestamp": responded = try time(&json, "ServiceDelivery.ResponseTimestamp") ?? responded
            case "status": if try values.boolean(&json, "ServiceDelivery.Status") == false { hasFailed = true }
            case "stopmonitoringdelivery":
                hasDelivery = true
                if try deliveries(&json) { hasFailed = true }
            default: break
            }
        }
        guard visits.isEmpty else { return }
        // Without visits, what the reply says of itself decides whether that means "nothing runs".
        if hasFailed { throw MalformedMessageError(.failed, at: place) }
        if !hasDelivery { throw MalformedMessageError(.missing("StopMonitoringDelivery"), at: place) }
    }

    /// Reads the deliveries: one, a list of them, or `{}` and null, which 511.org has where no train runs. `true` when one
    /// says that it failed.
    private mutating func deliveries(_ json: inout JSONReader) throws(MalformedMessageError) -> Bool {
        var hasFailed = false
        var list = try json.list()
        while try json.next(&list) {
            guard try values.begin(&json, "StopMonitoringDelivery") else { continue }
            while let name = try json.nextMember() {
                switch name.folded {
                case "responsetimestamp":
                    let time = try time(&json, "StopMonitoringDelivery.ResponseTimestamp")
                    responded = responded ?? time
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
            case "recordedattime": visit.recorded = try measuredTime(&json, "MonitoredStopVisit.RecordedAtTime")
            case "monitoringref": monitored = try values.identifier(&json, "MonitoredStopVisit.MonitoringRef")
            case "monitoredvehiclejourney": try journey(&json, &visit)
            default: break
            }
        }
        // 511.org names the stop twice; where that differs, the call itself counts.
        visit.stop = visit.stop ?? monitored
        take(visit, at: offset)
    }

    /// Keeps a visit of which the stop and the journey are known, and counts what is wrong with one.
    private mutating func take(_ visit: MonitoredVisit, at offset: Int) {
        let isNamed = visit.journey.trip != nil || visit.journey.line != nil
        if visit.stop == nil { values.log.add(.missingStop, "MonitoredCall.StopPointRef", at: offset) }
        if !isNamed { values.log.add(.missingTrip, "FramedVehicleJourneyRef.DatedVehicleJourneyRef", at: offset) }
        _ = visit.position.finished(visit.journey.entity, &values.log, at: offset)
        values.log.endEntity(visit.journey.entity)
        if visit.stop != nil, isNamed { visits.append(visit) }
    }
}
