internal import TransitModel

extension RealtimeProtobufMessage {
    /// The identifiers of the trips that are told of, as far as they can be read, in the order of the message: a walk that
    /// passes over everything else.
    static func tripIDs(_ bytes: UnsafeBufferPointer<UInt8>, most: Int) -> [TripID] {
        var wire = WireReader(bytes)
        var ids: [TripID] = []
        while ids.count < most, var entity = nextEntity(&wire) {
            // What is wrong with an entity is told by whoever reads the whole of it.
            try? addTripIDs(of: &entity, to: &ids)
        }
        return ids
    }

    /// GTFS-Realtime reference, *FeedEntity*: of its trip update and of its vehicle's position.
    private static func addTripIDs(of entity: inout WireReader, to ids: inout [TripID]) throws(MalformedMessageError) {
        while let tag = try entity.nextTag() {
            switch tag {
            case WireTag.bytes(3), WireTag.bytes(4):
                var message = try entity.message()
                if let id = try tripID(&message) { ids.append(id) }
            default: try entity.skip(tag)
            }
        }
    }

    /// Both messages have the *TripDescriptor* as their first field, and that has `trip_id` as its first.
    private static func tripID(_ message: inout WireReader) throws(MalformedMessageError) -> TripID? {
        while let tag = try message.nextTag() {
            guard tag == WireTag.bytes(1) else {
                try message.skip(tag)
                continue
            }
            var trip = try message.message()
            while let tag = try trip.nextTag() {
                if tag == WireTag.bytes(1) { return TripID(String(decoding: try trip.bytes(), as: UTF8.self)) }
                try trip.skip(tag)
            }
        }
        return nil
    }
}
