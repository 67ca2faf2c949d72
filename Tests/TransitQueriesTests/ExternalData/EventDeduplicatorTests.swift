import Testing
import TransitModel

@testable import TransitQueries

@Suite struct EventDeduplicatorTests {
    private static let evening = Instant(secondsSince1970: 1_774_753_800)

    private static func event(
        _ name: String, id: String = "", venue: String = "Chase Center", start: Instant? = evening,
        status: EventStatus = .scheduled
    ) -> PublicEvent {
        PublicEvent(
            id: id, name: name, status: status, start: start, date: ServiceDate(year: 2026, month: 3, day: 28),
            venue: EventVenue(name: venue))
    }

    @Test(arguments: [
        // Kinds of tickets of an event.
        (
            ["Warriors vs. Lakers", "Parking: Warriors vs. Lakers", "Warriors vs Lakers - Suites"],
            ["Warriors vs. Lakers"]
        ),
        (["VIP Package: Big Band", "Big Band"], ["Big Band"]),
        (["Blues Festival 2-Day Pass", "Blues Festival", "Blues Festival - 3 Day Tickets"], ["Blues Festival"]),
        (["Big Band Meet & Greet", "Big Band", "Big Band Club Access"], ["Big Band"]),
        // The same event by several sellers.
        (["Big Band", "Big Band with Special Guests", "BIG BAND"], ["Big Band"]),
        // Different events.
        (["Big Band", "Small Band"], ["Big Band", "Small Band"]),
        // The event itself is missing.
        (["Big Band 2-Day Pass", "Big Band VIP Package"], ["Big Band 2-Day Pass"]),
        (["Chase Center Parking"], []), ([], []),
    ])
    func namesAreFolded(_ names: [String], _ expected: [String]) {
        #expect(EventDeduplicator.folded(names.map { Self.event($0) }).map(\.name) == expected)
    }

    @Test func timesVenuesAndDatesAreDistinguished() {
        let matinee = Self.evening.advanced(by: -5 * 3600)
        let events = [
            Self.event("Show"), Self.event("Show", start: matinee), Self.event("Show", venue: "SAP Center"),
            Self.event("Show", start: nil),
        ]
        // The entry without a time is about one of the others.
        #expect(EventDeduplicator.folded(events).map(\.start) == [Self.evening, matinee, Self.evening])
    }

    @Test func entryThatTakesPlaceIsKept() {
        let events = [Self.event("Show", status: .canceled), Self.event("Show tonight")]
        #expect(EventDeduplicator.folded(events).map(\.status) == [.scheduled])
        let same = [Self.event("One", id: "x"), Self.event("Two", id: "x")]
        #expect(EventDeduplicator.folded(same).count == 1)
    }

    @Test func orderIsThatOfSource() {
        let names = (0..<50).map { "Show \($0)" }
        #expect(EventDeduplicator.folded(names.map { Self.event($0, venue: $0) }).map(\.name) == names)
    }

    @Test(
        arguments: [
            ("Chase Center", true, 18_064), ("Levi\u{2019}s\u{AE} Stadium", true, 68_500),
            ("LEVI'S STADIUM", true, 68_500),
            ("SAP Center at San Jose", true, 17_562), ("Stanford Stadium", true, 50_424), ("Cow Palace", false, 16_500),
            ("Chase", false, nil), ("Caf\u{E9} du Nord", false, nil), ("", false, nil), ("\u{AE}", false, nil),
        ] as [(String, Bool, Int?)])
    func venues(_ name: String, _ isNotable: Bool, _ capacity: Int?) {
        #expect(VenueTable.standard.isNotable(name) == isNotable)
        #expect(VenueTable.standard.capacity(of: name) == capacity)
    }

    @Test func venuesAreConfigurable() {
        var venues = VenueTable(capacities: ["Waldb\u{FC}hne": 22_000, "Hall": 3000], alwaysListed: ["Hall"])
        #expect(venues.isNotable("Waldbuhne Berlin"))
        #expect(venues.isNotable("Hall") && !venues.isNotable("Chase Center"))
        venues.largeCapacity = 30_000
        #expect(!venues.isNotable("Waldb\u{FC}hne"))
    }
}
