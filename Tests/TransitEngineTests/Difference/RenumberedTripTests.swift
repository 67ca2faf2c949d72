import Testing
internal import TransitModel

@testable import TransitEngine

/// Counts the trips that differ between two versions, regardless of their identifiers.
struct RenumberedTripTests {
    /// A trip with its start in minutes and its dates within a week.
    struct PlainTrip {
        var id: String
        var start: Int32
        var days: UInt8
    }

    private static let monday = ServiceDate(daysSince1970: 20_500)
    private static let dates = ComparedDates(
        today: monday, old: monday...monday.advanced(by: 6), new: monday...monday.advanced(by: 6))

    private func digest(_ trips: [PlainTrip], dates: ComparedDates = Self.dates) throws -> VersionFingerprints {
        let services = trips.map {
            Service(
                id: ServiceID($0.id), weekdays: $0.days, start: Self.monday, end: Self.monday.advanced(by: 6))
        }
        var digest = VersionFingerprints(services: services, dates: dates)
        let calls = (0..<2).map { PatternCall(stop: StopIndex($0), sequence: UInt32($0)) }
        let timingGroup = TimingGroup(
            times: [CallTimes(arrival: 0, departure: 0), CallTimes(arrival: 600, departure: 600)],
            firstTrip: TripIndex(0), starts: trips.map { $0.start * 60 },
            services: trips.indices.map { ServiceIndex($0) })
        let pattern = Pattern(
            index: PatternIndex(0), route: RouteIndex(0), direction: nil, calls: calls, timingGroups: [timingGroup])
        digest.add(
            pattern, route: "r", stopID: { StopID("s\($0.position)") }, tripID: { TripID(trips[$0.position].id) })
        return digest
    }

    private func changes(
        _ old: [PlainTrip], _ new: [PlainTrip], dates: ComparedDates = Self.dates
    ) throws -> TimetableChangeCounts {
        try digest(old, dates: dates).changes(to: digest(new, dates: dates)).trips
    }

    private let everyDay: UInt8 = 0b111_1111

    @Test func renumberedTripsAreUnchanged() throws {
        let old = [PlainTrip(id: "1", start: 480, days: everyDay), PlainTrip(id: "2", start: 540, days: everyDay)]
        let split = (0..<7).map { PlainTrip(id: "a\($0)", start: 480, days: 1 << $0) }
        #expect(try changes(old, split + [PlainTrip(id: "1", start: 540, days: everyDay)]) == TimetableChangeCounts())
        #expect(try changes(split, [old[0]]) == TimetableChangeCounts())
    }

    @Test func unmatchedTripsAreAddedRemovedOrChanged() throws {
        let old = [
            PlainTrip(id: "same", start: 480, days: everyDay), PlainTrip(id: "moved", start: 540, days: everyDay),
            PlainTrip(id: "gone", start: 600, days: everyDay), PlainTrip(id: "fewer", start: 660, days: everyDay),
        ]
        let new = [
            PlainTrip(id: "x", start: 480, days: everyDay), PlainTrip(id: "moved", start: 545, days: everyDay),
            PlainTrip(id: "more", start: 720, days: 1), PlainTrip(id: "y", start: 660, days: 0b001_1111),
        ]
        #expect(try changes(old, new) == TimetableChangeCounts(added: 1, removed: 1, changed: 2))
    }

    @Test func withoutSharedDatesTripsAreComparedWithoutDates() throws {
        let none = ComparedDates(today: Self.monday, old: nil, new: nil)
        let old = [PlainTrip(id: "1", start: 480, days: 1), PlainTrip(id: "2", start: 540, days: 1)]
        let new = [PlainTrip(id: "1", start: 480, days: 2), PlainTrip(id: "3", start: 600, days: 2)]
        #expect(try changes(old, new, dates: none) == TimetableChangeCounts(added: 1, removed: 1))
    }
}
