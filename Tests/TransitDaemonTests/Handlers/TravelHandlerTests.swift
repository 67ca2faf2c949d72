import Testing
import TransitControl
import TransitModel
import TransitQueries
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `taken.*`, `usual.*` and `insights`. Bus 24 leaves the harbor at 08:00 and 08:20.
@Suite(.ownThreads) struct TravelHandlerTests {
    /// - Parameter at: A time in Berlin, such as `2026-03-27T08:03`.
    private static func daemon(
        _ at: String = "2026-03-27T08:03", offset: String = "+01:00", _ change: (inout Configuration) -> Void = { _ in }
    ) async throws -> TestDaemon {
        let instant = try #require(Instant(rfc3339: "\(at):00\(offset)"))
        let daemon = try await TestDaemon.imported(["city": .small], at: instant.rfc3339(), change)
        _ = try daemon.ask(CommuteAddParameters(name: "work", from: "city:harbor", to: "Central Station"))
        return daemon
    }

    private static let b1 = "city:b1@2026-03-27/1"

    // MARK: Logging

    @Test func justCaughtDepartureIsGuessed() async throws {
        let daemon = try await Self.daemon()
        let taken = try daemon.ask(TakenAddParameters())
        #expect(taken.guessed)
        #expect(taken.changed)
        let trip = try #require(taken.trip)
        #expect(trip.scheduled == Timestamp(rfc3339: "2026-03-27T08:00:00+01:00"))
        #expect(
            [trip.route.rawValue, trip.stop.rawValue, trip.destination?.rawValue] == ["bus24", "harbor", "central:1"])
        #expect(trip.commute == "work")
        #expect(trip.straightLine)
        #expect((2000...2600).contains(trip.distance ?? 0))
        #expect(taken.badges.map(\.badge) == ["first_ride"])
        let again = try daemon.ask(TakenAddParameters())
        #expect(!again.changed)
        #expect(again.trip == trip)
        #expect(again.badges.isEmpty)
        #expect(try await daemon.askLengthy(TakenListParameters(), uid: 1000).trips == [trip])
        #expect(try await daemon.askLengthy(TakenListParameters(), uid: 1001).trips.isEmpty)
        let undone = try daemon.ask(TakenUndoParameters())
        #expect(undone.trip == trip)
        #expect(undone.changed)
        #expect(try daemon.ask(TakenUndoParameters()).trip == nil)
    }

    @Test func distanceFollowsShape() async throws {
        let shape =
            "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
            + "s,53.5400,9.9800,1\ns,53.5300,10.0000,2\ns,53.5450,9.9900,3\ns,53.5531,10.0061,4\n"
        let feed = FeedBuilder.small.file("shapes.txt", shape).file(
            "trips.txt",
            "route_id,service_id,trip_id,trip_headsign,direction_id,shape_id\nbus24,weekday,b1,Central Station,0,s\n"
                + "bus24,weekday,b2,Central Station,0,s\nbus24,weekday,b3,Central Station,0,s\n"
                + "bus24,weekend,b4,Central Station,0,s\ntram1,weekday,t1,City Park,0,\ntram1,weekend,t2,City Park,0,\n"
        )
        let daemon = try await TestDaemon.imported(["city": feed], at: "2026-03-27T07:03:00Z")
        let trip = try #require(
            try daemon.ask(TakenAddParameters(departure: Self.b1, destination: "Market Square")).trip)
        #expect(!trip.straightLine)
        #expect((3300...3700).contains(trip.distance ?? 0))
        #expect(trip.commute == nil)
    }

    /// A commute between places lists only departures that can still be reached on foot.
    @Test func walkToStopDoesNotHideDeparture() async throws {
        let daemon = try await Self.daemon {
            $0.places["home"] = PlaceConfiguration(
                location: .stop(QualifiedStop(feed: "city", stop: "harbor")), walk: 900)
            $0.commutes = [CommuteConfiguration(name: "walk", from: "home", to: "city:central:1")]
        }
        _ = try daemon.ask(CommuteRemoveParameters(commute: "work"))
        let trip = try #require(try daemon.ask(TakenAddParameters()).trip)
        #expect(trip.commute == "walk")
        #expect(trip.destination == "central:1")
        let later = try #require(try daemon.ask(TakenAddParameters(departure: Self.b1)).trip)
        #expect(later.commute == "walk")
    }

    @Test func nothingCaughtIsExplained() async throws {
        let daemon = try await Self.daemon("2026-03-27T12:00")
        let error = try #require(daemon.error(of: TakenAddParameters()))
        #expect(error.kind == .takenNotFound)
        #expect(error.hint?.contains("transitctl next --json") == true)
    }

    @Test func ambiguousDepartureListsCandidates() async throws {
        let daemon = try await Self.daemon()
        // The tram of 08:30 is as likely as another bus at the same time.
        let feed = FeedBuilder.small
            .adding("bus24,weekday,x1,Central Station,0\n", to: "trips.txt")
            .adding("x1,08:01:00,08:01:00,harbor,1\nx1,08:21:00,08:21:00,central:1,2\n", to: "stop_times.txt")
        try daemon.publish(feed, as: "city")
        try await daemon.update("city")
        let error = try #require(daemon.error(of: TakenAddParameters()))
        #expect(error.kind == .takenAmbiguous)
        #expect(error.message.contains("24 at 08:00 from Harbor; 24 at 08:01 from Harbor"))
        #expect(error.hint == "Give one of: city:b1@2026-03-27/1, city:x1@2026-03-27/1.")
        #expect(try daemon.ask(TakenAddParameters(departure: Self.b1)).changed)
    }

    @Test func pinnedDepartureIsMoreLikelyThanOthers() async throws {
        let daemon = try await Self.daemon("2026-03-27T08:33")
        // The tram serves no commute.
        _ = try daemon.ask(UsualPinParameters(departure: "city:t1@2026-03-27/1"))
        let trip = try #require(try daemon.ask(TakenAddParameters()).trip)
        #expect(trip.route == "tram1")
        #expect(trip.destination == nil)
        #expect(trip.distance == nil)
    }

    @Test func viewedBoardIsEvidence() async throws {
        let daemon = try await Self.daemon("2026-03-27T08:25")
        _ = try daemon.ask(DeparturesParameters(stop: "city:central", interactive: true))
        daemon.clock.advance(by: 480)
        let trip = try #require(try daemon.ask(TakenAddParameters(destination: "City Park")).trip)
        #expect(trip.routeName == "T1")
        #expect(trip.destinationName == "City Park")
    }

    @Test func departureOfLaterIsRejected() async throws {
        let daemon = try await Self.daemon()
        let error = try #require(daemon.error(of: TakenAddParameters(departure: "city:b3@2026-03-27/1")))
        #expect(error.message == "This departure does not leave until 23:50.")
    }

    @Test func destinationHasToFollow() async throws {
        let daemon = try await Self.daemon()
        let call = TakenAddParameters(departure: "city:b1@2026-03-27/2", destination: "Harbor")
        #expect(daemon.error(of: call)?.kind == .stopNotFound)
    }

    /// At 00:20, the trip of 23:50 belongs to the date before, also when the clock changes in that night.
    @Test(arguments: [
        ("2026-03-27T23:59", "+01:00", "2026-03-27"), ("2026-10-23T23:59", "+02:00", "2026-10-23"),
    ])
    func tripBelongsToItsServiceDate(at: String, offset: String, date: String) async throws {
        let daemon = try await Self.daemon(at, offset: offset)
        daemon.clock.advance(by: 660)
        let trip = try #require(try daemon.ask(TakenAddParameters()).trip)
        #expect(trip.serviceDate.description == date)
        let insights = try await daemon.askLengthy(InsightsParameters(), uid: 1000)
        #expect(insights.calendar == [DayCount(date: trip.serviceDate, trips: 1)])
        #expect(insights.badges.filter { $0.earned != nil }.map(\.badge) == ["first_ride", "night_owl"])
    }

    // MARK: Import

    @Test func importIsIdempotentAndReportsBadTrips() async throws {
        let daemon = try await Self.daemon()
        _ = try daemon.ask(TakenAddParameters())
        let own = try await daemon.askLengthy(TakenListParameters(), uid: 1000).trips[0]
        var old = own
        old.scheduled = Timestamp(own.scheduled.instant.advanced(by: -86_400), offset: 3600)
        old.departed = old.scheduled
        old.serviceDate = own.serviceDate.advanced(by: -1)
        var (future, nameless, far) = (old, old, old)
        future.scheduled = Timestamp(own.scheduled.instant.advanced(by: 2 * 86_400), offset: 3600)
        nameless.routeName = ""
        far.distance = -1
        let first = try daemon.ask(TakenImportParameters(trips: [own, old, future, nameless, far]))
        #expect([first.added, first.known] == [1, 1])
        #expect(first.rejected.map(\.index) == [2, 3, 4])
        #expect(first.rejected.map(\.member) == ["scheduled", "route_name", "distance"])
        #expect(first.restored == nil)
        let second = try daemon.ask(TakenImportParameters(trips: [own, old]))
        #expect([second.added, second.known] == [0, 2])
        #expect(try await daemon.askLengthy(TakenListParameters(), uid: 1000).total == 2)
    }

    /// The distance of a trip without one follows from the timetable: along the shape, otherwise in a straight line.
    @Test func importComputesDistances() async throws {
        let shape =
            "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
            + "s,53.5400,9.9800,1\ns,53.5300,10.0000,2\ns,53.5450,9.9900,3\ns,53.5531,10.0061,4\n"
        let trips =
            "route_id,service_id,trip_id,trip_headsign,direction_id,shape_id\nbus24,weekday,b1,Central Station,0,s\n"
            + "bus24,weekday,b2,Central Station,0,s\nbus24,weekday,b3,Central Station,0,s\n"
            + "bus24,weekend,b4,Central Station,0,s\ntram1,weekday,t1,City Park,0,\ntram1,weekend,t2,City Park,0,\n"
        let feed = FeedBuilder.small.file("shapes.txt", shape).file("trips.txt", trips)
        let daemon = try await TestDaemon.imported(["city": feed], at: "2026-03-27T08:03:00+01:00")
        func trip(
            _ clock: String, route: RouteID = "bus24", stop: StopID = "harbor", to destination: StopID? = "central:1",
            feed: FeedID = "city"
        ) throws -> LoggedTrip {
            let time = try #require(Timestamp(rfc3339: "2026-03-26T\(clock):00+01:00"))
            return LoggedTrip(
                serviceDate: try #require(ServiceDate(iso8601: "2026-03-26")), scheduled: time, departed: time,
                feed: feed,
                route: route, routeName: "24", directionId: 0, stop: stop, stopName: "Harbor", destination: destination,
                logged: time)
        }
        var known = try trip("08:20")
        known.distance = 9999
        let all = [
            try trip("08:00"), try trip("10:01"), try trip("11:00", to: "central"), try trip("12:00", route: "gone"),
            try trip("13:00", to: nil), try trip("14:00", to: "gone"), try trip("15:00", feed: "other"), known,
        ]
        let result = try daemon.ask(TakenImportParameters(trips: all))
        #expect([result.added, result.alongTrip, result.straightLine, result.unmeasured] == [8, 3, 1, 3])
        let logged = try await daemon.askLengthy(TakenListParameters(), uid: 1000).trips.reversed()
        let distances = logged.map {
            "\($0.scheduled.clock) \($0.distance.map { "\($0 / 1000) km" } ?? "-") \($0.straightLine)"
        }
        #expect(
            distances == [
                "08:00 4 km false", "08:20 9 km false", "10:01 4 km false", "11:00 4 km false", "12:00 2 km true",
                "13:00 - false", "14:00 - false", "15:00 - false",
            ])
        let again = try daemon.ask(TakenImportParameters(trips: all))
        #expect([again.added, again.known, again.alongTrip, again.unmeasured] == [0, 8, 0, 0])
    }

    @Test func sumsOfOlderTripsMoveToAnotherLog() async throws {
        let daemon = try await Self.daemon()
        let state = daemon.daemon.state
        let scheduled = try #require(Instant(rfc3339: "2026-03-01T07:00:00Z"))
        let trips = (0..<30).map { number in
            let at = scheduled.advanced(by: number * 3600)
            return SavedTrip(
                departure: DepartureKey(
                    feed: "city", route: "bus24", direction: .zero, stop: "harbor", scheduled: at,
                    serviceDate: ServiceZone.utc.civil(at: at).date),
                departed: at, offset: 0, routeName: "24", stopName: "Harbor", meters: 1000, logged: at)
        }
        _ = try state.addTrips(trips, of: 1000, keeping: 10)
        var call = TakenListParameters(count: 7, folded: true)
        var pages = 0
        repeat {
            let page = try await daemon.askLengthy(call, uid: 1000)
            let folded = try #require(page.folded)
            #expect(page.foldedTotal == 20)
            #expect(try daemon.ask(TakenImportParameters(folded: folded), uid: 1001).restored == true)
            call.cursor = page.nextCursor
            pages += 1
        } while call.cursor != nil
        #expect(pages == 3)
        let kept = try await daemon.askLengthy(TakenListParameters(count: 100), uid: 1000).trips
        #expect(kept.count == 10)
        #expect(try daemon.ask(TakenImportParameters(trips: kept), uid: 1001).added == 10)
        #expect(try state.tripLog(of: 1001).totals == state.tripLog(of: 1000).totals)
    }

    // MARK: Usual departures

    private func ask(_ daemon: TestDaemon, at times: [String], interactive: Bool = true) throws {
        for time in times {
            let instant = try #require(Instant(rfc3339: time))
            daemon.clock.advance(by: daemon.clock.now().seconds(to: instant))
            _ = try daemon.ask(NextParameters(commute: "work", interactive: interactive))
        }
        try daemon.daemon.travel.save()
    }

    @Test func usualDepartureIsLearnedFromRequestsByHand() async throws {
        let daemon = try await Self.daemon("2026-03-23T07:00")
        let times = ["2026-03-23T07:45:00+01:00", "2026-03-24T07:50:00+01:00", "2026-03-25T07:45:00+01:00"]
        try ask(daemon, at: times, interactive: false)
        #expect(try daemon.ask(UsualListParameters()).departures.isEmpty, "a bar teaches nothing")
        let later = ["2026-04-21T07:45:00+02:00", "2026-04-22T07:50:00+02:00", "2026-04-23T07:45:00+02:00"]
        try ask(daemon, at: later)
        let usual = try daemon.ask(UsualListParameters()).departures
        #expect(usual.map(\.time) == ["08:00"])
        let one = try #require(usual.first)
        #expect([one.routeName, one.stop.name, one.commute] == ["24", "Harbor", "work"])
        #expect(!one.pinned)
        let reasons = try await daemon.askLengthy(UsualExplainParameters(departure: "08:00"), uid: 1000)
        #expect(reasons.facts.map(\.fact) == ["evidence", "weight", "days"])
        let checks = try await daemon.askLengthy(InsightsParameters(), uid: 1000).checksThisWeek
        #expect(checks == 3)

        _ = try daemon.ask(UsualForgetParameters(departure: "1"))
        try daemon.daemon.travel.learnAll()
        #expect(try daemon.ask(UsualListParameters()).departures.isEmpty)
    }

    /// A departure at 26:40 is one at 02:40, which both texts name.
    @Test(arguments: ["26:40", "02:40", "2:40", "1"]) func departureAfterMidnightHasTwoTimes(text: String) async throws
    {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + "b1,08:00:00,08:00:00,harbor,1\nb1,08:20:00,08:20:00,central:1,3\n"
            + "b3,26:40:00,26:40:00,harbor,1\nb3,27:10:00,27:10:00,central:1,3\n"
        let daemon = try await TestDaemon.imported(
            ["city": FeedBuilder.small.file("stop_times.txt", times)], at: "2026-03-28T01:00:00+01:00")
        let pinned = try daemon.ask(UsualPinParameters(departure: "city:b3@2026-03-27/1", days: ["fri"])).departure
        #expect([pinned.time, pinned.days.joined()] == ["26:40", "fri"])
        #expect(daemon.error(of: UsualUnpinParameters(departure: "14:40"))?.kind == .usualNotFound)
        #expect(try daemon.ask(UsualUnpinParameters(departure: text)).departure.time == "26:40")
    }

    @Test func requestsInSuccessionCountOnce() async throws {
        let daemon = try await Self.daemon("2026-03-23T07:00")
        try ask(
            daemon,
            at: ["2026-03-23T07:45:00+01:00", "2026-03-23T07:46:00+01:00", "2026-03-23T07:47:00+01:00"])
        #expect(try daemon.daemon.state.asks(of: 1000).count == 1)
    }

    @Test func usualDepartureDecays() async throws {
        let daemon = try await Self.daemon("2026-03-23T07:00")
        try ask(
            daemon,
            at: ["2026-03-23T07:45:00+01:00", "2026-03-24T07:50:00+01:00", "2026-03-25T07:45:00+01:00"])
        #expect(try daemon.ask(UsualListParameters()).departures.count == 1)
        daemon.clock.advance(by: 60 * 86_400)
        try daemon.daemon.travel.learnAll()
        #expect(try daemon.ask(UsualListParameters()).departures.isEmpty)
    }

    @Test func departureIsPinnedAndUnpinned() async throws {
        let daemon = try await Self.daemon()
        let pinned = try daemon.ask(UsualPinParameters(departure: Self.b1, days: ["mon", "wed-fri"])).departure
        #expect(pinned.days == ["mon", "wed", "thu", "fri"])
        #expect(pinned.pinned)
        #expect(pinned.commute == "work")
        let once = try daemon.ask(UsualPinParameters(departure: "city:b2@2026-03-27/1", once: true)).departure
        #expect(once.date?.description == "2026-03-27")
        #expect(try daemon.ask(UsualListParameters()).departures.map(\.time) == ["08:00", "08:20"])
        #expect(try daemon.ask(UsualListParameters(), uid: 7).departures.isEmpty)
        #expect(daemon.error(of: UsualForgetParameters(departure: "1"))?.kind == .usualNotFound)
        #expect(daemon.error(of: UsualUnpinParameters(departure: "3"))?.kind == .usualNotFound)
        #expect(daemon.error(of: UsualPinParameters(departure: Self.b1, days: ["someday"]))?.kind == .invalidParameters)
        #expect(
            daemon.error(of: UsualPinParameters(departure: "city:nothing@2026-03-27/1"))?.kind == .departureNotFound)
        _ = try daemon.ask(UsualUnpinParameters(departure: "08:20"))
        #expect(try daemon.ask(UsualListParameters()).departures.map(\.number) == [1])
    }

    // MARK: Insights

    @Test func insightsJudgePunctualityAndAlarms() async throws {
        let daemon = try await Self.daemon("2026-03-27T09:00")
        _ = try daemon.ask(UsualPinParameters(departure: Self.b1))
        let scheduled = try #require(Instant(rfc3339: "2026-03-27T08:00:00+01:00"))
        let key = DepartureKey(
            feed: "city", route: "bus24", direction: .zero, stop: "harbor", scheduled: scheduled,
            serviceDate: try #require(ServiceDate(iso8601: "2026-03-27")))
        try daemon.daemon.state.saveObservations([
            DepartureObservation(
                departure: key, at: scheduled.advanced(by: 60), expected: scheduled.advanced(by: 300), source: .live,
                isFresh: true)
        ])
        var departure = try daemon.ask(DeparturesParameters(stop: "city:harbor", at: "2026-03-27T07:59:00+01:00"))
            .departures[0]
        departure.expected = Timestamp(scheduled.advanced(by: 240), offset: 3600)
        let event = NotificationEvent(
            id: "1", key: "k", revision: 1, op: .show, rule: "delay", urgency: .normal, sound: false,
            at: Timestamp(scheduled.advanced(by: -900), offset: 3600),
            validUntil: Timestamp(scheduled, offset: 3600), expiresIn: 900, language: "en", title: "Late", body: "",
            subject: NotificationSubject(kind: .pinned, name: "08:00"), departure: departure, reason: "It is late.")
        func saved(_ id: String, _ rule: String, stage: SavedNotificationEvent.Stage = .done) -> SavedNotificationEvent
        {
            SavedNotificationEvent(
                id: id, key: "k", rule: rule, stage: stage, decided: scheduled.advanced(by: -900),
                validUntil: scheduled, event: String(decoding: event.encoded, as: UTF8.self))
        }
        let broken = SavedNotificationEvent(
            id: "4", key: "k", rule: "delay", stage: .done, decided: scheduled, validUntil: scheduled, event: "{")
        try daemon.daemon.state.saveNotifications(
            SavedNotifications(
                state: "{}",
                events: [saved("1", "delay"), saved("2", "leave"), saved("3", "delay", stage: .suppressed), broken]),
            of: 1000)
        let insights = try await daemon.askLengthy(InsightsParameters(), uid: 1000)
        let usual = try #require(insights.usual.first)
        #expect(usual.days == [PunctualityDay(date: key.serviceDate, delay: 300)])
        #expect([usual.onTime, usual.late, usual.early, usual.canceled] == [0, 1, 0, 0])
        #expect(usual.medianDelay == 300)
        #expect(
            insights.alarms == [
                NotificationCounts(rule: "leave", right: 1, needless: 0, tooLate: 0, unknown: 0),
                NotificationCounts(rule: "delay", right: 1, needless: 0, tooLate: 0, unknown: 0),
            ])
    }

    @Test func factorAndUnitsComeFromConfiguration() async throws {
        let daemon = try await Self.daemon {
            $0.insights.co2PoundsPerMile = 2
            $0.insights.units = .metric
        }
        let trip = try #require(try daemon.ask(TakenAddParameters()).trip)
        let insights = try await daemon.askLengthy(InsightsParameters(), uid: 1000)
        #expect(insights.units == .metric)
        #expect(insights.distance == trip.distance)
        let miles = Double(insights.distance) / 1609.344
        #expect(abs(insights.co2Saved - miles * 2 * 0.453_592_37) < 0.0001)
        #expect(insights.routes.map(\.trips) == [1])
        #expect(insights.weeks.last == 1)
    }

    @Test func forgettingRemovesWhatWasLoggedAndLearned() async throws {
        let daemon = try await Self.daemon()
        _ = try daemon.ask(TakenAddParameters())
        _ = try daemon.ask(NextParameters(commute: "work", interactive: true))
        _ = try daemon.ask(UsualPinParameters(departure: Self.b1))
        #expect(try daemon.ask(InsightsForgetParameters()).trips == 1)
        let insights = try await daemon.askLengthy(InsightsParameters(), uid: 1000)
        #expect(insights.trips == 0)
        #expect(insights.checksThisWeek == 0)
        #expect(try daemon.ask(UsualListParameters()).departures.count == 1, "pinned")
    }
}
