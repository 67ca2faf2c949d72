import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

struct TripWithdrawalTests {
    @Test(arguments: [
        (reported: 5, gone: 5, isDoubtful: true), (4, 4, false), (6, 5, false), (10, 9, true), (9, 8, false),
        (100, 90, true), (100, 89, false), (0, 0, false),
    ])
    func fiveTripsAndNineTenthsMakeAMessageDoubtful(reported: Int, gone: Int, isDoubtful: Bool) {
        #expect(TripWithdrawal.isDoubtful(reported: reported, gone: gone) == isDoubtful)
    }

    @Test(arguments: [(3, 300, true), (3, 299, false), (2, 3600, false), (10, 300, true)])
    func threeMessagesAndFiveMinutesConfirm(messages: Int, seconds: Int, isBelieved: Bool) {
        let start = instant("2026-06-10T06:10:00+02:00")
        let retention = TripRetention(reported: start, missingSince: start, messages: messages)
        #expect(TripWithdrawal.isBelieved(retention, at: start.advanced(by: seconds)) == isBelieved)
    }
}

struct LostChangesTests {
    private let timetable: SmallTimetable
    private let context: TimetableCalendar

    init() throws {
        var timetable = SmallTimetable()
        timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20", "06:40", "23:50"])
        timetable.add(
            [(4, 0), (5, 600)], starts: ["00:00"], route: 1,
            frequencies: [
                Frequency(trip: 0, start: seconds("07:00"), end: seconds("08:00"), headway: 300, isExact: true)
            ])
        self.timetable = timetable
        context = timetable.context(try systemZone("Europe/Berlin"))
    }

    private func underWay(at time: String) -> [String] {
        LostChanges.tripsUnderWay(on: timetable.patterns, context, at: instant(time)).map { key, end in
            "\(key.trip.position) \(key.serviceDate) \(key.frequencyStart.map { "\($0.seconds) " } ?? "")"
                + context.zones[0].rfc3339(end).dropFirst(11).prefix(5)
        }.sorted()
    }

    @Test func tripsUnderWayAreFound() {
        #expect(underWay(at: "2026-06-10T06:19:59+02:00").isEmpty)
        #expect(underWay(at: "2026-06-10T06:30:00+02:00") == ["0 2026-06-10 06:40"])
        #expect(underWay(at: "2026-06-10T06:40:00+02:00") == ["0 2026-06-10 06:40", "1 2026-06-10 07:00"])
        // After midnight, the trip belongs to the day before.
        #expect(underWay(at: "2026-06-11T00:05:00+02:00") == ["2 2026-06-10 00:10"])
    }

    @Test func repeatedTripIsUnderWayOncePerHeadway() {
        #expect(
            underWay(at: "2026-06-10T07:11:00+02:00") == [
                "3 2026-06-10 25500 07:15", "3 2026-06-10 25800 07:20",
            ])
    }

    @Test func eachTripMustBeMentionedOrOver() throws {
        let now = instant("2026-06-10T06:45:00+02:00")
        let pending = LostChanges.tripsUnderWay(
            on: timetable.patterns, context, at: instant("2026-06-10T06:40:00+02:00"))
        let lost = LostChanges(since: now, pending: pending)
        let keys = pending.keys.sorted()
        // The first trip is over at 06:40.
        let later = try #require(lost.after(mentioning: [], at: now))
        #expect(Array(later.pending.keys) == [keys[1]])
        #expect(later.after(mentioning: [keys[1]], at: now) == nil)
        #expect(later.after(mentioning: [], at: instant("2026-06-10T07:00:01+02:00")) == nil)
    }

    @Test func departureIsNotMissingWhileChangesMayBeLost() throws {
        var scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable = timetable
        scene.now = instant("2026-06-10T06:25:00+02:00")
        func dataset(_ lost: LostChanges?) throws -> RealtimeDataset {
            var builder = RealtimeDatasetBuilder(
                header: RealtimeHeader(version: "2.0", timestamp: scene.now), received: scene.now,
                matcher: TripMatcher(scene.table))
            builder.lostChanges = lost
            try builder.apply(.update(1, [.late(0, 60)]))
            return try builder.finish()
        }
        let lost = LostChanges(
            since: scene.now, pending: LostChanges.tripsUnderWay(on: timetable.patterns, context, at: scene.now))
        #expect(
            scene.departures(2, RealtimeDatasets(tripUpdates: try dataset(lost)), count: 1).map(\.isMissingFromRealtime)
                == [false])
    }
}
