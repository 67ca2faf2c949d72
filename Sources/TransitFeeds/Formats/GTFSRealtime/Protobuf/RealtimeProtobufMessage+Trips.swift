internal import TransitModel

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
