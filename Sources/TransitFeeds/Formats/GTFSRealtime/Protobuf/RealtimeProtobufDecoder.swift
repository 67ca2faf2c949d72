internal import TransitModel

/// Reads entities of the protobuf form.
///
/// A field that occurs again replaces the earlier value; a message that comes in several parts is merged (protobuf
/// documentation, *Last One Wins*). Fields are matched by number and type together, as they stand in the tag. None of
/// the fields that are read is a repeated number, so there are no packed ones. Unknown fields, among them extensions
/// such as NYCT's 1001, are skipped.
struct RealtimeProtobufDecoder {
    var log: ProblemLog
    /// The date that was read last, by its bytes: nearly all trips of a message have the same.
    var lastDate: (text: UInt64, date: ServiceDate)?

    private var texts = TextCache()
    /// Calls of the trip update being read; behind them in its array are those of an earlier one.
    var callCount = 0

    init(_ log: ProblemLog) { self.log = log }

    /// Hands over what an entity holds: each of a trip update, a position and an alert, in this order. The memory of
    /// `update` is used again for every entity.
    mutating func entity<Failure: Error>(
        _ wire: WireReader, scratch update: inout TripUpdate, _ body: (RealtimeEntity) throws(Failure) -> Void
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
        try parts.deliver(&update, &log, at: start, body)
    }

    private mutating func read(
        _ wire: WireReader, _ parts: inout EntityBuilder, _ update: inout TripUpdate
    ) throws(MalformedMessageError) {
        var wire = wire
        while let tag = try wire.nextTag() {
            let offset = wire.offset
            switch tag {
            case WireTag.bytes(1): parts.id = EntityID(text(try wire.bytes(), "FeedEntity.id", offset) ?? "")
            case WireTag.varint(2): parts.isDeleted = try wire.varint() != 0
            case WireTag.bytes(3):
                if !parts.hasUpdate { update.resetAllButCalls() }
                parts.hasUpdate = true
                var message = try wire.message()
                if try merge(&message, into: &update) { parts.hasTrip = true }
            case WireTag.bytes(4):
                var message = try wire.message()
                try parts.withVehicle { vehicle throws(MalformedMessageError) in try merge(&message, into: &vehicle) }
            case WireTag.bytes(5):
                var message = try wire.message()
                try parts.withAlert { alert throws(MalformedMessageError) in try merge(&message, into: &alert) }
            case WireTag.bytes(6), WireTag.bytes(7), WireTag.bytes(8):
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

    /// As ``identifier(_:_:_:)``, for those of stops and routes, which come again and again.
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
    mutating func set<Value: WireEnumeration>(
        _ value: inout Value, _ wire: inout WireReader, _ field: StaticString
    ) throws(MalformedMessageError) {
        let offset = wire.offset
        if let known: Value = log.value(Int64(try wire.int32()), field, at: offset) { value = known }
    }

    /// Sets an enumeration, unless its number is unknown.
    @inline(__always)
    mutating func set<Value: WireEnumeration>(
        _ value: inout Value?, _ wire: inout WireReader, _ field: StaticString
    ) throws(MalformedMessageError) {
        let offset = wire.offset
        if let known: Value = log.value(Int64(try wire.int32()), field, at: offset) { value = known }
    }
}
