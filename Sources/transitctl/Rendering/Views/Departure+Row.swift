internal import TransitControl
internal import TransitModel

extension Departure {
    /// For scripts: when it leaves, what it is, its headsign, stop, platform, status, source, delay in seconds, when and where
    /// it arrives, when to start walking, its feed and its trip.
    var row: [String] {
        [
            (expected ?? scheduled).rfc3339, route.words, headsign ?? "", stop.name, stop.platform ?? "",
            status.rawValue, source.rawValue, delay.map(String.init) ?? "",
            (arrival?.expected ?? arrival?.scheduled).rfc3339, arrival?.stop.name ?? "", leaveBy.rfc3339,
            feed.rawValue, trip.rawValue,
        ]
    }
}
