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
    var lastDate: (text: UInt64, date: ServiceDate)?

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
