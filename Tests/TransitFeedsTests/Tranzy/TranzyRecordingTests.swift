import Foundation
import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

/// The network of Cluj recorded in August 2026, and a vehicle recorded in September.
@Suite(.enabled(if: SharedData.isAvailable))
struct TranzyRecordingTests {
    private static let folder = "tranzy/json/cluj-2-2026-08-22"

    private func body(_ folder: String, _ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: SharedData.path(folder, name))))
    }

    @Test func networkOfClujIsCollected() throws {
        let points = try #require(
            try JSONSerialization.jsonObject(with: Data(try body(Self.folder, "shapes.json"))) as? [[String: Any]])
        let shapes = Dictionary(grouping: points) { $0["shape_id"] as? String ?? "" }
        var collection = try #require(TranzyProvider(ProviderOptions(agency: "2")).collection())
        var steps = 0
        while let step = collection.next(), steps < 1000 {
            steps += 1
            if step.name.hasPrefix("shape-") {
                guard let shape = shapes[String(step.name.dropFirst(6))] else {
                    try collection.reject(step, status: 404)
                    continue
                }
                try collection.add(Array(try JSONSerialization.data(withJSONObject: shape)), for: step)
            } else {
                try collection.add(try body(Self.folder, step.name + ".json"), for: step)
            }
        }
        #expect(steps == 5 + TranzyCollection.maximumShapes)
        let reading = try collection.finish()
        let draft = reading.draft
        #expect(draft.agencies.map(\.name) == ["CTP Cluj"])
        #expect(draft.trips.count == 322)
        #expect(draft.stopTimeCount == 4183)
        #expect(draft.serviceDates == nil)
        // Stop 46 before 2 and 3 looks wrong but is the other end of the terminus.
        let trips = ExpandedTimetable(draft).trips
        let first = try #require(trips["1_0"]).calls.prefix(3).map { draft.stops[Int($0.stop)].id }
        #expect(first == ["46", "2", "3"])
        #expect(!reading.report.findings.contains { $0.rule == "foreign_first_stop" })
        let route = try #require(draft.routes.first { $0.shortName == "1" })
        #expect(route.color == "F3513C" && route.type == 11)
    }

    @Test func quotedVehicleIsRead() throws {
        let message = try TranzyProvider().message(
            try body("tranzy/quoted", "vehicle-cluj-2026-09-04.json"), of: .vehicles,
            received: TranzyGoldenTests.received)
        let reading = RealtimeReading(message)
        let vehicle = try #require(reading.vehicles.first)
        #expect(vehicle.trip?.tripID == "14_0")
        #expect(vehicle.timestamp == Instant(rfc3339: "2026-09-04T11:23:43Z"))
        #expect(abs((vehicle.speed ?? 0) - 3.569_416) < 0.001)
        #expect(reading.problems.isEmpty)
    }
}
