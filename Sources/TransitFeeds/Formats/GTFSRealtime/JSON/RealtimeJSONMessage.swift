internal import TransitModel

/// The outermost message (GTFS-Realtime reference, *FeedMessage*) as JSON.
enum RealtimeJSONMessage {
    /// Walks over the whole document, so that what is not JSON is found before the first entity is read, and reads the
    /// header, wherever it stands. `nil` when there is neither a header nor a list of entities.
    static func header(
        _ bytes: UnsafeBufferPointer<UInt8>, _ log: inout ProblemLog
    ) throws(MalformedMessageError) -> RealtimeHeader? {
        var json = JSONReader(bytes)
        var decoder = RealtimeJSONDecoder(log)
        defer { log = decoder.log }
        var header: RealtimeHeader?
        var hasEntities = false
        guard try json.beginObject() else { return nil }
        while let name = try json.nextMember() {
            switch name.folded {
            case "header":
                if try json.kind() == .object { header = try decoder.header(&json) }
            case "entity", "entities":
                let kind = try json.kind()
                if kind == .array || kind == .object { hasEntities = true }
            default: break
            }
        }
        try json.finish()
        if header == nil, hasEntities { decoder.log.add(.missingHeader, "FeedMessage.header", at: 0) }
        return header ?? (hasEntities ? RealtimeHeader() : nil)
    }

    /// Reads the entities one after another.
    static func entities<Failure: Error>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ log: inout ProblemLog,
        _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) {
        var json = JSONReader(bytes)
        var decoder = RealtimeJSONDecoder(log)
        defer { log = decoder.log }
        var update = TripUpdate(id: "", trip: TripDescriptor())
        // What `header` walked through without damage is walked through again, so the document ends when this does.
        guard (try? json.beginObject()) == true else { return }
        while let name = try? json.nextMember() {
            guard ["entity", "entities"].contains(name.folded), var list = try? json.list() else { continue }
            while (try? json.next(&list)) == true { try decoder.entity(&json, scratch: &update, body) }
        }
    }
}
