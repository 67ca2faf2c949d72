import Testing
import TransitEngine
import TransitModel
import TransitTestSupport

@testable import TransitQueries

/// Checks boards: their departures, their empty reasons, and that a query is resolved once.
@Suite struct BoardQueryTests {
    @Test func boardListsDeparturesInOrder() throws {
        let fixture = try QueryFixture()
        let result = try fixture.board("Harbor").result(count: 2, fixture.context)
        #expect(try fixture.lines(result) == ["b1 08:00", "b2 08:20"])
        #expect(result.emptyReason == nil)
        #expect(result.at == fixture.now)
    }

    /// A canceled departure is not the next one for a rider.
    @Test func emptyWindowNamesFirstDepartureThatRuns() throws {
        let fixture = try QueryFixture()
        try fixture.receive(
            [
                TripUpdate(
                    id: EntityID("1"),
                    trip: TripDescriptor(
                        tripID: "b1", startDate: ServiceDate(iso8601: "2026-03-27"), relationship: .canceled))
            ], of: "city")
        let query = try fixture.board("Harbor")
        let result = try query.result(count: 1, within: 1799, fixture.context)
        #expect(result.departures.isEmpty)
        let window = try #require(DepartureWindow(1799, from: nil, now: fixture.now, zone: query.zone))
        #expect(result.emptyReason == .outsideWindow(window, next: Instant(rfc3339: "2026-03-27T08:20:00+01:00")))
        // A canceled departure in the window is shown.
        #expect(try fixture.lines(query.result(count: 1, within: 1800, fixture.context)) == ["b1 08:00"])
    }

    /// A canceled departure cannot be caught, and a late one can be caught for longer.
    @Test func reachableBoardFollowsRealtimeData() throws {
        let fixture = try QueryFixture()
        fixture.now = fixture.now.advanced(by: 1500)
        func board() throws -> [String] {
            let query = try BoardQuery(
                stop: "Harbor", route: nil, feed: nil, at: nil, from: .walk(600), isReachable: true, fixture.context)
            return try fixture.lines(query.result(count: 2, fixture.context))
        }
        #expect(try board() == ["b2 08:20", "b3 23:50"])
        try fixture.receive([delay("b1", at: "harbor", by: 300)], of: "city")
        #expect(try board() == ["b1 08:05", "b2 08:20"])
        try fixture.receive([canceled("b1"), canceled("b2")], of: "city")
        #expect(try board() == ["b3 23:50", "b4 09:00"])
    }

    @Test func canceledDeparturesAreTheReasonOfAReachableBoard() throws {
        let fixture = try QueryFixture()
        try fixture.receive([canceled("b1"), canceled("b2")], of: "city")
        let query = try BoardQuery(
            stop: "Harbor", route: nil, feed: nil, at: nil, from: .walk(0), isReachable: true, fixture.context)
        let result = try query.result(count: 5, within: 3600, fixture.context)
        #expect(result.departures.isEmpty)
        guard case .uncatchable(let leftOut) = result.emptyReason else {
            Issue.record("\(String(describing: result.emptyReason))")
            return
        }
        #expect((leftOut.count, leftOut.canceled) == (2, 2))
        #expect(leftOut.next?.departure == Instant(rfc3339: "2026-03-27T23:50:00+01:00"))
    }

    private func canceled(_ trip: TripID) -> TripUpdate {
        TripUpdate(
            id: EntityID(trip.rawValue),
            trip: TripDescriptor(
                tripID: trip, startDate: ServiceDate(iso8601: "2026-03-27"), relationship: .canceled))
    }

    /// A query that waits for arrivals is evaluated again with the new data, but not resolved again.
    @Test func resolvedQueryUsesNewRealtimeData() throws {
        let fixture = try QueryFixture()
        let query = try fixture.board("Harbor")
        #expect(try fixture.lines(query.result(count: 1, fixture.context)) == ["b1 08:00"])
        fixture.now = fixture.now.advanced(by: 3)
        try fixture.receive([delay("b1", at: "harbor", by: 240)], of: "city")
        let result = try query.result(count: 1, fixture.context)
        #expect(try fixture.lines(result) == ["b1 08:04"])
        #expect(result.at == fixture.now)
        #expect(query.isCurrent(fixture.context))
    }

    @Test func queryOfReplacedTimetableIsNotCurrent() throws {
        let fixture = try QueryFixture()
        let query = try fixture.board("Harbor")
        let trips = try DirectTripsQuery(commute: "out", at: nil, withCommute(fixture))
        try fixture.replace("city", with: .withOppositePlatform())
        #expect(!query.isCurrent(fixture.context))
        #expect(!trips.isCurrent(fixture.context))
    }

    @Test func namedTimeDoesNotMove() throws {
        let fixture = try QueryFixture()
        let query = try fixture.board("Harbor", at: "08:10")
        fixture.now = fixture.now.advanced(by: 60)
        #expect(try fixture.lines(query.result(count: 1, fixture.context)) == ["b2 08:20"])
    }

    @Test func vehicleOfOtherFeedConfirmsDeparture() throws {
        let fixture = try QueryFixture([("city", .small, nil), ("town", .small, "city")])
        let query = try fixture.board("Harbor")
        #expect(query.board.timetables.map(\.feed) == ["city", "town"])
        try fixture.receive([delay("b1", at: "harbor", by: 60)], of: "town")
        let result = try query.result(count: 2, fixture.context)
        #expect(try fixture.lines(result) == ["b1 08:01", "b2 08:20"])
        let first = try #require(result.departures.first)
        #expect(first.timetable.feed == "city")
        #expect(first.confirmation?.timetable.feed == "town")
        #expect(first.confirmation?.isUsed == true)
    }

    @Test func directionLeadsToWork() throws {
        let fixture = try QueryFixture()
        let context = withCommute(fixture)
        let result = try fixture.board("Harbor").result(count: 1, context)
        #expect(result.directions == [.work])
    }

    @Test(arguments: [
        ("Harbor", "T1", EmptyBoardReason.noTrips), ("park", "T1", .tripsEnd),
    ])
    func emptyBoardHasReason(stop: String, route: String, reason: EmptyBoardReason) throws {
        let fixture = try QueryFixture()
        #expect(try fixture.board(stop, route: route).result(count: 1, fixture.context).emptyReason == reason)
    }

    @Test func timeOutsideOfTimetableIsNotCovered() throws {
        let fixture = try QueryFixture()
        let reason = try fixture.board("Harbor", at: "2028-03-26 08:00").result(count: 1, fixture.context).emptyReason
        guard case .notCovered(let date, "city", let covered) = reason else {
            Issue.record("The reason is \(String(describing: reason)).")
            return
        }
        #expect(date == ServiceDate(iso8601: "2028-03-26"))
        #expect(covered.upperBound == ServiceDate(iso8601: "2026-12-31"))
    }

    @Test func directTripsAreEvaluatedAgain() throws {
        let fixture = try QueryFixture()
        let query = try DirectTripsQuery(commute: "out", at: nil, withCommute(fixture))
        #expect(query.entry.definition == .configuration)
        let first = try query.result(count: 1, fixture.context)
        #expect(try first.directTrips.map { try fixture.line($0.merged) } == ["b1 08:00"])
        try fixture.receive([delay("b1", at: "harbor", by: 120)], of: "city")
        let second = try query.result(count: 1, fixture.context)
        #expect(try second.directTrips.map { try fixture.line($0.merged) } == ["b1 08:02"])
        #expect(second.emptyReason == nil)
    }

    @Test func requiredArrivalsNameStopsAndRoutes() throws {
        let fixture = try QueryFixture()
        let required = try fixture.board("Market Square").requiredArrivals(fixture.context)
        #expect(required.map(\.timetable.feed) == ["city"])
        #expect(required.flatMap(\.stops).count == 1)
        #expect(required.first?.calls.isEmpty == false)
    }

    @Test func noticesTellWhatIsMissing() throws {
        let fixture = try QueryFixture()
        #expect(fixture.context.feeds[0].notices(at: fixture.now).isEmpty)
        let later = try #require(Instant(rfc3339: "2026-12-29T12:00:00+01:00"))
        guard case .expiring(_, days: 2)? = fixture.context.feeds[0].notices(at: later).first?.fact else {
            Issue.record("The timetable does not end soon.")
            return
        }
        guard case .noTimetable? = FeedView(id: "x", timetable: nil).notices(at: later).first?.fact else {
            Issue.record("The feed has a timetable.")
            return
        }
    }

    private func withCommute(_ fixture: QueryFixture) -> QueryContext {
        let stops = [CommuteList.home: "harbor", CommuteList.work: "central"]
        for (name, stop) in stops {
            fixture.settings.places[name] = PlaceConfiguration(
                location: .stop(QualifiedStop(feed: "city", stop: StopID(stop))))
        }
        fixture.settings.commutes = [CommuteConfiguration(name: "out", from: "home", to: "work")]
        return fixture.context
    }

    private func delay(_ trip: TripID, at stop: StopID, by seconds: Int32) -> TripUpdate {
        TripUpdate(
            id: "1", trip: TripDescriptor(tripID: trip),
            updates: [StopTimeUpdate(stopID: stop, departure: StopTimeEvent(delay: seconds))])
    }
}

struct FeedNoticeTests {
    /// The notice about the missing timetable says that the key is the reason.
    @Test func rejectedKeyOfFeedWithoutTimetableHasOneNotice() throws {
        let now = try #require(Instant(rfc3339: "2026-03-27T07:30:00+01:00"))
        var source = SourceState()
        (source.hasKey, source.keyRejectedSince) = (true, now)
        let notices = FeedView(id: "city", timetable: nil, source: source).notices(at: now)
        guard notices.count == 1, case .noTimetable = notices[0].fact else {
            Issue.record("\(notices.map(\.fact))")
            return
        }
    }
}
