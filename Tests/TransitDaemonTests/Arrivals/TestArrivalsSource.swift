import TransitModel

@testable import TransitFeeds

/// An on-demand source whose responses are lines: `TRIP,SECONDS SINCE 1970` for a departure, `!TEXT` for a message
/// from the operator.
struct TestArrivalsSource: ArrivalsSource {
    /// The base URL without a trailing slash.
    var base: String
    var policy = ArrivalsPolicy()
    /// Whether the source serves the timetable for a date. The date is then part of its queries.
    var isPlan = false
    var horizon: Int { isPlan ? 7 * 86_400 : 2 * 3600 }

    /// Returns a source of timetables that stay valid for a day and a half.
    static func plans(_ base: String) -> TestArrivalsSource {
        TestArrivalsSource(
            base: base, policy: ArrivalsPolicy(lifetime: 300, plannedTimesLifetime: 36 * 3600), isPlan: true)
    }

    /// Returns one query for each route at a stop.
    func queries(at stop: StopID, for variants: [RouteVariant], now: Instant) -> [ArrivalsQuery] {
        let date = isPlan ? "/\(ServiceZone.utc.civil(at: now).date)" : ""
        return Set(variants.map(\.route)).sorted { $0.rawValue < $1.rawValue }
            .map { ArrivalsQuery("\(stop)/\($0)\(date)") }
    }

    func request(for query: ArrivalsQuery) -> UpstreamRequest { UpstreamRequest("\(base)/eta/\(query)") }

    func message(_ body: [UInt8], of query: ArrivalsQuery, received: Instant) throws(FeedError) -> DecodedMessage {
        let names = query.description.split(separator: "/").map(String.init)
        var entities: [RealtimeEntity] = []
        for line in String(decoding: body, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("!") {
                entities.append(.alert(Self.alert(String(line.dropFirst()), names)))
                continue
            }
            let fields = line.split(separator: ",")
            guard fields.count == 2, let seconds = Int64(fields[1]) else {
                throw .refused(reason: "Not a line of arrivals", report: ValidationReport())
            }
            var update = Self.update(String(fields[0]), seconds, names, received)
            if isPlan {
                let time = Instant(secondsSince1970: seconds)
                update.updates[0].departure = StopTimeEvent(scheduledTime: time)
                update.basis = .planned
            }
            entities.append(.tripUpdate(update))
        }
        return DecodedMessage(header: RealtimeHeader(timestamp: received), entities: entities)
    }

    private static func update(_ trip: String, _ time: Int64, _ names: [String], _ received: Instant) -> TripUpdate {
        TripUpdate(
            id: EntityID(trip),
            trip: TripDescriptor(tripID: TripID(trip), routeID: RouteID(names[1]), relationship: .added),
            updates: [
                StopTimeUpdate(
                    stopID: StopID(names[0]), departure: StopTimeEvent(time: Instant(secondsSince1970: time)))
            ], timestamp: received)
    }

    private static func alert(_ words: String, _ names: [String]) -> Alert {
        Alert(
            id: "!", informed: [InformedEntity(routeID: RouteID(names[1]), stopID: StopID(names[0]))],
            header: TranslatedText([TranslatedText.Translation(words)]))
    }
}
