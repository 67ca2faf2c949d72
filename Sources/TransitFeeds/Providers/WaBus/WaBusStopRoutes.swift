internal import TransitModel

/// `/v1/stops/{id}/lines`: the lines that call at a stop. For most stops, `/v1/sync` and the stops of each line contain
/// the same information. This response also includes lines that the server omits from those lists, or that were added
/// after the network was collected.
///
///     {"lines": [{"route_id": "175", "line": "175", "long_name": "…", "type": 3, "color": "B60000",
///       "headsigns": ["Lotnisko Chopina"]}], "count": 1, "server_time": "…"}
struct WaBusStopRoutes: StopRoutesSource {
    /// How long a response stays fresh, in seconds.
    static let lifetime = 600
    private static let prefix = "lines "

    func query(at stop: StopID) -> ArrivalsQuery { ArrivalsQuery(Self.prefix + stop.rawValue) }

    /// The stop of a query; `nil` for another kind of query.
    static func stop(_ query: ArrivalsQuery) -> StopID? {
        guard query.description.hasPrefix(prefix) else { return nil }
        return StopID(String(query.description.dropFirst(prefix.count)))
    }

    func routes(_ body: [UInt8]) throws(FeedError) -> [Route] {
        try WaBusList.read(body, of: "lines") { (json, _) throws(MalformedMessageError) -> Route? in
            var row = WaBusRow()
            guard try row.read(&json), let id = row.texts["routeid"] ?? row.texts["line"] else { return nil }
            return Route(
                id: RouteID(id), agency: AgencyIndex(0), shortName: row.texts["line"], longName: row.texts["longname"],
                type: row.texts["type"].flatMap { Int($0) }.flatMap { FieldValue.isRouteType($0) ? $0 : nil }
                    ?? WaBusSync.bus,
                color: row.texts["color"].flatMap { text in
                    Array(text.utf8).withUnsafeBufferPointer(FieldValue.color)
                })
        }.elements
    }
}
