internal import TransitModel

/// Reads the entities of a GTFS-Realtime message in any of its JSON dialects.
///
/// Member names match regardless of case and underscores, and the names of lists may be singular or plural. As a
/// result, `stop_time_update` (the name in the schema), `stopTimeUpdate` (the JSON format of protobuf) and
/// `StopTimeUpdates` (511.org, which writes only some names in lowercase, such as `cause` and `severity_level`) are the
/// same member. Unknown members, such as those of MBTA's "enhanced" JSON, are skipped.
struct RealtimeJSONDecoder {
    var log: ProblemLog

    init(_ log: ProblemLog) { self.log = log }

    /// Reads a *FeedHeader* (GTFS-Realtime reference).
    mutating func header(_ json: inout JSONReader) throws(MalformedMessageError) -> RealtimeHeader {
        var header = RealtimeHeader()
        guard try begin(&json, "FeedMessage.header") else { return header }
        while let name = try json.nextMember() {
            switch name.folded {
            case "gtfsrealtimeversion": header.version = try text(&json, "FeedHeader.gtfs_realtime_version")
            case "incrementality":
                header.incrementality = try value(&json, "FeedHeader.incrementality") ?? header.incrementality
            case "timestamp": header.timestamp = try instant(&json, "FeedHeader.timestamp")
            case "feedversion": header.feedVersion = try text(&json, "FeedHeader.feed_version")
            default: break
            }
        }
        return header
    }

    /// Reads an entity and passes its trip update, position and alert to `body`, in this order. The memory of `update`
    /// is reused for every entity.
    mutating func entity<Failure: Error>(
        _ json: inout JSONReader, scratch update: inout TripUpdate, _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) {
        var parts = EntityBuilder()
        let start = json.offset
        update.resetAllButCalls()
        update.updates.removeAll(keepingCapacity: true)
        do throws(MalformedMessageError) {
            guard try read(&json, &parts, &update) else { return }
        } catch {
            log.add(.malformedEntity, "FeedEntity", at: error.offset)
            log.endEntity(parts.id)
            return
        }
        try parts.finish(&update, &log, at: start, body)
    }

    /// Returns false if the value is not an object.
    private mutating func read(
        _ json: inout JSONReader, _ parts: inout EntityBuilder, _ update: inout TripUpdate
    ) throws(MalformedMessageError) -> Bool {
        guard try begin(&json, "FeedMessage.entity") else { return false }
        while let name = try json.nextMember() {
            switch name.folded {
            case "id": parts.id = EntityID(try text(&json, "FeedEntity.id") ?? "")
            case "isdeleted": parts.isDeleted = try boolean(&json, "FeedEntity.is_deleted") ?? false
            case "tripupdate" where try json.kind() != .null:
                parts.hasUpdate = true
                if try merge(&json, into: &update) { parts.hasTrip = true }
            case "vehicle" where try json.kind() != .null:
                try parts.withVehicle { vehicle throws(MalformedMessageError) in try merge(&json, into: &vehicle) }
            case "alert" where try json.kind() != .null:
                try parts.withAlert { alert throws(MalformedMessageError) in try merge(&json, into: &alert) }
            case "shape", "stop", "tripmodifications":
                if try json.kind() != .null { parts.isUnsupported = true }
            default: break
            }
        }
        return true
    }
}

// MARK: - Trip updates
extension RealtimeJSONDecoder {
    /// Reads a *TripUpdate* (GTFS-Realtime reference). Returns whether it has a trip descriptor.
    private mutating func merge(_ json: inout JSONReader, into update: inout TripUpdate) throws(MalformedMessageError)
        -> Bool
    {
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

// MARK: - Vehicle positions
extension RealtimeJSONDecoder {
    /// Reads a *VehiclePosition* (GTFS-Realtime reference).
    private mutating func merge(_ json: inout JSONReader, into parts: inout VehiclePositionBuilder)
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

// MARK: - Alerts
extension RealtimeJSONDecoder {
    /// Reads an *Alert* (GTFS-Realtime reference). Text-to-speech texts, images, and details of cause and effect are
    /// ignored.
    private mutating func merge(_ json: inout JSONReader, into alert: inout Alert) throws(MalformedMessageError) {
        guard try begin(&json, "FeedEntity.alert") else { return }
        while let name = try json.nextMember() {
            switch name.folded {
            case "activeperiod", "activeperiods":
                var list = try json.list()
                while try json.next(&list) {
                    guard log.acceptsActivePeriod(at: json.offset) else { continue }
                    if let period = try period(&json) { alert.activePeriods.append(period) }
                }
            case "informedentity", "informedentities":
                var list = try json.list()
                while try json.next(&list) {
                    guard log.acceptsInformedEntity(at: json.offset) else { continue }
                    if let informed = try informedEntity(&json) { alert.informed.append(informed) }
                }
            case "cause": alert.cause = try value(&json, "Alert.cause") ?? alert.cause
            case "effect": alert.effect = try value(&json, "Alert.effect") ?? alert.effect
            case "severitylevel": alert.severity = try value(&json, "Alert.severity_level") ?? alert.severity
            case "url": alert.url = try translatedText(&json, "Alert.url")
            case "headertext": alert.header = try translatedText(&json, "Alert.header_text")
            case "descriptiontext": alert.description = try translatedText(&json, "Alert.description_text")
            default: break
            }
        }
    }

    /// Reads a *TimeRange* (GTFS-Realtime reference).
    private mutating func period(_ json: inout JSONReader) throws(MalformedMessageError) -> Alert.ActivePeriod? {
        guard try begin(&json, "Alert.active_period") else { return nil }
        var period = Alert.ActivePeriod()
        while let name = try json.nextMember() {
            switch name.folded {
            case "start": period.start = try rangeBound(&json, "TimeRange.start")
            case "end": period.end = try rangeBound(&json, "TimeRange.end")
            default: break
            }
        }
        return period
    }

    /// Reads an *EntitySelector* (GTFS-Realtime reference).
    private mutating func informedEntity(_ json: inout JSONReader) throws(MalformedMessageError) -> InformedEntity? {
        guard try begin(&json, "Alert.informed_entity") else { return nil }
        var informed = InformedEntity()
        while let name = try json.nextMember() {
            switch name.folded {
            case "agencyid": informed.agencyID = try identifier(&json, "EntitySelector.agency_id")
            case "routeid": informed.routeID = try identifier(&json, "EntitySelector.route_id")
            case "routetype": informed.routeType = try number(&json, "EntitySelector.route_type")
            case "trip": informed.trip = try trip(&json)
            case "stopid": informed.stopID = try identifier(&json, "EntitySelector.stop_id")
            case "directionid": informed.direction = try direction(&json, "EntitySelector.direction_id")
            default: break
            }
        }
        return informed
    }

    /// Reads a *TranslatedString* (GTFS-Realtime reference). A plain string counts as a translation without a language.
    /// Some publishers omit the enclosing message and send only the list: `"header_text": [{"text": "…", "language":
    /// "en"}]`.
    private mutating func translatedText(
        _ json: inout JSONReader, _ field: StaticString
    ) throws(MalformedMessageError) -> TranslatedText? {
        if try json.kind() == .string {
            return try text(&json, field).flatMap { TranslatedText([.init($0)]) }
        }
        var translations: [TranslatedText.Translation] = []
        if try json.kind() == .array {
            var list = try json.list()
            while try json.next(&list) {
                guard log.acceptsTranslation(at: json.offset) else { continue }
                if try json.kind() == .string {
                    if let text = try text(&json, field) { translations.append(.init(text)) }
                } else if let translation = try translation(&json) {
                    translations.append(translation)
                }
            }
            return TranslatedText(translations)
        }
        guard try begin(&json, field) else { return nil }
        while let name = try json.nextMember() {
            guard ["translation", "translations"].contains(name.folded) else { continue }
            var list = try json.list()
            while try json.next(&list) {
                guard log.acceptsTranslation(at: json.offset) else { continue }
                if let translation = try translation(&json) { translations.append(translation) }
            }
        }
        return TranslatedText(translations)
    }

    /// Reads a *Translation*. Returns `nil` if it has no text.
    private mutating func translation(
        _ json: inout JSONReader
    ) throws(MalformedMessageError) -> TranslatedText.Translation? {
        guard try begin(&json, "TranslatedString.translation") else { return nil }
        var translation = TranslatedText.Translation("")
        while let name = try json.nextMember() {
            switch name.folded {
            case "text": translation.text = try text(&json, "Translation.text") ?? ""
            case "language": translation.language = try text(&json, "Translation.language")
            default: break
            }
        }
        return translation.text.isEmpty ? nil : translation
    }
}

// MARK: - Descriptors
extension RealtimeJSONDecoder {
    /// Reads a *TripDescriptor* (GTFS-Realtime reference).
    private mutating func trip(_ json: inout JSONReader) throws(MalformedMessageError) -> TripDescriptor? {
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
    private mutating func vehicle(_ json: inout JSONReader) throws(MalformedMessageError) -> VehicleDescriptor? {
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
