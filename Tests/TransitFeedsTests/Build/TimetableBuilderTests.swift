import Testing
import TransitModel

@testable import TransitFeeds

/// A timetable builder whose trips are identified by strings.
struct BuilderFixture {
    var builder: TimetableBuilder
    private var trips: [String: SourceTripNumber] = [:]

    init(coordinates: [Coordinate?] = Array(repeating: nil, count: 100)) {
        builder = TimetableBuilder(coordinates: coordinates)
    }

    mutating func trip(_ id: String, route: UInt32 = 0, direction: Direction? = nil, service: UInt32 = 0) {
        let attributes = TripAttributes(
            route: RouteIndex(route), service: ServiceIndex(service), direction: direction)
        var id = id
        trips[id] = id.withUTF8 { builder.addTrip($0, attributes) }
    }

    /// Adds calls as (stop, sequence, arrival, departure), with times in minutes.
    mutating func calls(_ trip: String, _ calls: (stop: UInt32, sequence: UInt32, arrival: Int?, departure: Int?)...) {
        for call in calls {
            row(trip, call.stop, call.sequence, call.arrival.map { $0 * 60 }, call.departure.map { $0 * 60 })
        }
    }

    mutating func row(
        _ trip: String, _ stop: UInt32, _ sequence: UInt32, _ arrival: Int?, _ departure: Int?,
        distance: Float? = nil, line: UInt32 = 0
    ) {
        guard let trip = trips[trip] else { return }
        builder.append(
            StopTime(
                stop: StopIndex(stop), sequence: sequence,
                arrival: arrival.map { ServiceTime(seconds: Int32($0)) },
                departure: departure.map { ServiceTime(seconds: Int32($0)) }, distance: distance, line: line),
            to: trip)
    }

    mutating func frequency(_ trip: String, _ start: Int32, _ end: Int32, headway: Int32 = 600, line: UInt32 = 0) {
        guard let trip = trips[trip] else { return }
        builder.append(
            SourceFrequency(
                trip: trip, start: ServiceTime(seconds: start), end: ServiceTime(seconds: end), headway: headway,
                isExact: true, line: line))
    }

    func finish() -> Finished {
        var problems: [BuildProblemTally.Entry] = []
        let timetable = builder.finish { found, _ in problems.append(found) }
        return Finished(timetable: timetable, tallies: problems)
    }

    @dynamicMemberLookup
    struct Finished {
        var timetable: BuiltTimetable
        /// The problems by kind, in the order of first occurrence.
        var tallies: [BuildProblemTally.Entry]

        /// The stored examples of all kinds.
        var problems: [BuildProblem] { tallies.flatMap(\.examples) }

        func count(_ kind: BuildProblem.Kind) -> Int { tallies.first { $0.examples[0].kind == kind }?.count ?? 0 }

        subscript<Member>(dynamicMember member: KeyPath<BuiltTimetable, Member>) -> Member {
            timetable[keyPath: member]
        }
    }
}

@Suite struct TimetableBuilderTests {
    @Test func tripsSharePatternsAndProfiles() {
        var fixture = BuilderFixture()
        for (id, start) in [("late", 600), ("early", 300), ("middle", 450)] {
            fixture.trip(id)
            fixture.calls(id, (1, 1, start, start), (2, 2, start + 10, start + 11), (3, 3, start + 20, start + 20))
        }
        fixture.trip("slow")
        fixture.calls("slow", (1, 1, 500, 500), (2, 2, 515, 515), (3, 3, 530, 530))
        let built = fixture.finish()
        let expanded = ExpandedTimetable(built.timetable)
        #expect(expanded.patternCount == 1)
        #expect(expanded.timingGroupCount == 2)
        #expect(built.stopTimeCount == 12)
        #expect((0..<4).map { built.trips.ids[$0] } == ["early", "middle", "late", "slow"])
        #expect(expanded.trips["early"]?.calls.map(\.departure) == [18_000, 18_660, 19_200])
        #expect(expanded.trips["slow"]?.calls.map(\.arrival) == [30_000, 30_900, 31_800])
        expectOrder(built.patterns, built.trips)
    }

    @Test func tripsWithTheSameStartAreOrderedByIdentifier() {
        var fixture = BuilderFixture()
        for id in ["b", "a", "ab"] {
            fixture.trip(id)
            fixture.calls(id, (1, 1, 10, 10), (2, 2, 20, 20))
        }
        let built = fixture.finish()
        #expect((0..<3).map { built.trips.ids[$0] } == ["a", "ab", "b"])
    }

    @Test func arrivalBeforeStartIsNegative() throws {
        var fixture = BuilderFixture()
        fixture.trip("t")
        fixture.calls("t", (1, 1, 5, 10), (2, 2, 20, 21))
        let built = fixture.finish()
        built.patterns.forEachPattern { pattern in
            #expect(pattern.timingGroups[0].starts == [600])
            #expect(
                pattern.timingGroups[0].times == [
                    CallTimes(arrival: -300, departure: 0), CallTimes(arrival: 600, departure: 660),
                ])
        }
        #expect(built.patterns.count == 1)
    }

    @Test func patternsAreOrderedByRouteDirectionAndTrips() {
        var fixture = BuilderFixture()
        var number = 0
        func add(_ route: UInt32, _ direction: Direction?, stop: UInt32, times: Int, to fixture: inout BuilderFixture) {
            for _ in 0..<times {
                number += 1
                fixture.trip("\(number)", route: route, direction: direction)
                fixture.calls("\(number)", (stop, 1, number, number), (50, 2, number + 5, number + 5))
            }
        }
        add(1, nil, stop: 1, times: 1, to: &fixture)
        add(0, .one, stop: 2, times: 2, to: &fixture)
        add(0, .zero, stop: 3, times: 1, to: &fixture)
        add(0, .zero, stop: 4, times: 3, to: &fixture)
        add(0, nil, stop: 5, times: 1, to: &fixture)
        let built = fixture.finish()
        var firstStops: [UInt32] = []
        built.patterns.forEachPattern { firstStops.append($0.calls[0].stop.rawValue) }
        #expect(firstStops == [5, 4, 3, 2, 1])
        expectOrder(built.patterns, built.trips)
    }

    @Test func pickupHeadsignAndSequenceDistinguishPatterns() {
        var fixture = BuilderFixture()
        let headsign = TextIndex(
            "Harbour".utf8.withContiguousStorageIfAvailable {
                fixture.builder.texts.intern($0).number
            } ?? 0)
        for (id, pickup, dropOff, text, sequence) in [
            ("plain", PickupDropOff.regular, PickupDropOff.regular, nil as TextIndex?, 2 as UInt32),
            ("phone", .phone, .none, nil, 2), ("sign", .regular, .regular, headsign, 2),
            ("numbers", .regular, .regular, nil, 4_000_000_000),
        ] {
            fixture.trip(id)
            fixture.row(id, 1, 1, 600, 600)
            guard let trip = id.utf8.withContiguousStorageIfAvailable({ fixture.builder.trip($0) }) ?? nil else {
                Issue.record("no trip")
                continue
            }
            fixture.builder.append(
                StopTime(
                    stop: StopIndex(UInt32(2)), sequence: sequence, arrival: ServiceTime(seconds: 700),
                    departure: ServiceTime(seconds: 700), headsign: text, pickup: pickup, dropOff: dropOff),
                to: trip)
        }
        let expanded = ExpandedTimetable(fixture.finish().timetable)
        #expect(expanded.patternCount == 4)
        #expect(expanded.trips["phone"]?.calls[1].pickup == .phone)
        #expect(expanded.trips["phone"]?.calls[1].dropOff == PickupDropOff.none)
        #expect(expanded.trips["sign"]?.calls[1].headsign == "Harbour")
        #expect(expanded.trips["plain"]?.calls[1].headsign == nil)
        #expect(expanded.trips["numbers"]?.calls[1].sequence == 4_000_000_000)
    }

    @Test func rowsOfTripAreSorted() {
        var fixture = BuilderFixture()
        fixture.trip("t")
        fixture.calls("t", (3, 30, 20, 20), (1, 10, 5, 5), (2, 20, 10, 12))
        let expanded = ExpandedTimetable(fixture.finish().timetable)
        #expect(expanded.trips["t"]?.calls.map(\.stop) == [1, 2, 3])
        #expect(expanded.trips["t"]?.calls.map(\.departure) == [300, 720, 1200])
    }

    @Test func frequenciesBelongToTimingGroupOfTheirTrip() {
        var fixture = BuilderFixture()
        for (id, start) in [("b", 20), ("a", 10)] {
            fixture.trip(id)
            fixture.calls(id, (1, 1, start, start), (2, 2, start + 5, start + 5))
        }
        fixture.trip("gone")
        fixture.frequency("b", 7200, 9000)
        fixture.frequency("b", 3600, 7200)
        fixture.frequency("gone", 0, 100, line: 7)
        let built = fixture.finish()
        built.patterns.forEachPattern { pattern in
            #expect(
                pattern.timingGroups[0].frequencies == [
                    Frequency(trip: 1, start: 3600, end: 7200, headway: 600, isExact: true),
                    Frequency(trip: 1, start: 7200, end: 9000, headway: 600, isExact: true),
                ])
        }
        #expect(built.problems.map(\.kind) == [.noStopTimes, .frequencyOfSkippedTrip])
        #expect(built.problems.last?.line == 7)
    }

    @Test func overlappingFrequenciesAreShortenedAndDuplicatesSkipped() {
        var fixture = BuilderFixture()
        fixture.trip("t")
        fixture.calls("t", (1, 1, 10, 10), (2, 2, 15, 15))
        fixture.frequency("t", 0, 1000, line: 2)
        fixture.frequency("t", 900, 2000, line: 3)
        fixture.frequency("t", 900, 3000, line: 4)
        let built = fixture.finish()
        #expect(ExpandedTimetable(built.timetable).trips["t"]?.frequencies.map(\.end) == [900, 2000])
        #expect(built.problems.map(\.kind) == [.overlappingFrequency, .duplicateFrequency])
        #expect(built.problems.map(\.line) == [3, 4])
    }

    @Test func emptyInputGivesEmptyTimetable() {
        let built = BuilderFixture().finish()
        #expect(built.patterns.count == 0)
        #expect(built.trips.count == 0)
        expectOrder(built.patterns, built.trips)
    }
}
