internal import TransitControl
internal import TransitModel

extension Departure {
    /// For scripts: when it leaves, what it is, its headsign, stop, platform, status, source, delay in seconds, when and where
    /// it arrives, when to start walking, its feed, its trip, how far it can be trusted, how its live data stands, the age of
    /// the data in seconds, and its id.
    var row: [String] {
        [
            time.rfc3339, route.words, headsign ?? "", stop.name, stop.platform ?? "",
            status.rawValue, source.rawValue, delay.map(String.init) ?? "",
            (arrival?.time).rfc3339, arrival?.stop.name ?? "", leaveBy.rfc3339,
            feed.rawValue, trip.rawValue, confidence.rawValue, realtimeState.rawValue, age.map(String.init) ?? "", id,
        ]
    }
}
