import Foundation
import Testing
import TransitModel

@testable import TransitFeeds

/// Golden pairs of synthetic Tranzy responses in the formats of several years.
struct TranzyGoldenTests {
    static let received = Instant(secondsSince1970: 1_788_521_000)

    @Test(arguments: GoldenPair.all("Tranzy"))
    func goldenPairMatches(_ pair: GoldenPair) throws {
        if pair.name.hasPrefix("network") {
            try pair.expect(GoldenNetwork(try collect(try pair.input())).json)
        } else {
            let message = try TranzyProvider().message(try pair.input(), of: .vehicles, received: Self.received)
            try pair.expect(GoldenMessage(reading: RealtimeReading(message)).json)
        }
    }

    @Test func goldenPairsExist() { #expect(GoldenPair.all("Tranzy").count >= 5) }

    /// Adds the tables of a pair to a collection in the order of its requests. Missing shapes are rejected.
    private func collect(_ input: [UInt8]) throws -> GTFSReading {
        let tables = try #require(try JSONSerialization.jsonObject(with: Data(input)) as? [String: Any])
        let shapes = try #require(tables["shapes"] as? [String: Any])
        var collection = try #require(TranzyProvider(ProviderOptions(agency: "2")).collection())
        for _ in 0..<20 {
            guard let step = collection.next() else { break }
            let shape = step.name.hasPrefix("shape-") ? String(step.name.dropFirst(6)) : nil
            guard let response = shape.map({ shapes[$0] }) ?? tables[step.name] else {
                try collection.reject(step, status: 404)
                continue
            }
            try collection.add(Array(try JSONSerialization.data(withJSONObject: response)), for: step)
        }
        #expect(collection.next() == nil)
        return try collection.finish()
    }
}

/// A network without times as plain JSON values.
struct GoldenNetwork {
    private let reading: GTFSReading

    init(_ reading: GTFSReading) { self.reading = reading }

    private func compact(_ members: [String: Any?]) -> [String: Any] { members.compactMapValues { $0 } }

    var json: Any {
        let draft = reading.draft
        let trips = ExpandedTimetable(draft).trips.sorted { $0.key < $1.key }
        return [
            "agencies": draft.agencies.map {
                compact(["id": $0.id.rawValue, "name": $0.name, "zone": $0.timezone, "url": $0.url])
            },
            "routes": draft.routes.map { route in
                compact([
                    "id": route.id.rawValue, "short": route.shortName, "long": route.longName, "type": route.type,
                    "color": route.color,
                ])
            },
            "stops": draft.stops.map { stop in
                compact([
                    "id": stop.id.rawValue, "name": stop.name, "code": stop.code,
                    "latitude": stop.coordinate?.latitude, "longitude": stop.coordinate?.longitude,
                ])
            },
            "variants": trips.map { id, trip in
                compact([
                    "id": id, "route": draft.routes[Int(trip.route)].id.rawValue,
                    "direction": trip.direction.map { Int($0.rawValue) },
                    "stops": trip.calls.map { draft.stops[Int($0.stop)].id.rawValue },
                ])
            },
            "shapes": (0..<draft.shapes.count).map { number in
                let bytes = Array(draft.shapes.packed.bytes[draft.shapes.packed.range(number)])
                return "\(draft.shapes.ids[number]): \(ShapePacking.points(bytes[...])?.count ?? 0) points"
            },
            "findings": reading.report.findings.map(Self.line),
        ]
    }

    private static func line(_ finding: ValidationReport.Finding) -> String {
        let example = finding.examples.first
        let place = example.map { " (\($0.place.file) \($0.place.line ?? 0))" }
        return "\(finding.rule) \(finding.count): \(example?.message ?? "")\(place ?? "")"
    }
}
