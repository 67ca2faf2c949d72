internal import TransitModel

/// Reads a *FeedMessage* (GTFS-Realtime reference) in JSON.
enum RealtimeJSONMessage {
    /// Checks the syntax of the whole document and returns the header, which can be anywhere in it. Returns `nil` if
    /// the document has neither a header nor entities. Syntax errors are thus found before the first entity is read.
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

    /// Passes the entities to `body` one by one.
    static func entities<Failure: Error>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ log: inout ProblemLog,
        _ body: (RealtimeEntity) throws(Failure) -> Void
    ) throws(Failure) {
        var json = JSONReader(bytes)
        var decoder = RealtimeJSONDecoder(log)
        defer { log = decoder.log }
        var update = TripUpdate(id: "", trip: TripDescriptor())
        // Errors cannot occur, because `header` has already checked the syntax.
        guard (try? json.beginObject()) == true else { return }
        while let name = try? json.nextMember() {
            guard ["entity", "entities"].contains(name.folded), var list = try? json.list() else { continue }
            while (try? json.next(&list)) == true { try decoder.entity(&json, scratch: &update, body) }
        }
    }
}
