import Testing
import TransitModel
import TransitTestSupport

@testable import TransitStore

@Suite struct TripStoreTests {
    private let folder: TemporaryDirectory
    private let today = ServiceDate(year: 2026, month: 3, day: 28)!
    private let now = Instant(rfc3339: "2026-03-28T08:00:00Z")!

    init() throws { folder = try TemporaryDirectory() }

    private func open() throws -> StateStore { try StateStore(directory: folder.path, today: today) }

    /// Returns a trip at 08:12 UTC on a date.
    private func trip(_ day: Int, route: RouteID = "24", minute: Int = 0) -> SavedTrip {
        let date = ServiceDate(year: 2026, month: 1, day: 1)!.advanced(by: day)
        let scheduled = Instant(secondsSince1970: Int64(date.daysSince1970) * 86_400 + 8 * 3600 + Int64(minute) * 60)
        return SavedTrip(
            departure: DepartureKey(
                feed: "city", route: route, direction: .one, stop: "harbor", scheduled: scheduled, serviceDate: date),
            departed: scheduled.advanced(by: 60), offset: 0, routeName: "24", stopName: "Harbor",
            destination: "central",
            destinationName: "Central", commute: "work", meters: 2000 + day, isStraightLine: day % 2 == 0,
            logged: scheduled.advanced(by: 120))
    }

    private func usual(_ time: Int32, isPinned: Bool = false, date: ServiceDate? = nil) -> SavedUsualDeparture {
        SavedUsualDeparture(
            feed: "city", route: "24", direction: nil, stop: "harbor", time: ServiceTime(seconds: time),
            days: [.monday, .friday], date: date, commute: "work", isPinned: isPinned)
    }

    private func ask(_ seconds: Int, commute: String? = "work", day: Int = 0) -> SavedLookup {
        let key = trip(day).departure
        return SavedLookup(
            at: now.advanced(by: seconds), date: today, commute: commute, departure: commute.map { _ in key },
            time: commute.map { _ in ServiceTime(seconds: 28_800) })
    }

    // MARK: Trips

    @Test func tripsArePersistentAndPerUser() throws {
        #expect(try open().addTrips([trip(1), trip(0)], of: 1) == [true, true])
        #expect(try open().tripLog(of: 1).trips == [trip(0), trip(1)])
        #expect(try open().tripLog(of: 2) == TripLog())
        #expect(try open().lastTrip(of: 2) == nil)
    }

    @Test func sameDepartureIsLoggedOnce() throws {
        let store = try open()
        var again = trip(0)
        again.logged = now
        again.routeName = "renamed"
        #expect(try store.addTrips([trip(0), again], of: 1) == [true, false])
        #expect(try store.tripLog(of: 1).trips == [trip(0)])
    }

    @Test func undoRemovesTripThatWasLoggedLast() throws {
        let store = try open()
        var old = trip(0)
        old.logged = now
        _ = try store.addTrips([old, trip(5)], of: 1)
        #expect(try store.lastTrip(of: 1) == old)
        try store.removeTrip(old, of: 1)
        #expect(try store.lastTrip(of: 1) == trip(5))
        try store.removeTrip(trip(5), of: 1)
        #expect(try store.lastTrip(of: 1) == nil)
    }

    @Test func oldTripsAreFoldedAndRecognized() throws {
        let store = try open()
        let trips = (0..<12).map { trip($0) }
        _ = try store.addTrips(trips, of: 1, keeping: 5)
        let log = try store.tripLog(of: 1)
        #expect(log.trips == Array(trips.suffix(5)))
        #expect(log.folded == TripTotals(trips.prefix(7)))
        #expect(log.totals == TripTotals(trips))
        #expect(log.foldedFingerprints == Set(trips.prefix(7).map(\.fingerprint)))
        // A second import of the same trips changes nothing.
        #expect(try store.addTrips(trips, of: 1, keeping: 5).allSatisfy { !$0 })
        #expect(try store.tripLog(of: 1) == log)
    }

    @Test func foldedTripsAreLimited() throws {
        let store = try open()
        let trips = (0..<12).map { trip($0) }
        _ = try store.addTrips(Array(trips.prefix(10)), of: 1, keeping: 5, foldedLimit: 5)
        let log = try store.tripLog(of: 1)
        #expect(throws: StoreError.invalid("you cannot log more than 5 older trips")) {
            try store.addTrips(Array(trips.suffix(2)), of: 1, keeping: 5, foldedLimit: 5)
        }
        #expect(try store.tripLog(of: 1) == log)
    }

    @Test(arguments: testSeeds(1, 2, 3, 4, 5))
    func totalsDoNotDependOnFolding(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var trips: [SavedTrip] = []
        for _ in 0..<random.number(1...60) {
            var one = trip(
                random.number(0...40), route: RouteID("\(random.number(1...3))"), minute: random.number(0...1000))
            one.meters = random.number(0...3) == 0 ? nil : random.number(0...50_000)
            one.routeName = "name \(random.number(1...3))"
            if !trips.contains(where: { $0.departure == one.departure }) { trips.append(one) }
        }
        let store = try open()
        let limit = random.number(1...10)
        var rest = trips.shuffled(using: &random)[...]
        while !rest.isEmpty {
            let count = random.number(1...7)
            _ = try store.addTrips(Array(rest.prefix(count)), of: 1, keeping: limit)
            rest = rest.dropFirst(count)
        }
        let log = try store.tripLog(of: 1)
        #expect(log.trips.count == min(limit, trips.count))
        #expect(log.totals == TripTotals(trips))
        #expect(log.totals.trips == trips.count)
    }

    /// Imports the sums of a log.
    private func isRestored(_ log: TripLog, of uid: UInt32) throws -> Bool {
        try open().importTrips([], restoring: (log.folded, fingerprints: log.foldedFingerprints), of: uid).isRestored
            == true
    }

    @Test func totalsAreRestoredOnlyIntoLogWithoutTrips() throws {
        let store = try open()
        let trips = (0..<12).map { trip($0) }
        _ = try store.addTrips(trips, of: 1, keeping: 5)
        let log = try store.tripLog(of: 1)
        #expect(try isRestored(log, of: 2))
        #expect(try isRestored(log, of: 2), "repeated")
        _ = try store.addTrips(trips, of: 2, keeping: 5)
        #expect(try store.tripLog(of: 2) == log)
        #expect(try isRestored(log, of: 2), "already there")
        _ = try store.addTrips([trip(20)], of: 3)
        #expect(try !isRestored(log, of: 3))
        #expect(try store.tripLog(of: 3).folded.isEmpty)
    }

    /// A trip at 00:30 belongs to the service date before; on the days of both clock changes the offset differs.
    @Test(arguments: [
        ("2026-03-28", "2026-03-29T00:30:00+01:00", 3600, 88_200),
        ("2026-03-29", "2026-03-29T06:59:00+02:00", 7200, 25_140),
        ("2026-03-28", "2026-03-29T03:30:00+02:00", 7200, 99_000),
        ("2026-10-24", "2026-10-25T02:30:00+01:00", 3600, 95_400),
        ("2026-10-25", "2026-10-25T21:00:00+01:00", 3600, 75_600),
    ])
    func timeCountsFromMidnightOfServiceDate(date: String, scheduled: String, offset: Int, seconds: Int32) throws {
        var late = trip(0)
        late.departure.serviceDate = try #require(ServiceDate(iso8601: date))
        late.departure.scheduled = try #require(Instant(rfc3339: scheduled))
        late.offset = offset
        #expect(late.time.seconds == seconds)
        let day = try #require(TripTotals([late]).days[late.departure.serviceDate])
        #expect(day.earlyTrips == (seconds < 7 * 3600 ? 1 : 0))
        #expect(day.lateTrips == (seconds >= 21 * 3600 ? 1 : 0))
    }

    // MARK: Requests

    @Test func repeatedRequestCountsOnce() throws {
        let store = try open()
        #expect(store.recordAsk(ask(0), of: 1))
        #expect(!store.recordAsk(ask(600), of: 1))
        #expect(!store.recordAsk(ask(1799), of: 1))
        #expect(store.recordAsk(ask(1800), of: 1))
        #expect(store.recordAsk(ask(1800, commute: nil), of: 1))
        #expect(store.recordAsk(ask(1800), of: 2))
        #expect(try store.asks(of: 1).count == 3)
        #expect(try store.saveAsks(now: now) == [1, 2])
        #expect(!store.hasUnsavedAsks)
        #expect(try store.asks(of: 1) == [ask(0), ask(1800), ask(1800, commute: nil)])
    }

    @Test func oldRequestsAreRemoved() throws {
        let store = try open()
        store.recordAsk(ask(0), of: 1)
        try store.saveAsks(now: now)
        store.recordAsk(ask(181 * 86_400), of: 1)
        try store.saveAsks(now: now.advanced(by: 181 * 86_400))
        #expect(try store.asks(of: 1) == [ask(181 * 86_400)])
    }

    // MARK: Usual departures

    @Test func usualDeparturesArePersistent() throws {
        // Each call opens and closes the file.
        try open().setLearnedDepartures([usual(28_800)], of: 1)
        try open().pinDeparture(usual(32_000), of: 1)
        #expect(
            try open().userRecord(of: 1).usualDepartures == [usual(32_000, isPinned: true), usual(28_800)])
        #expect(try open().usersWithLearnedDepartures == [1])
        try open().forgetTravel(of: 1)
        #expect(try open().userRecord(of: 1).usualDepartures == [usual(32_000, isPinned: true)])
    }

    @Test func pinsAreFirst() throws {
        let store = try open()
        try store.setLearnedDepartures([usual(28_800), usual(30_000)], of: 1)
        try store.pinDeparture(usual(32_000), of: 1)
        try store.pinDeparture(usual(31_000, date: today), of: 1)
        let expected = [
            usual(31_000, isPinned: true, date: today), usual(32_000, isPinned: true), usual(28_800), usual(30_000),
        ]
        #expect(store.userRecord(of: 1).usualDepartures == expected)
        try store.pinDeparture(usual(32_000), of: 1)
        #expect(store.userRecord(of: 1).usualDepartures == expected, "pinned once")
        #expect(store.usersWithLearnedDepartures == [1])
    }

    @Test func forgottenDepartureIsRemembered() throws {
        let store = try open()
        try store.setLearnedDepartures([usual(28_800)], of: 1)
        try store.forgetDeparture(usual(28_800), of: 1, now: now)
        #expect(store.userRecord(of: 1).usualDepartures.isEmpty)
        #expect(
            try store.forgottenDepartures(of: 1) == [
                ForgottenDeparture(
                    feed: "city", route: "24", direction: nil, stop: "harbor", time: ServiceTime(seconds: 28_800),
                    at: now)
            ])
        #expect(throws: StoreError.notFound("usual departure")) {
            try store.forgetDeparture(usual(28_800), of: 1, now: now)
        }
    }

    @Test func pinsAreLimited() throws {
        let store = try open()
        for number in 0..<StateStore.maximumPinned { try store.pinDeparture(usual(Int32(number)), of: 1) }
        #expect(throws: StoreError.self) { try store.pinDeparture(usual(9999), of: 1) }
        #expect(store.userRecord(of: 1).usualDepartures.count == StateStore.maximumPinned)
    }

    @Test func forgettingRemovesEverythingButPins() throws {
        let store = try open()
        _ = try store.addTrips((0..<9).map { trip($0) }, of: 1, keeping: 3)
        _ = try store.addTrips([trip(0)], of: 2)
        store.recordAsk(ask(0), of: 1)
        try store.saveAsks(now: now)
        store.recordAsk(ask(9000), of: 1)
        try store.setLearnedDepartures([usual(28_800), usual(30_000)], of: 1)
        try store.forgetDeparture(usual(28_800), of: 1, now: now)
        try store.pinDeparture(usual(32_000), of: 1)
        try store.forgetTravel(of: 1)
        try store.saveAsks(now: now)
        #expect(try store.tripLog(of: 1) == TripLog())
        #expect(try store.asks(of: 1).isEmpty)
        #expect(try store.forgottenDepartures(of: 1).isEmpty)
        #expect(store.userRecord(of: 1).usualDepartures == [usual(32_000, isPinned: true)])
        #expect(try store.tripLog(of: 2).trips == [trip(0)])
    }
}
