import Testing
import TransitControl
import TransitModel
import TransitWire

@Suite struct DepartureTests {
    private func time(_ text: String) -> Timestamp {
        Timestamp(rfc3339: text) ?? Timestamp(Instant(secondsSince1970: 0))
    }

    private var departure: Departure {
        Departure(
            id: "caltrain:152:2026-03-28:70211", feed: "caltrain", trip: "152",
            serviceDate: ServiceDate(daysSince1970: 20_540),
            route: RouteSummary(id: "L1", shortName: "Local", longName: "Local Weekday", type: 2, color: "E31837"),
            headsign: "San Francisco", direction: "work",
            stop: CallStop(id: "70211", name: "Mountain View", platform: "1"),
            scheduled: time("2026-03-28T08:12:00-07:00"), expected: time("2026-03-28T08:14:00-07:00"), delay: 120,
            status: .scheduled, source: .live, confidence: .high, age: 23, isApproximate: false, pickup: .regular,
            wheelchair: .possible, bikes: .unknown,
            arrival: Arrival(
                stop: CallStop(id: "70012", name: "San Francisco"), scheduled: time("2026-03-28T09:14:00-07:00"),
                expected: time("2026-03-28T09:16:00-07:00"), dropOff: .regular))
    }

    /// The members of the original design keep their names and formats.
    @Test func encodesMembers() throws {
        let value = try JSONValue(parsing: departure.encoded)
        let expectedMembers: JSONValue = [
            "feed": "caltrain", "trip": "152", "service_date": "2026-03-28", "headsign": "San Francisco",
            "direction": "work", "stop": ["id": "70211", "name": "Mountain View", "platform": "1"],
            "scheduled": "2026-03-28T08:12:00-07:00", "expected": "2026-03-28T08:14:00-07:00", "delay": 120,
            "status": "scheduled", "source": "live", "confidence": "high", "age": 23,
        ]
        guard case .object(let members) = expectedMembers else { return }
        for member in members.members { #expect(value[member.name] == member.value) }
        #expect(value["route"]?["id"] == "L1")
        #expect(value["route"]?["color"] == "E31837")
        #expect(value["arrival"]?["stop"] == ["id": "70012", "name": "San Francisco", "platform": nil])
        #expect(value["arrival"]?["scheduled"] == "2026-03-28T09:14:00-07:00")
    }

    @Test func absentMembersAreNull() throws {
        let value = try JSONValue(parsing: departure.encoded)
        for name in ["headway", "walk", "leave_by", "trip_short_name", "direction_id"] { #expect(value[name] == .null) }
    }

    @Test func roundTrips() throws {
        #expect(try Departure(reading: JSONValue(parsing: departure.encoded), as: .result) == departure)
    }

    @Test func matchesSnapshot() throws {
        try Snapshot.expect(JSONValue(parsing: departure.encoded), named: "departure")
    }

    @Test(arguments: ["scheduled", "canceled", "skipped", "added", "unscheduled", "duplicated", "departed"])
    func readsEveryStatus(_ word: String) throws {
        #expect(try DepartureStatus(reading: .string(word), as: .result).rawValue == word)
        #expect(try DepartureStatus(reading: .string(word), as: .result) != .other)
    }
}
