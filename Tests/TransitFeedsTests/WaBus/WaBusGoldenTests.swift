import Testing

@testable import TransitFeeds
@testable import TransitModel

@Suite("WaBus: golden pairs")
struct WaBusGoldenTests {
    private static let provider = WaBusProvider(ProviderOptions(base: "http://127.0.0.1:1"))
    private static let now = Instant(rfc3339: "2026-02-03T11:55:10+01:00") ?? Instant(secondsSince1970: 0)

    private func json(_ message: DecodedMessage) -> Any { GoldenMessage(reading: RealtimeReading(message)).json }

    private static func lines(_ report: ValidationReport) -> [String] {
        report.findings.flatMap { finding in
            ["\(finding.severity) \(finding.rule) ×\(finding.count)"]
                + finding.examples.map { "  \($0.place.file):\($0.place.line ?? 0) \($0.message)" }
        }
    }

    @Test(arguments: ["sync", "sync-null"]) func sync(name: String) throws {
        let pair = GoldenPair(folder: "WaBus", name: name)
        let sync = try WaBusSync(try pair.input())
        var lines = ["version \(sync.version ?? "-")", "generated \(sync.generatedAt.map { $0.rfc3339() } ?? "-")"]
        lines += sync.routes.map { route in
            let parts = [
                route.id.rawValue, route.shortName, route.longName, "\(route.type)", route.color, route.textColor,
            ]
            return "route " + parts.map { $0 ?? "-" }.joined(separator: " | ")
        }
        lines += sync.stops.map { stop in
            let place = stop.coordinate.map { "\($0.latitude) \($0.longitude)" }
            return "stop " + [stop.id.rawValue, stop.code, stop.name, place].map { $0 ?? "-" }.joined(separator: " | ")
        }
        lines += sync.calendar.services.map { service in
            "service \(service.id) \(service.weekdays) \(service.start)...\(service.end) "
                + "+\(service.added.map { "\($0)" }) -\(service.removed.map { "\($0)" })"
        }
        lines.append("span \(sync.calendar.span.map { "\($0.lowerBound)...\($0.upperBound)" } ?? "-")")
        try pair.expect(lines + Self.lines(sync.report))
    }

    @Test(arguments: ["schedule", "schedule-null"]) func schedule(name: String) throws {
        let pair = GoldenPair(folder: "WaBus", name: name)
        let arrivals = try #require(Self.provider.arrivals)
        let date = ServiceDate(year: 2026, month: 2, day: 3) ?? ServiceDate(daysSince1970: 0)
        let query = WaBusArrivals.query("100101", date)
        try pair.expect(json(arrivals.message(try pair.input(), of: query, received: Self.now)))
    }

    @Test func vehicles() throws {
        let pair = GoldenPair(folder: "WaBus", name: "vehicles")
        try pair.expect(json(WaBusVehicles.message(try pair.input())))
    }

    @Test(arguments: ["stream-snapshot", "stream-delta"]) func stream(name: String) throws {
        let pair = GoldenPair(folder: "WaBus", name: name)
        var session = WaBusStreamSession(around: [])
        let steps = session.received(try pair.input(), now: 1)
        guard case .apply(let message)? = steps.first, steps.count == 1 else {
            Issue.record("not one message: \(steps)")
            return
        }
        try pair.expect(json(message))
    }

    @Test func routeStops() throws {
        let pair = GoldenPair(folder: "WaBus", name: "route-stops")
        try pair.expect(WaBusRouteStops.read(try pair.input()).elements.map(\.rawValue))
    }

    @Test func shapes() throws {
        let pair = GoldenPair(folder: "WaBus", name: "shapes")
        try pair.expect(WaBusShapes.longest(try pair.input()).map { "\($0.latitude) \($0.longitude)" })
    }

    @Test func check() throws {
        let pair = GoldenPair(folder: "WaBus", name: "check")
        let check = try WaBusSyncCheck(try pair.input())
        try pair.expect([check.version, check.lastUpdate.map { $0.rfc3339() } ?? "-"])
    }
}
