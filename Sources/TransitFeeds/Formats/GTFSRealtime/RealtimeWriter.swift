public import TransitModel

/// Writes GTFS-Realtime messages in protobuf, for the realtime data of the demo city, recordings, tests and benchmarks.
///
/// ``RealtimeReader`` reads back the same values, except that coordinates lose precision: they are `float` in protobuf,
/// which is accurate to about one meter.
public struct RealtimeWriter {
    private var wire = ProtobufWriter()

    /// Starts a message with its header.
    public init(_ header: RealtimeHeader) {
        wire.message(1) { wire in
            // The schema requires the version.
            wire.text(1, header.version ?? "2.0")
            wire.value(2, header.incrementality)
            wire.instant(3, header.timestamp)
            wire.text(4, header.feedVersion)
        }
    }

    private init() {}

    /// Returns the encoding of an entity. A message is the encoding of its header, followed by those of its entities.
    public static func field(_ entity: RealtimeEntity) -> [UInt8] {
        var writer = RealtimeWriter()
        writer.append(entity)
        return writer.bytes
    }

    /// The message written so far.
    public var bytes: [UInt8] { wire.bytes }

    public mutating func append(_ entity: RealtimeEntity) {
        wire.message(2) { wire in
            wire.identifier(1, entity.id)
            switch entity {
            case .tripUpdate(let update): wire.message(3) { Self.write(update, to: &$0) }
            case .vehicle(let position): wire.message(4) { Self.write(position, to: &$0) }
            case .alert(let alert): wire.message(5) { Self.write(alert, to: &$0) }
            case .deleted: wire.varint(2, 1)
            }
        }
    }

    /// Returns a complete message.
    public static func bytes(_ header: RealtimeHeader, _ entities: some Sequence<RealtimeEntity>) -> [UInt8] {
        var writer = RealtimeWriter(header)
        for entity in entities { writer.append(entity) }
        return writer.bytes
    }
}

// MARK: - Trip updates
extension RealtimeWriter {
    private static func write(_ update: TripUpdate, to wire: inout ProtobufWriter) {
        wire.message(1) { write(update.trip, to: &$0) }
        for call in update.updates { wire.message(2) { write(call, to: &$0) } }
        if let vehicle = update.vehicle { wire.message(3) { write(vehicle, to: &$0) } }
        wire.instant(4, update.timestamp)
        wire.integer(5, update.delay)
        if let properties = update.properties { wire.message(6) { write(properties, to: &$0) } }
    }

    private static func write(_ call: StopTimeUpdate, to wire: inout ProtobufWriter) {
        wire.integer(1, call.sequence)
        if let arrival = call.arrival { wire.message(2) { write(arrival, to: &$0) } }
        if let departure = call.departure { wire.message(3) { write(departure, to: &$0) } }
        wire.identifier(4, call.stopID)
        if call.relationship != .scheduled { wire.value(5, call.relationship) }
        if let stop = call.assignedStopID { wire.message(6) { $0.identifier(1, stop) } }
        wire.value(7, call.departureOccupancy)
    }

    private static func write(_ event: StopTimeEvent, to wire: inout ProtobufWriter) {
        wire.integer(1, event.delay)
        wire.instant(2, event.time)
        wire.integer(3, event.uncertainty)
        wire.instant(4, event.scheduledTime)
    }

    private static func write(_ properties: TripProperties, to wire: inout ProtobufWriter) {
        wire.identifier(1, properties.tripID)
        wire.date(2, properties.startDate)
        wire.text(3, properties.startTime?.description)
        wire.identifier(4, properties.shapeID)
        wire.text(5, properties.headsign)
        wire.text(6, properties.shortName)
    }
}

// MARK: - Descriptors and positions
extension RealtimeWriter {
    private static func write(_ trip: TripDescriptor, to wire: inout ProtobufWriter) {
        wire.identifier(1, trip.tripID)
        wire.text(2, trip.startTime?.description)
        wire.date(3, trip.startDate)
        if trip.relationship != .scheduled { wire.value(4, trip.relationship) }
        wire.identifier(5, trip.routeID)
        wire.integer(6, trip.direction?.rawValue)
    }

    private static func write(_ vehicle: VehicleDescriptor, to wire: inout ProtobufWriter) {
        wire.identifier(1, vehicle.id)
        wire.text(2, vehicle.label)
        wire.text(3, vehicle.licensePlate)
        if vehicle.wheelchair != nil { wire.value(4, VehicleAccessibility(vehicle.wheelchair)) }
    }

    private static func write(_ position: VehiclePosition, to wire: inout ProtobufWriter) {
        if let trip = position.trip { wire.message(1) { write(trip, to: &$0) } }
        // The schema requires latitude and longitude in a position.
        if let coordinate = position.coordinate {
            wire.message(2) { wire in
                wire.float(1, Float(coordinate.latitude))
                wire.float(2, Float(coordinate.longitude))
                wire.float(3, position.bearing)
                wire.float(5, position.speed)
            }
        }
        wire.integer(3, position.currentSequence)
        wire.value(4, position.status)
        wire.instant(5, position.timestamp)
        wire.identifier(7, position.stopID)
        if let vehicle = position.vehicle { wire.message(8) { write(vehicle, to: &$0) } }
        wire.value(9, position.occupancy)
        wire.integer(10, position.occupancyPercentage)
    }
}

// MARK: - Alerts
extension RealtimeWriter {
    private static func write(_ alert: Alert, to wire: inout ProtobufWriter) {
        for period in alert.activePeriods {
            wire.message(1) { wire in
                wire.instant(1, period.start)
                wire.instant(2, period.end)
            }
        }
        for informed in alert.informed { wire.message(5) { write(informed, to: &$0) } }
        wire.value(6, alert.cause)
        wire.value(7, alert.effect)
        write(alert.url, 8, to: &wire)
        write(alert.header, 10, to: &wire)
        write(alert.description, 11, to: &wire)
        wire.value(14, alert.severity)
    }

    private static func write(_ informed: InformedEntity, to wire: inout ProtobufWriter) {
        wire.identifier(1, informed.agencyID)
        wire.identifier(2, informed.routeID)
        wire.integer(3, informed.routeType)
        if let trip = informed.trip { wire.message(4) { write(trip, to: &$0) } }
        wire.identifier(5, informed.stopID)
        wire.integer(6, informed.direction?.rawValue)
    }

    private static func write(_ text: TranslatedText?, _ number: UInt32, to wire: inout ProtobufWriter) {
        guard let text else { return }
        wire.message(number) { wire in
            for translation in text.translations {
                wire.message(1) { wire in
                    wire.text(1, translation.text)
                    wire.text(2, translation.language)
                }
            }
        }
    }
}
