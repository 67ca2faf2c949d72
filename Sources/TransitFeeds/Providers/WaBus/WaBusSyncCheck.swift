internal import TransitModel

/// What `/v1/sync/check` tells.
///
/// Its `has_updates` is of no use: the server compares the moment at which it read its timetable with midnight of the
/// given date, and so says yes to its own version. ``version`` is what counts.
struct WaBusSyncCheck: Hashable, Sendable {
    var version: String
    var lastUpdate: Instant?

    init(_ body: [UInt8]) throws(FeedError) {
        var row = WaBusRow()
        try WaBusResponse.read(body) { (name, json) throws(MalformedMessageError) in try row.take(name, &json) }
        if let words = row.texts["error"] { throw WaBusResponse.serverError(words) }
        guard let version = row.texts["version"] else { throw WaBusResponse.missing("version") }
        self.version = version
        lastUpdate = row.texts["lastupdate"].flatMap { Instant(rfc3339: $0) }
    }
}
