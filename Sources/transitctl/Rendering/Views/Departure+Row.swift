internal import TransitControl
internal import TransitModel

extension Departure {
    /// The row for scripts: time, route, headsign, stop, platform, status, source, delay in seconds, arrival time, arrival
    /// stop, time to start walking, feed, trip, confidence, realtime state, age of the data in seconds, and id.
    var row: [String] {
        [
            time.rfc3339, route.words, headsign ?? "", stop.name, stop.platform ?? "",
            status.rawValue, source.rawValue, delay.map(String.init) ?? "",
            (arrival?.time).rfc3339, arrival?.stop.name ?? "", leaveBy.rfc3339,
            feed.rawValue, trip.rawValue, confidence.rawValue, realtimeState.rawValue, age.map(String.init) ?? "", id,
        ]
    }
}
