import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// Tests which trip instance a cancellation without a date refers to.
struct UndatedDecisionTests {
    let berlin: ServiceZone

    init() throws { berlin = try systemZone("Europe/Berlin") }

    struct Case: CustomTestStringConvertible {
        var name: String
        var start: String
        var duration = 1800
        var now: String
        /// The service date; `nil` if several trip instances are possible.
        var expected: String?
        /// The weekdays of the service, as bits.
        var weekdays: UInt8 = 0b111_1111
        var testDescription: String { name }
    }

    /// June 10, 2026, is a Wednesday.
    static let cases = [
        Case(
            name: "two minutes before midnight, of the trip at 00:10", start: "0:10", now: "2026-06-10T23:58:00+02:00",
            expected: "2026-06-11"),
        Case(
            name: "two minutes before midnight, of the trip at 24:10", start: "24:10",
            now: "2026-06-10T23:58:00+02:00", expected: "2026-06-10"),
        Case(
            name: "five minutes after midnight, of the trip at 24:10", start: "24:10",
            now: "2026-06-11T00:05:00+02:00", expected: "2026-06-10"),
        Case(
            name: "two minutes before midnight, of the trip at 07:00", start: "7:00", now: "2026-06-10T23:58:00+02:00",
            expected: "2026-06-10"),
        Case(
            name: "more than two hours before the trip at 02:10", start: "2:10", now: "2026-06-10T23:58:00+02:00",
            expected: "2026-06-10"),
        Case(
            name: "less than two hours before the trip at 25:30", start: "25:30", now: "2026-06-10T23:40:00+02:00",
            expected: "2026-06-10"),
        Case(
            name: "start after 48:00", start: "49:00", now: "2026-06-10T23:30:00+02:00", expected: "2026-06-09"),
        Case(
            name: "in the morning, before the trip", start: "7:00", now: "2026-06-10T04:30:00+02:00",
            expected: "2026-06-10"),
        // Yesterday's trip is nearer in these cases, but it is over.
        Case(
            name: "at five, of the trip from 17:00 to 18:00", start: "17:00", duration: 3600,
            now: "2026-06-10T05:00:00+02:00", expected: "2026-06-10"),
        Case(
            name: "at eight, of the trip from 20:00 to 21:00", start: "20:00", duration: 3600,
            now: "2026-06-10T08:00:00+02:00", expected: "2026-06-10"),
        Case(
            name: "at half past ten, of the trip from 22:00 to 23:00", start: "22:00", duration: 3600,
            now: "2026-06-10T10:29:00+02:00", expected: "2026-06-10"),
        Case(
            name: "at eleven, of the trip from 23:00 to 00:30", start: "23:00", duration: 5400,
            now: "2026-06-10T11:00:00+02:00", expected: "2026-06-10"),
        Case(
            name: "in the morning, of an evening trip that runs only on Tuesdays", start: "20:00",
            now: "2026-06-10T08:00:00+02:00", expected: "2026-06-09", weekdays: 0b10),
        Case(
            name: "after midnight, under way since yesterday", start: "20:00", duration: 5 * 3600,
            now: "2026-06-10T00:30:00+02:00", expected: "2026-06-09"),
        Case(
            name: "trip of two days, of which two are under way", start: "10:00", duration: 48 * 3600,
            now: "2026-06-10T12:00:00+02:00"),
        Case(
            name: "under way since yesterday, while today's begins", start: "1:00", duration: 24 * 3600,
            now: "2026-06-10T00:30:00+02:00"),
        Case(
            name: "trip that runs only on Thursdays", start: "0:10", now: "2026-06-10T23:58:00+02:00",
            expected: "2026-06-11", weekdays: 0b1000),
        Case(
            name: "trip that runs only on Wednesdays", start: "0:10", now: "2026-06-10T23:58:00+02:00",
            expected: "2026-06-10", weekdays: 0b100),
        // Service time counts from noon minus twelve hours, which is 23:00 on March 28 and 01:00 on October 25.
        Case(
            name: "less than two hours before a trip in the night in which the clock is set forward", start: "2:50",
            now: "2026-03-28T23:58:00+01:00", expected: "2026-03-29"),
        Case(
            name: "more than two hours before a trip in that night", start: "3:10", now: "2026-03-28T23:58:00+01:00",
            expected: "2026-03-28"),
        Case(
            name: "less than two hours before a trip in the night in which the clock is set back", start: "0:30",
            now: "2026-10-24T23:58:00+02:00", expected: "2026-10-25"),
        Case(
            name: "more than two hours before a trip in that night", start: "1:10", now: "2026-10-24T23:58:00+02:00",
            expected: "2026-10-24"),
    ]

    @Test("A new cancellation without a date means the trip that is under way or begins soon", arguments: cases)
    func newCancellationMeansCurrentTrip(_ test: Case) throws {
        let scene = scene(test)
        let decisions: [RealtimeEntity] = [
            .update(0, relationship: .canceled), .update(0, relationship: .deleted), .update(0, [.said(1, .skipped)]),
        ]
        for decision in decisions {
            let dataset = try scene.dataset([decision])
            #expect(dataset.trips.map { $0.key.serviceDate.description } == (test.expected.map { [$0] } ?? []))
            #expect(dataset.statistics.unmatchedTrips == (test.expected == nil ? [.ambiguousDate: 1] : [:]))
        }
    }

    @Test("A cancellation in the morning cancels the trip of the evening")
    func cancellationInTheMorningCancelsEveningTrip() throws {
        var scene = scene(Case(name: "", start: "20:00", duration: 3600, now: "2026-06-10T08:00:00+02:00"))
        let cancellation = RealtimeEntity.update(0, relationship: .canceled)
        let morning = try scene.dataset([cancellation])
        #expect(scene.board(1, RealtimeDatasets(tripUpdates: morning), count: 1) == ["20:00>- canceled live high"])
        scene.now = instant("2026-06-10T19:50:00+02:00")
        let evening = try scene.dataset([cancellation], previous: morning)
        #expect(scene.board(1, RealtimeDatasets(tripUpdates: evening), count: 1) == ["20:00>- canceled live high"])
    }

    @Test("A differential message repeats nothing, so a cancellation of a trip that is over is a new one")
    func differentialCancellationOfTripThatIsOverMeansTheNextOne() throws {
        var scene = scene(Case(name: "", start: "23:00", duration: 5400, now: "2026-06-10T22:30:00+02:00"))
        let cancellation = RealtimeEntity.update(0, relationship: .canceled)
        func differential(_ now: String, _ last: RealtimeDataset) throws -> RealtimeDataset {
            scene.now = instant(now)
            let header = RealtimeHeader(version: "2.0", incrementality: .differential, timestamp: scene.now)
            return try scene.dataset([cancellation], header: header, previous: last)
        }
        let first = try scene.dataset([cancellation])
        // The trip is under way until 00:30.
        let second = try differential("2026-06-11T00:20:00+02:00", first)
        #expect(second.trips.map(\.key.serviceDate.description) == ["2026-06-10"])
        let third = try differential("2026-06-11T11:00:00+02:00", second)
        #expect(third.trips.map(\.key.serviceDate.description) == ["2026-06-11"])
    }

    @Test("A repeated cancellation keeps its trip instance until it disappears")
    func repeatedCancellationKeepsItsDate() throws {
        var scene = scene(Case(name: "", start: "7:00", now: "2026-06-10T06:00:00+02:00"))
        var dataset: RealtimeDataset?
        func dates(_ now: String, _ entities: [RealtimeEntity]) throws -> [String] {
            scene.now = instant(now)
            dataset = try scene.dataset(entities, previous: dataset)
            return dataset?.trips.map { $0.key.serviceDate.description } ?? []
        }
        let cancellation = RealtimeEntity.update(0, relationship: .canceled)
        for now in ["2026-06-10T06:00:00+02:00", "2026-06-10T23:50:00+02:00", "2026-06-11T06:30:00+02:00"] {
            #expect(try dates(now, [cancellation]) == ["2026-06-10"], "\(now)")
        }
        #expect(try dates("2026-06-11T06:32:00+02:00", []) == [])
        #expect(try dates("2026-06-11T06:34:00+02:00", [cancellation]) == ["2026-06-11"])
    }

    @Test("A cancellation that was ambiguous stays so, and an update that skips stops keeps its trip instance")
    func meaningDoesNotChangeLater() throws {
        var scene = scene(
            Case(name: "", start: "1:00", duration: 24 * 3600, now: "2026-06-10T00:30:00+02:00"))
        let cancellation = RealtimeEntity.update(0, relationship: .canceled)
        let first = try scene.dataset([cancellation])
        #expect(RealtimeDatasets(tripUpdates: first).hasAmbiguousCancellation(of: "t0"))
        scene.now = instant("2026-06-10T01:30:00+02:00")
        #expect(try scene.dataset([cancellation], previous: first).trips.isEmpty)

        scene = self.scene(Case(name: "", start: "7:00", now: "2026-06-10T06:00:00+02:00"))
        let skips = RealtimeEntity.update(0, [.said(1, .skipped)])
        let before = try scene.dataset([skips])
        scene.now = instant("2026-06-11T06:30:00+02:00")
        #expect(try scene.dataset([skips], previous: before).trips.map(\.key.serviceDate.description) == ["2026-06-10"])
        // A delay is measured again for each message.
        let delayed = try scene.dataset([.update(0, [.late(1, 60)])], previous: before)
        #expect(delayed.trips.map(\.key.serviceDate.description) == ["2026-06-11"])
    }

    private func scene(_ test: Case) -> RealtimeScenario {
        var scene = RealtimeScenario(berlin)
        scene.now = instant(test.now)
        scene.timetable.services[0].weekdays = test.weekdays
        scene.timetable.add([(1, 0), (2, test.duration)], starts: [test.start])
        return scene
    }
}
