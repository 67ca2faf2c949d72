internal import TransitModel

/// The response of `/v1/sync/check`.
///
/// Its `has_updates` is unusable: the server compares the time when it loaded its timetable with midnight of the given
/// date, and so reports updates even for its own version. Compare ``version`` instead.
struct WaBusSyncCheck: Hashable, Sendable {
    var version: String
    var lastUpdate: Instant?

    init(_ body: [UInt8]) throws(FeedError) {
        var row = WaBusRow()
        try WaBusResponse.read(body) { (name, json) throws(MalformedMessageError) in try row.readMember(name, &json) }
        if let message = row.texts["error"] { throw WaBusResponse.serverError(message) }
        guard let version = row.texts["version"] else { throw WaBusResponse.missing("version") }
        self.version = version
        lastUpdate = row.texts["lastupdate"].flatMap { Instant(rfc3339: $0) }
    }
}
