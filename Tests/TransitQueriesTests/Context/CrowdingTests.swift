import Testing
import TransitModel

@testable import TransitQueries

@Suite struct CrowdingTests {
    /// 19:30 in San Francisco.
    private static let start = Instant(secondsSince1970: 1_774_751_400)

    private static func event(
        venue: String = "Chase Center", status: EventStatus = .scheduled, start: Instant? = start, hours: Double? = nil,
        latitude: Double? = 37.768
    ) throws -> PublicEvent {
        PublicEvent(
            id: "1", name: "Game", status: status, start: start,
            end: hours.flatMap { hours in start.map { $0.advanced(by: Int(hours * 3600)) } },
            venue: EventVenue(
                name: venue,
                coordinate: try latitude.map { try #require(Coordinate(latitude: $0, longitude: -122.388)) }))
    }

    private static func stations() throws -> [NamedStation] {
        [
            NamedStation(
                name: "Mountain View", coordinate: try #require(Coordinate(latitude: 37.3945, longitude: -122.0763))),
            NamedStation(
                name: "San Francisco", coordinate: try #require(Coordinate(latitude: 37.7766, longitude: -122.3947))),
        ]
    }

    private static func phase(_ event: PublicEvent, minutes: Int) throws -> Crowding.Phase? {
        let found = crowding(
            events: [event], venues: .standard, stations: try stations(), at: start.advanced(by: minutes * 60))
        #expect(found.allSatisfy { $0.station.name == "San Francisco" && $0.distance <= 2414.1 })
        return found.first?.phase
    }

    @Test(
        arguments: [
            // Minutes from the start; without an end, the event lasts 3 h.
            (-121, nil), (-120, .arriving), (0, .arriving), (30, .arriving), (31, nil), (134, nil), (135, .leaving),
            (180, .leaving), (225, .leaving), (226, nil),
        ] as [(Int, Crowding.Phase?)])
    func periodsWithoutEnd(_ minutes: Int, _ phase: Crowding.Phase?) throws {
        #expect(try Self.phase(Self.event(), minutes: minutes) == phase)
    }

    @Test(
        arguments: [
            // The event ends after an hour, so that the periods overlap.
            (14, .arriving), (15, .leaving), (30, .leaving), (105, .leaving), (106, nil),
        ] as [(Int, Crowding.Phase?)])
    func periodsWithEnd(_ minutes: Int, _ phase: Crowding.Phase?) throws {
        #expect(try Self.phase(Self.event(hours: 1), minutes: minutes) == phase)
    }

    @Test func eventsThatDoNotCount() throws {
        let events = [
            try Self.event(status: .postponed), try Self.event(status: .canceled), try Self.event(start: nil),
            try Self.event(venue: "Small Club"), try Self.event(venue: "Cow Palace"), try Self.event(latitude: nil),
            // 1.6 miles from the station.
            try Self.event(latitude: 37.7766 + 0.0232),
        ]
        for event in events { #expect(try Self.phase(event, minutes: 0) == nil, "\(event)") }
        #expect(try Self.phase(Self.event(status: .rescheduled), minutes: 0) == .arriving)
        #expect(
            try Self.phase(Self.event(venue: "Stanford Stadium", latitude: 37.7766 + 0.0205), minutes: 0) == .arriving)
        #expect(
            crowding(events: [try Self.event()], venues: .standard, stations: [], at: Self.start).isEmpty)
    }
}
