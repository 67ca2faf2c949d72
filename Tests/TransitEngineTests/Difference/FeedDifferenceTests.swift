import Testing
internal import TransitModel

@testable import TransitEngine

struct FeedDifferenceTests {
    let dates = ComparedDates(
        today: ServiceDate(daysSince1970: 20_500),  // 2026-02-16, a Monday
        old: ServiceDate(daysSince1970: 20_000)...ServiceDate(daysSince1970: 20_600),
        new: ServiceDate(daysSince1970: 20_490)...ServiceDate(daysSince1970: 20_700), days: 7)
    var old = CommuteTimetable()
    var new = CommuteTimetable()

    init() {
        old.add(Stop(id: "a", name: "Alder Street", platform: "1"), parent: nil)
        old.add(Stop(id: "b", name: "Beech Road", coordinate: Coordinate(latitude: 50, longitude: 8)), parent: nil)
        old.routes["r"] = Route(id: "r", agency: AgencyIndex(0), shortName: "24", type: 3)
        new = old
    }

    func commuteTrip(_ departure: String, _ arrival: String, dates: UInt64 = 0b001_1111) -> CommuteTimetable.CommuteTrip
    {
        CommuteTimetable.CommuteTrip(
            route: "r", board: "a", alight: "b", departure: ServiceTime(seconds: seconds(departure)),
            arrival: ServiceTime(seconds: seconds(arrival)), dates: dates)
    }

    var messages: [String] { FeedDifference.changes(from: old, to: new, dates: dates).map(\.message) }

    @Test("Equal versions have no changes")
    mutating func equalVersionsHaveNoChanges() {
        old.trips = ["1": commuteTrip("8:12", "8:30")]
        new.trips = old.trips
        #expect(messages == [])
    }

    @Test("Trips with different times, dates or stops are described")
    mutating func changedTripsAreDescribed() {
        old.trips = [
            "1": commuteTrip("8:12", "8:30"), "2": commuteTrip("24:30", "24:50"), "3": commuteTrip("9:00", "9:20"),
        ]
        new.trips = [
            "1": commuteTrip("8:09", "8:31"), "2": commuteTrip("24:30", "24:50", dates: 0b111_1110),
            "3": commuteTrip("9:00", "9:20"),
        ]
        new.trips["3"]?.board = "b"
        #expect(
            messages == [
                "8:12 leaves at 8:09, arrives at 8:31 instead of 8:30",
                "9:00 leaves from Beech Road",
                "0:30 no longer runs on 2026-02-16, now runs on 2026-02-21, 2026-02-22",
            ])
    }

    @Test("Added and removed trips are changes; renumbered trips are not")
    mutating func renumberedTripsAreNoChange() {
        old.trips = [
            "1": commuteTrip("8:12", "8:30"), "2": commuteTrip("8:12", "8:30"), "3": commuteTrip("10:00", "10:20"),
        ]
        new.trips = ["x1": commuteTrip("8:12", "8:30"), "x4": commuteTrip("11:00", "11:20")]
        let changes = FeedDifference.changes(from: old, to: new, dates: dates)
        #expect(changes.map(\.message) == ["8:12 no longer runs", "10:00 no longer runs", "11:00 is new"])
        #expect(changes.map(\.kind) == [.removed, .removed, .added])
        #expect(changes.last?.subject == .trip("x4"))
        #expect(changes.last?.name == "24")
    }

    @Test("A trip that gains or loses separate identifiers for each date is unchanged")
    mutating func identifierForEachDateIsNoChange() {
        old.trips = ["1": commuteTrip("8:12", "8:30"), "2": commuteTrip("8:42", "9:00")]
        for day in 0..<5 as Range<UInt64> {
            new.trips[TripID("a\(day)")] = commuteTrip("8:12", "8:30", dates: 1 << day)
            new.trips[TripID("b\(day)")] = commuteTrip("8:42", "9:00", dates: 1 << day)
        }
        #expect(messages == [])
        (old, new) = (new, old)
        #expect(messages == [])
    }

    @Test("An identifier that is reused for another trip does not affect the trip that had it")
    mutating func reusedIdentifierDoesNotMatchOtherTrip() {
        old.trips = ["1": commuteTrip("8:12", "8:30"), "2": commuteTrip("8:42", "9:00")]
        new.trips = ["2": commuteTrip("8:12", "8:30"), "1": commuteTrip("8:42", "9:00")]
        #expect(messages == [])
    }

    @Test("For a trip that is renumbered on some dates, only the dates with differences are listed")
    mutating func partlyRenumberedTripListsChangedDates() {
        old.trips = ["1": commuteTrip("8:12", "8:30"), "2": commuteTrip("9:12", "9:30")]
        for day in 0..<4 as Range<UInt64> {
            new.trips[TripID("a\(day)")] = commuteTrip("8:12", "8:30", dates: 1 << day)
        }
        new.trips["2"] = commuteTrip("9:20", "9:38", dates: 1)
        new.trips["b"] = commuteTrip("9:12", "9:30", dates: 0b001_1110)
        #expect(
            messages == [
                "8:12 no longer runs on 2026-02-20",
                "9:12 on 2026-02-16 leaves at 9:20, arrives at 9:38 instead of 9:30",
            ])
    }

    @Test("A renumbered trip from another platform is one change")
    mutating func renumberedTripFromOtherPlatformIsOneChange() {
        old.add(Stop(id: "a2", name: "Alder Street", platform: "2"), parent: nil)
        new.add(Stop(id: "a2", name: "Alder Street", platform: "2"), parent: nil)
        old.trips = ["1": commuteTrip("8:12", "8:30")]
        new.trips = ["x": commuteTrip("8:12", "8:30")]
        new.trips["x"]?.board = "a2"
        #expect(messages == ["8:12 leaves from Alder Street, platform 2"])
    }

    @Test("Changes of stops and routes are described")
    mutating func stopAndRouteChangesAreDescribed() {
        new.stops = [:]
        new.add(Stop(id: "a", code: "12", name: "Alder Square", platform: "2"), parent: "s")
        new.add(Stop(id: "b", name: "Beech Road", coordinate: Coordinate(latitude: 50.001, longitude: 8)), parent: nil)
        new.add(Stop(id: "c", name: "Cedar Lane"), parent: nil)
        new.routes["r"]?.shortName = "25"
        old.routes["q"] = Route(id: "q", agency: AgencyIndex(0), shortName: "9", type: 3)
        #expect(
            messages == [
                "Alder Square: was called Alder Street, platform 2 instead of 1, code 12 instead of none, belongs to a different station",
                "Beech Road: moved by 111 m",
                "Cedar Lane is new",
                "9 was removed",
                "25: was called 24",
            ])
    }

    @Test("A stop that was moved by a few meters is unchanged")
    mutating func slightlyMovedStopIsNoChange() {
        new.stops["b"]?.stop.coordinate = Coordinate(latitude: 50.00005, longitude: 8)
        #expect(messages == [])
    }

    @Test("Versions are compared on dates that both cover")
    func versionsAreComparedOnSharedDates() {
        #expect(dates.first == ServiceDate(daysSince1970: 20_500))
        #expect(dates.count == 7)
        let range = ServiceDate(daysSince1970: 10)...ServiceDate(daysSince1970: 20)
        let later = ServiceDate(daysSince1970: 15)...ServiceDate(daysSince1970: 90)
        let shared = ComparedDates(today: ServiceDate(daysSince1970: 0), old: range, new: later)
        #expect(shared.first == later.lowerBound)
        #expect(shared.count == 6)
        #expect(ComparedDates(today: ServiceDate(daysSince1970: 30), old: range, new: later).count == 0)
        #expect(ComparedDates(today: range.lowerBound, old: nil, new: later).count == 0)
        #expect(ComparedDates(today: ServiceDate(daysSince1970: 0), old: later, new: later, days: 900).count == 64)
        let service = Service(
            id: "s", weekdays: 1, start: range.lowerBound, end: range.upperBound, added: [later.lowerBound])
        // The service was added on 16 January 1970, a Friday. 19 January is a Monday.
        #expect(shared.running(service) == 0b001001)
    }
}
