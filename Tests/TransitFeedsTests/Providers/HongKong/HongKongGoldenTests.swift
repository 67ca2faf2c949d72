import Testing

@testable import TransitFeeds
@testable import TransitModel

/// One pair for each decoder in `GoldenPairs/HongKong`: a response with quirks of the real APIs, and its result.
struct HongKongGoldenTests {
    private static func pair(_ name: String) -> GoldenPair { GoldenPair(folder: "HongKong", name: name) }

    private static func decode<Element>(
        _ name: String, _ element: (HongKongRow, inout HongKongRowLog) -> Element?,
        as rendered: (Element) -> [String: Any]
    ) throws {
        var log = HongKongRowLog()
        let response = try HongKongResponse(pair(name).input(), as: name, &log, element)
        try pair(name).expect(
            [
                "generated": response.generated.map { $0.rfc3339() } ?? "-",
                "rows": response.elements.map(rendered), "findings": log.findings.map(Self.rendered),
            ])
    }

    private static func rendered(_ finding: HongKongRowLog.Finding) -> [String: Any] {
        [
            "rule": "\(finding.rule)", "member": finding.member, "count": finding.count,
            "row": finding.places[0].row, "offset": finding.places[0].offset, "value": finding.places[0].value ?? "-",
        ]
    }

    private static func rendered(_ name: HongKongName) -> [String] {
        [name.english ?? "-", name.traditional ?? "-", name.simplified ?? "-"]
    }

    @Test(arguments: [("kmb-route", true), ("ctb-route", false)])
    func routes(name: String, isDirected: Bool) throws {
        func rendered(_ row: HongKongRouteRow) -> [String: Any] {
            [
                "route": row.route, "direction": row.direction?.letter ?? "-", "service_type": row.serviceType,
                "origin": Self.rendered(row.origin), "destination": Self.rendered(row.destination),
            ]
        }
        try Self.decode(name, { HongKongRouteRow($0, isDirected: isDirected, &$1) }, as: rendered)
    }

    @Test(arguments: ["kmb-stop", "ctb-stop"])
    func stops(name: String) throws {
        func rendered(_ row: HongKongStopRow) -> [String: Any] {
            let (name, code) = row.name.splittingCode()
            return [
                "stop": row.id.rawValue, "name": Self.rendered(name), "code": code ?? "-",
                "place": row.coordinate.map { "\($0.latitude) \($0.longitude)" } ?? "-",
            ]
        }
        try Self.decode(name, { HongKongStopRow($0, &$1) }, as: rendered)
    }

    @Test(arguments: ["kmb-route-stop", "ctb-route-stop"])
    func calls(name: String) throws {
        func rendered(_ row: HongKongCallRow) -> [String: Any] {
            [
                "route": row.route, "direction": row.direction.letter, "service_type": row.serviceType,
                "seq": Int(row.sequence), "stop": row.stop.rawValue,
            ]
        }
        try Self.decode(name, { HongKongCallRow($0, &$1) }, as: rendered)
    }

    @Test(arguments: [("kmb-stop-eta", "KMB/A60AE774B09A5E44"), ("ctb-eta", "CTB/001027/5B")])
    func arrivals(name: String, query: String) throws {
        let source = HongKongArrivals(HongKongURLs(base: nil))
        let variants = [
            RouteVariant(route: "KMB/40", trip: "KMB/40/O/1", calls: [.init(sequence: 7)]),
            RouteVariant(route: "KMB/40", trip: "KMB/40/O/2", calls: [.init(sequence: 6)]),
            RouteVariant(route: "KMB/40", trip: "KMB/40/I/1", calls: [.init(sequence: 30, isLast: true)]),
            RouteVariant(route: "CTB/5B", trip: "CTB/5B/O/1", calls: [.init(sequence: 1), .init(sequence: 18)]),
        ]
        let received = try #require(Instant(rfc3339: "2026-03-28T08:00:00+08:00"))
        let message = try source.message(
            Self.pair(name).input(), of: ArrivalsQuery(query, variants: variants), received: received)
        try Self.pair(name).expect(
            [
                "made": message.header.timestamp?.rfc3339(offset: 28_800) ?? "-",
                "entities": message.entities.map(Self.rendered),
                "problems": message.problems.findings.map { finding -> [String: Any] in
                    [
                        "rule": finding.rule.rawValue, "count": finding.count, "field": finding.example.field,
                        "offset": finding.example.offset, "value": finding.example.value ?? "-",
                    ]
                },
            ])
    }

    private static func rendered(_ entity: RealtimeEntity) -> [String: Any] {
        func time(_ event: StopTimeEvent?) -> String { event?.time?.rfc3339(offset: 28_800) ?? "-" }
        switch entity {
        case .tripUpdate(let update):
            let call = update.updates[0]
            return [
                "id": update.id.rawValue, "trip": update.trip.tripID?.rawValue ?? "-",
                "route": update.trip.routeID?.rawValue ?? "-", "direction": update.trip.direction?.letter ?? "-",
                "headsign": update.properties?.headsign ?? "-", "seq": call.sequence.map(Int.init) ?? -1,
                "stop": call.stopID?.rawValue ?? "-", "arrival": time(call.arrival),
                "departure": time(call.departure),
                "measured": update.timestamp?.rfc3339(offset: 28_800) ?? "-", "basis": "\(update.basis)",
                "remark": update.remark?.translations.map { "\($0.language ?? "-"): \($0.text)" } ?? [],
            ]
        case .alert(let alert):
            return [
                "id": alert.id.rawValue, "route": alert.informed[0].routeID?.rawValue ?? "-",
                "stop": alert.informed[0].stopID?.rawValue ?? "-",
                "texts": alert.header?.translations.map { "\($0.language ?? "-"): \($0.text)" } ?? [],
            ]
        case .vehicle, .deleted: return ["id": entity.id.rawValue]
        }
    }

    @Test(arguments: ["file-crawled", "file-app"])
    func files(name: String) throws {
        let network = try HongKongFile.network(Self.pair(name).input())
        let reading = try network.reading()
        try Self.pair(name).expect(
            [
                "ways": network.stopSequences.map { sequence in
                    "\(sequence.variant.tripID) to \(sequence.destination.text ?? "-"): "
                        + sequence.stops.map(\.rawValue).joined(separator: " ")
                },
                "stops": reading.draft.stops.map { stop in
                    "\(stop.id) \(stop.name) [\(stop.code ?? "-")] "
                        + (stop.coordinate.map { "\($0.latitude) \($0.longitude)" } ?? "-")
                },
                "routes": reading.draft.routes.map { "\($0.id): \($0.longName ?? "-")" },
                "findings": reading.report.findings.map { finding in
                    "\(finding.rule) \(finding.count): \(finding.examples[0].message)"
                },
            ])
    }
}
