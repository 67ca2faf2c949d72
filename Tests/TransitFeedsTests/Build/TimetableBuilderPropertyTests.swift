import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

/// Compares random timetables that are built from the same rows in different orders.
@Suite struct TimetableBuilderPropertyTests {
    private struct Row {
        var trip: String
        var call: ExpandedTimetable.Call
    }

    private func draw(_ numbers: inout SeededGenerator) -> [String: ExpandedTimetable.ExpandedTrip] {
        var trips: [String: ExpandedTimetable.ExpandedTrip] = [:]
        for number in 0..<Int.random(in: 1...120, using: &numbers) {
            var time = Int32.random(in: 0...90_000, using: &numbers)
            var sequence = UInt32.random(in: 0...3, using: &numbers)
            let line = UInt32.random(in: 0...4, using: &numbers)
            let calls = (0..<Int.random(in: 2...12, using: &numbers)).map { position in
                let arrival = time
                let departure = arrival + [0, 0, 0, 30, 400].randomElement(using: &numbers)!
                time = departure + [0, 60, 60, 120, 100_000].randomElement(using: &numbers)!
                defer { sequence += UInt32.random(in: 1...2, using: &numbers) }
                return ExpandedTimetable.Call(
                    stop: line * 10 + UInt32(position), sequence: sequence, arrival: arrival, departure: departure)
            }
            trips["trip \(number)"] = ExpandedTimetable.ExpandedTrip(
                route: line, direction: [nil, .zero, .one].randomElement(using: &numbers)!,
                service: UInt32.random(in: 0...3, using: &numbers), calls: calls)
        }
        return trips
    }

    private func build(_ trips: [String: ExpandedTimetable.ExpandedTrip], rows: [Row]) -> BuilderFixture.Finished {
        var fixture = BuilderFixture()
        for (id, trip) in trips.sorted(by: { $0.key < $1.key }) {
            fixture.trip(id, route: trip.route, direction: trip.direction, service: trip.service)
        }
        for (line, row) in rows.enumerated() {
            fixture.row(
                row.trip, row.call.stop, row.call.sequence, Int(row.call.arrival), Int(row.call.departure),
                line: UInt32(line))
        }
        return fixture.finish()
    }

    @Test(arguments: 0..<30) func rowOrderDoesNotChangeTimetable(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        let trips = draw(&numbers)
        let rows = trips.sorted { $0.key < $1.key }.flatMap { id, trip in trip.calls.map { Row(trip: id, call: $0) } }
        let byTrip = build(trips, rows: rows)
        let scattered = build(trips, rows: rows.shuffled(using: &numbers))
        let bySequence = build(trips, rows: rows.sorted { $0.call.sequence < $1.call.sequence })
        for built in [byTrip, scattered, bySequence] {
            #expect(ExpandedTimetable(built.timetable).trips == trips)
            #expect(built.stopTimeCount == rows.count)
            #expect(built.problems.isEmpty)
            expectOrder(built.patterns, built.trips)
        }
    }
}
