internal import TransitModel

/// Reads entities of the JSON dialects.
///
/// Members are compared without case and underscores, and lists in singular and plural: so `stop_time_update` (the
/// names of the schema), `stopTimeUpdate` (protobuf's own JSON) and `StopTimeUpdates` (511.org, which has only some names in
/// lower case: `cause`, `severity_level`) are one. Members that are not known, as in MBTA's "enhanced" JSON, are skipped.
struct RealtimeJSONDecoder {
    var log: ProblemLog

    init(_ log: ProblemLog) { self.log = log }

    /// GTFS-Realtime reference, *FeedHeader*.
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

    /// Hands over what an entity holds: each of a trip update, a position and an alert, in this order. The memory of
    /// `update` is used again for every entity.
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
        try parts.deliver(&update, &log, at: start, body)
    }

    /// `false` when it is no object.
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
