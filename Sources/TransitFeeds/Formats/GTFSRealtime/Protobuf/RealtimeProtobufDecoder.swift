internal import TransitModel

/// Reads the entities of a GTFS-Realtime message in protobuf.
///
/// If a field occurs again, it replaces the earlier value. Messages in several parts are merged (protobuf
/// documentation, *Last One Wins*). A field matches only if both its number and its wire type match. None of the
/// supported fields is a repeated numeric field, so packed fields do not occur. Unknown fields, such as the NYCT
/// extension 1001, are skipped.
struct RealtimeProtobufDecoder {
    var log: ProblemLog
    /// The bytes and the value of the last date. Nearly all trips in a message have the same date.
    private var lastDate: (text: UInt64, date: ServiceDate)?

    private var texts = TextCache()
    /// The number of stop time updates read so far in the current trip update. Further elements of its array belong to
    /// an earlier trip update.
    var callCount = 0

    init(_ log: ProblemLog) { self.log = log }

    /// Reads an entity and passes its trip update, position and alert to `body`, in this order. The memory of `update`
    /// is reused for every entity.
    mutating func entity<Failure: Error>(
        _ wire: ProtobufReader, scratch update: inout TripUpdate, _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) {
        var parts = EntityBuilder()
        callCount = 0
        let start = wire.offset
        do throws(MalformedMessageError) {
            try read(wire, &parts, &update)
        } catch {
            log.add(.malformedEntity, "FeedEntity", at: error.offset)
            log.endEntity(parts.id)
            return
        }
        if parts.hasUpdate { update.updates.removeLast(update.updates.count - callCount) }
        try parts.finish(&update, &log, at: start, body)
    }

    private mutating func read(
        _ wire: ProtobufReader, _ parts: inout EntityBuilder, _ update: inout TripUpdate
    ) throws(MalformedMessageError) {
        var wire = wire
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1): parts.id = EntityID(text(try wire.bytes(), "FeedEntity.id", offset) ?? "")
            case ProtobufTag.varint(2): parts.isDeleted = try wire.varint() != 0
            case ProtobufTag.bytes(3):
                if !parts.hasUpdate { update.resetAllButCalls() }
                parts.hasUpdate = true
                var message = try wire.message()
                if try merge(&message, into: &update) { parts.hasTrip = true }
            case ProtobufTag.bytes(4):
                var message = try wire.message()
                try parts.withVehicle { vehicle throws(MalformedMessageError) in try merge(&message, into: &vehicle) }
            case ProtobufTag.bytes(5):
                var message = try wire.message()
                try parts.withAlert { alert throws(MalformedMessageError) in try merge(&message, into: &alert) }
            case ProtobufTag.bytes(6), ProtobufTag.bytes(7), ProtobufTag.bytes(8):
                parts.isUnsupported = true
                try wire.skip(tag)
            default: try log.skip(&wire, tag, "FeedEntity", known: 1...8)
            }
        }
    }

    @inline(__always)
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, _ field: StaticString, _ offset: Int) -> String? {
        log.text(bytes, field, at: offset)
    }

    @inline(__always)
    mutating func identifier<Subject>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ field: StaticString, _ offset: Int
    ) -> Identifier<Subject>? {
        log.text(bytes, field, at: offset).map(Identifier.init(rawValue:))
    }

    /// Reads the identifier of a stop or route through the cache, because these identifiers repeat often.
    @inline(__always)
    mutating func frequentIdentifier<Subject>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ field: StaticString, _ offset: Int
    ) -> Identifier<Subject>? {
        guard !bytes.isEmpty else { return nil }
        if let text = texts.text(bytes) { return Identifier(rawValue: text) }
        return identifier(bytes, field, offset)
    }

    /// Sets an enumeration, unless its number is unknown.
    @inline(__always)
    mutating func set<Value: GTFSRealtimeEnum>(
        _ value: inout Value, _ wire: inout ProtobufReader, _ field: StaticString
    ) throws(MalformedMessageError) {
        let offset = wire.offset
        if let known: Value = log.value(Int64(try wire.int32()), field, at: offset) { value = known }
    }

    /// Sets an enumeration, unless its number is unknown.
    @inline(__always)
    mutating func set<Value: GTFSRealtimeEnum>(
        _ value: inout Value?, _ wire: inout ProtobufReader, _ field: StaticString
    ) throws(MalformedMessageError) {
        let offset = wire.offset
        if let known: Value = log.value(Int64(try wire.int32()), field, at: offset) { value = known }
    }
}

// MARK: - Vehicle positions
extension RealtimeProtobufDecoder {
    /// Reads a *VehiclePosition* (GTFS-Realtime reference).
    private mutating func merge(_ wire: inout ProtobufReader, into parts: inout VehiclePositionBuilder)
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

// MARK: - Alerts
extension RealtimeProtobufDecoder {
    /// Reads an *Alert* (GTFS-Realtime reference). Text-to-speech texts, images, and details of cause and effect are
    /// ignored.
    private mutating func merge(_ wire: inout ProtobufReader, into alert: inout Alert) throws(MalformedMessageError) {
        while let tag = try wire.nextTag() {
            switch tag {
            case ProtobufTag.bytes(1):
                var message = try wire.message()
                guard log.acceptsActivePeriod(at: message.offset) else { continue }
                alert.activePeriods.append(try period(&message))
            case ProtobufTag.bytes(5):
                var message = try wire.message()
                guard log.acceptsInformedEntity(at: message.offset) else { continue }
                alert.informed.append(try informedEntity(&message))
            case ProtobufTag.varint(6): try set(&alert.cause, &wire, "Alert.cause")
            case ProtobufTag.varint(7): try set(&alert.effect, &wire, "Alert.effect")
            case ProtobufTag.bytes(8): try merge(&wire, into: &alert.url)
            case ProtobufTag.bytes(10): try merge(&wire, into: &alert.header)
            case ProtobufTag.bytes(11): try merge(&wire, into: &alert.description)
            case ProtobufTag.varint(14): try set(&alert.severity, &wire, "Alert.severity_level")
            case ProtobufTag.bytes(12), ProtobufTag.bytes(13): try wire.skip(tag)
            default: try log.skip(&wire, tag, "Alert", known: 1...14)
            }
        }
    }

    /// Reads a *TimeRange* (GTFS-Realtime reference).
    private mutating func period(_ wire: inout ProtobufReader) throws(MalformedMessageError) -> Alert.ActivePeriod {
        var period = Alert.ActivePeriod()
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.varint(1): period.start = log.rangeBound(try wire.varint(), "TimeRange.start", at: offset)
            case ProtobufTag.varint(2): period.end = log.rangeBound(try wire.varint(), "TimeRange.end", at: offset)
            default: try log.skip(&wire, tag, "TimeRange", known: 1...2)
            }
        }
        return period
    }

    /// Reads an *EntitySelector* (GTFS-Realtime reference).
    private mutating func informedEntity(_ wire: inout ProtobufReader) throws(MalformedMessageError) -> InformedEntity {
        var informed = InformedEntity()
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1):
                informed.agencyID = identifier(try wire.bytes(), "EntitySelector.agency_id", offset)
            case ProtobufTag.bytes(2):
                informed.routeID = identifier(try wire.bytes(), "EntitySelector.route_id", offset)
            case ProtobufTag.varint(3): informed.routeType = try wire.int32()
            case ProtobufTag.bytes(4):
                var message = try wire.message()
                var trip = informed.trip ?? TripDescriptor()
                try merge(&message, into: &trip)
                informed.trip = trip
            case ProtobufTag.bytes(5):
                informed.stopID = identifier(try wire.bytes(), "EntitySelector.stop_id", offset)
            case ProtobufTag.varint(6):
                informed.direction = log.direction(
                    Int64(try wire.uint32()), "EntitySelector.direction_id", at: offset)
            default: try log.skip(&wire, tag, "EntitySelector", known: 1...6)
            }
        }
        return informed
    }

    /// Reads a *TranslatedString* (GTFS-Realtime reference).
    private mutating func merge(_ wire: inout ProtobufReader, into text: inout TranslatedText?)
        throws(MalformedMessageError)
    {
        var message = try wire.message()
        // The array is moved out first. Otherwise, in a text with many parts, each part would copy the array.
        var translations = text.take()?.translations ?? []
        while let tag = try message.nextTag() {
            guard tag == ProtobufTag.bytes(1) else {
                try log.skip(&message, tag, "TranslatedString", known: 1...1)
                continue
            }
            var inner = try message.message()
            guard log.acceptsTranslation(at: inner.offset) else { continue }
            if let translation = try translation(&inner) { translations.append(translation) }
        }
        text = TranslatedText(translations)
    }

    /// Reads a *Translation*. Returns `nil` if it has no text.
    private mutating func translation(_ wire: inout ProtobufReader) throws(MalformedMessageError) -> TranslatedText
        .Translation?
    {
        var translation = TranslatedText.Translation("")
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1): translation.text = text(try wire.bytes(), "Translation.text", offset) ?? ""
            case ProtobufTag.bytes(2): translation.language = text(try wire.bytes(), "Translation.language", offset)
            default: try log.skip(&wire, tag, "Translation", known: 1...2)
            }
        }
        return translation.text.isEmpty ? nil : translation
    }
}

// MARK: - Descriptors
extension RealtimeProtobufDecoder {
    /// Reads a *TripDescriptor* (GTFS-Realtime reference).
    mutating func merge(_ wire: inout ProtobufReader, into trip: inout TripDescriptor) throws(MalformedMessageError) {
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1): trip.tripID = identifier(try wire.bytes(), "TripDescriptor.trip_id", offset)
            case ProtobufTag.bytes(2):
                trip.startTime = log.time(try wire.bytes(), "TripDescriptor.start_time", at: offset)
            case ProtobufTag.bytes(3): trip.startDate = date(try wire.bytes(), "TripDescriptor.start_date", offset)
            case ProtobufTag.varint(4):
                try set(&trip.relationship, &wire, "TripDescriptor.schedule_relationship")
            case ProtobufTag.bytes(5):
                trip.routeID = frequentIdentifier(try wire.bytes(), "TripDescriptor.route_id", offset)
            case ProtobufTag.varint(6):
                trip.direction = log.direction(
                    Int64(try wire.uint32()), "TripDescriptor.direction_id", at: offset)
            case ProtobufTag.bytes(7):
                _ = try wire.bytes()
                log.add(.unsupportedField, "TripDescriptor.modified_trip", at: offset)
            default: try log.skip(&wire, tag, "TripDescriptor", known: 1...7)
            }
        }
    }

    /// Reads a *VehicleDescriptor* (GTFS-Realtime reference).
    mutating func merge(_ wire: inout ProtobufReader, into vehicle: inout VehicleDescriptor)
        throws(MalformedMessageError)
    {
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1): vehicle.id = identifier(try wire.bytes(), "VehicleDescriptor.id", offset)
            case ProtobufTag.bytes(2): vehicle.label = text(try wire.bytes(), "VehicleDescriptor.label", offset)
            case ProtobufTag.bytes(3):
                vehicle.licensePlate = text(try wire.bytes(), "VehicleDescriptor.license_plate", offset)
            case ProtobufTag.varint(4):
                var access = VehicleAccessibility(vehicle.wheelchair)
                try set(&access, &wire, "VehicleDescriptor.wheelchair_accessible")
                vehicle.wheelchair = access.accessibility
            default: try log.skip(&wire, tag, "VehicleDescriptor", known: 1...4)
            }
        }
    }

    /// Parses a date in the format `YYYYMMDD`. The last date is cached because most dates in a message are the same.
    mutating func date(_ bytes: UnsafeBufferPointer<UInt8>, _ field: StaticString, _ offset: Int) -> ServiceDate? {
        guard bytes.count == 8, let base = bytes.baseAddress else { return log.date(bytes, field, at: offset) }
        let text = UnsafeRawPointer(base).loadUnaligned(as: UInt64.self)
        if let lastDate, lastDate.text == text { return lastDate.date }
        let date = log.date(bytes, field, at: offset)
        lastDate = date.map { (text, $0) }
        return date
    }
}
