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
