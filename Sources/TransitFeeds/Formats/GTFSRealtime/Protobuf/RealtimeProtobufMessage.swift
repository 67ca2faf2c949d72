internal import TransitModel

/// Reads a *FeedMessage* (GTFS-Realtime reference) in protobuf.
enum RealtimeProtobufMessage {
    /// Scans the fields of the message without decoding the entities, and returns the header and the number of
    /// entities. Returns `nil` if the message has neither a header nor an entity.
    ///
    /// The header can be anywhere in the message. The scan also detects a truncated message before the first entity is
    /// read.
    static func header(
        _ bytes: UnsafeBufferPointer<UInt8>, _ log: inout ProblemLog
    ) throws(MalformedMessageError) -> (header: RealtimeHeader, entityCount: Int)? {
        var wire = ProtobufReader(bytes)
        var header: RealtimeHeader?
        var entityCount = 0
        while let tag = try wire.nextTag() {
            switch tag {
            case ProtobufTag.bytes(1):
                var message = try wire.message()
                var known = header ?? RealtimeHeader()
                try merge(&message, into: &known, &log)
                header = known
            case ProtobufTag.bytes(2):
                _ = try wire.bytes()
                entityCount += 1
            default: try wire.skip(tag)
            }
        }
        if header == nil, entityCount > 0 { log.add(.missingHeader, "FeedMessage.header", at: 0) }
        return (header ?? (entityCount > 0 ? RealtimeHeader() : nil)).map { ($0, entityCount) }
    }

    /// Passes the entities to `body` one by one. A malformed entity is skipped.
    static func entities<Failure: Error>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ log: inout ProblemLog,
        _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) {
        var wire = ProtobufReader(bytes)
        var decoder = RealtimeProtobufDecoder(log)
        defer { log = decoder.log }
        var update = TripUpdate(id: "", trip: TripDescriptor())
        while let entity = nextEntity(&wire) { try decoder.entity(entity, scratch: &update, body) }
    }

    /// Returns the next entity, or `nil` at the end. Errors cannot occur if ``header(_:_:)`` has checked the message.
    private static func nextEntity(_ wire: inout ProtobufReader) -> ProtobufReader? {
        do {
            while let tag = try wire.nextTag() {
                if tag == ProtobufTag.bytes(2) { return try wire.message() }
                try wire.skip(tag)
            }
        } catch {}
        return nil
    }

    private static func merge(
        _ wire: inout ProtobufReader, into header: inout RealtimeHeader, _ log: inout ProblemLog
    ) throws(MalformedMessageError) {
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case ProtobufTag.bytes(1):
                header.version = log.text(try wire.bytes(), "FeedHeader.gtfs_realtime_version", at: offset)
            case ProtobufTag.varint(2):
                let value: Incrementality? = log.value(
                    Int64(try wire.int32()), "FeedHeader.incrementality", at: offset)
                header.incrementality = value ?? header.incrementality
            case ProtobufTag.varint(3):
                header.timestamp = log.instant(try wire.varint(), "FeedHeader.timestamp", at: offset)
            case ProtobufTag.bytes(4):
                header.feedVersion = log.text(try wire.bytes(), "FeedHeader.feed_version", at: offset)
            default: try log.skip(&wire, tag, "FeedHeader", known: 1...4)
            }
        }
    }
}

// MARK: - Trip identifiers
extension RealtimeProtobufMessage {
    /// Returns the identifiers of the trips in the message, in message order and limited to about `limit`. Everything
    /// else is skipped.
    static func tripIDs(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> [TripID] {
        var wire = ProtobufReader(bytes)
        var ids: [TripID] = []
        while ids.count < limit, var entity = nextEntity(&wire) {
            // Problems of an entity are reported when the whole entity is read.
            try? addTripIDs(of: &entity, to: &ids)
        }
        return ids
    }

    /// Adds the trip identifiers of the trip update and the vehicle position in a *FeedEntity* (GTFS-Realtime
    /// reference).
    private static func addTripIDs(of entity: inout ProtobufReader, to ids: inout [TripID])
        throws(MalformedMessageError)
    {
        while let tag = try entity.nextTag() {
            switch tag {
            case ProtobufTag.bytes(3), ProtobufTag.bytes(4):
                var message = try entity.message()
                if let id = try tripID(&message) { ids.append(id) }
            default: try entity.skip(tag)
            }
        }
    }

    /// Returns the trip identifier of a *TripUpdate* or *VehiclePosition*. In both messages, the *TripDescriptor* is
    /// field 1, and `trip_id` is field 1 of the descriptor.
    private static func tripID(_ message: inout ProtobufReader) throws(MalformedMessageError) -> TripID? {
        while let tag = try message.nextTag() {
            guard tag == ProtobufTag.bytes(1) else {
                try message.skip(tag)
                continue
            }
            var trip = try message.message()
            while let tag = try trip.nextTag() {
                if tag == ProtobufTag.bytes(1) { return TripID(String(decoding: try trip.bytes(), as: UTF8.self)) }
                try trip.skip(tag)
            }
        }
        return nil
    }
}

extension ProblemLog {
    /// Skips an unsupported field. A known field number with an unexpected wire type is reported.
    mutating func skip(
        _ wire: inout ProtobufReader, _ tag: UInt32, _ message: StaticString, known: ClosedRange<UInt32>
    ) throws(MalformedMessageError) {
        let offset = wire.offset
        try wire.skip(tag)
        if known.contains(tag >> 3) { add(.unexpectedType, message, at: offset) }
    }
}
