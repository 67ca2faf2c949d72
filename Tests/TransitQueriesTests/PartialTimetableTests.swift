import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// Queries to a timetable of which only the bus stop "Harbor" is kept. Bus 24 also calls at Market Square and at Central
/// Station, which are outside. The tram is not kept.
@Suite struct PartialTimetableTests {
    private let fixture: QueryFixture
    private let timetable: Timetable

    init() throws {
        let harbor = try #require(Coordinate(latitude: 53.54, longitude: 9.98))
        fixture = try QueryFixture(keeping: FeedSubset(places: [.coordinate(harbor)], radius: 300))
        timetable = try #require(fixture.context.feeds.first?.timetable)
    }

    @Test func keptStopHasItsWholeBoard() throws {
        let whole = try QueryFixture()
        let expected = try whole.lines(whole.board("Harbor").result(count: 50, whole.context))
        #expect(expected.count > 3)
        #expect(try fixture.lines(fixture.board("Harbor").result(count: 50, fixture.context)) == expected)
    }

    @Test func tripIsKeptWhole() throws {
        let trip = try #require(try timetable.file.trip(id: "b1"))
        let place = try #require(try timetable.file.locate(trip))
        let stops = try place.pattern.calls.map { try timetable.file.stop($0.stop) }
        #expect(stops.map(\.id) == ["harbor", "market", "central:1"])
        #expect(stops.map(\.isKept) == [true, false, false])
        #expect(try timetable.file.trip(id: "t1") == nil)
    }

    @Test(arguments: ["Market Square", "city:market", "101", "market", "Central Station"])
    func stopOutsideHasNoBoard(_ text: String) throws {
        let error = #expect(throws: QueryError.self) { try fixture.board(text) }
        guard case .stopOutside(let found) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(["market", "central", "central:1"].contains(found.stop.id))
    }

    @Test func unknownStopMayBeInTheRest() throws {
        let error = #expect(throws: QueryError.self) { try fixture.board("City Park") }
        guard case .stopNotFound("City Park", _, let partial) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(partial == ["city"])
    }

    @Test func searchesFindOnlyStopsWithBoards() throws {
        let search = try StopSearchQuery([timetable], filter: StopFilter(), fixture.context)
        #expect(try search.matches("Market", count: 10).isEmpty)
        #expect(try search.matches("Harbor", count: 10).count == 1)
        let market = try #require(Coordinate(latitude: 53.545, longitude: 9.99))
        let near = try NearbyStops([timetable], fixture.context).found(around: market, within: 3000)
        #expect(try near.map { try timetable.file.stop($0.stop).id } == ["harbor"])
    }

    // MARK: Realtime data

    private func dataset(_ entities: [RealtimeEntity]) throws -> RealtimeDataset {
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: fixture.now), received: fixture.now,
            matcher: TripMatcher(timetable), previous: nil)
        for entity in entities { try builder.apply(entity) }
        return try builder.finish()
    }

    private func update(_ trip: TripDescriptor, at stop: StopID) -> TripUpdate {
        TripUpdate(
            id: "1", trip: trip,
            updates: [
                StopTimeUpdate(stopID: stop, departure: StopTimeEvent(time: fixture.now.advanced(by: 600)))
            ])
    }

    @Test(arguments: [
        TripScheduleRelationship.scheduled, .added, .unscheduled, .canceled, .replacement, .duplicated, .new, .deleted,
    ])
    func updateOfDroppedTripIsOutside(_ relationship: TripScheduleRelationship) throws {
        let trip = TripDescriptor(
            tripID: "t1", startDate: ServiceDate(iso8601: "2026-03-27"), relationship: relationship)
        let dataset = try dataset([.tripUpdate(update(trip, at: "central:2"))])
        #expect(dataset.statistics.outsideTrips == 1)
        #expect(dataset.statistics.unmatchedTripCount == 0)
        #expect(dataset.statistics.matchedTrips == 0)
        #expect(dataset.extraTrips.isEmpty)
    }

    /// Validation reports what the source lacks, not what is outside of the kept part.
    @Test func validationIgnoresTripsOutside() throws {
        func rules(_ trip: TripID) throws -> Set<RealtimeRule> {
            var validator = RealtimeValidator(
                header: RealtimeHeader(version: "2.0", timestamp: fixture.now), now: fixture.now,
                matcher: TripMatcher(timetable))
            try validator.check(.tripUpdate(update(TripDescriptor(tripID: trip, routeID: "tram1"), at: "harbor")))
            return Set(validator.findings.findings.keys)
        }
        #expect(try !rules("t1").contains(.unknownTrip))
        #expect(try !rules("t1").contains(.unknownRoute))
        #expect(try rules("zz").contains(.unknownTrip))
    }

    @Test func vehicleOfDroppedTripIsOutside() throws {
        let dataset = try dataset([
            .vehicle(VehiclePosition(id: "v", trip: TripDescriptor(tripID: "t1")))
        ])
        #expect(dataset.statistics.outsideTrips == 1)
        #expect(dataset.statistics.unmatchedTripCount == 0)
        #expect(dataset.vehicles.isEmpty)
    }

    /// The position of an extra trip does not say where the trip calls.
    @Test func vehicleOfExtraTripIsOutsideIfItsRouteIs() throws {
        func dataset(_ route: RouteID?) throws -> RealtimeDataset {
            let trip = TripDescriptor(tripID: "extra", routeID: route, relationship: .added)
            return try self.dataset([.vehicle(VehiclePosition(id: "v", trip: trip))])
        }
        let dropped = try dataset("tram1")
        #expect((dropped.vehicles.count, dropped.statistics.outsideTrips) == (0, 1))
        #expect(dropped.statistics.unmatchedTripCount == 0)
        #expect(try (dataset("bus24").vehicles.count, dataset(nil).vehicles.count) == (1, 1))
    }

    @Test func otherUpdatesAreUsedAsInTheWholeFeed() throws {
        let known = try dataset([
            .tripUpdate(
                update(TripDescriptor(tripID: "b1", startDate: ServiceDate(iso8601: "2026-03-27")), at: "harbor"))
        ])
        #expect((known.statistics.matchedTrips, known.statistics.outsideTrips) == (1, 0))
        let unknown = try dataset([.tripUpdate(update(TripDescriptor(tripID: "zz"), at: "harbor"))])
        #expect((unknown.statistics.unmatchedTripCount, unknown.statistics.outsideTrips) == (1, 0))
        let added = try dataset([
            .tripUpdate(update(TripDescriptor(tripID: "extra", relationship: .added), at: "harbor"))
        ])
        #expect((added.extraTrips.count, added.statistics.outsideTrips) == (1, 0))
    }

    /// The alerts of a source that are only about what is not kept.
    @Test(arguments: [
        [InformedEntity(routeID: "tram1")], [InformedEntity(trip: TripDescriptor(tripID: "t1"))],
        [InformedEntity(stopID: "park")], [InformedEntity(trip: TripDescriptor(routeID: "tram1"))],
        [InformedEntity(routeID: "bus24", stopID: "park")], [InformedEntity(routeID: "tram1", stopID: "harbor")],
        [InformedEntity(stopID: "park"), InformedEntity(routeID: "tram1")],
    ])
    func alertAboutOtherPartsIsOutside(_ informed: [InformedEntity]) throws {
        let dataset = try dataset([.alert(Alert(id: "a", informed: informed))])
        #expect(dataset.alerts.alerts.isEmpty)
        #expect(dataset.statistics.unmatchedTripCount == 0)
    }

    /// An alert about a stop where a kept trip calls concerns the riders who travel to it.
    @Test(arguments: [
        [], [InformedEntity(routeID: "bus24")], [InformedEntity(stopID: "harbor")], [InformedEntity(stopID: "central")],
        [InformedEntity(trip: TripDescriptor(tripID: "b1"))], [InformedEntity(trip: TripDescriptor(tripID: "zz"))],
        [InformedEntity(agencyID: "other")], [InformedEntity(routeType: 0)],
        [InformedEntity(routeID: "tram1"), InformedEntity(routeID: "bus24")],
    ])
    func otherAlertIsListed(_ informed: [InformedEntity]) throws {
        let dataset = try dataset([.alert(Alert(id: "a", informed: informed))])
        #expect(dataset.alerts.alerts.map(\.informed) == [informed])
    }

    @Test(arguments: [StopID("park"), "market"])
    func addedTripWithoutKeptStopIsOutside(_ stop: StopID) throws {
        let dataset = try dataset([
            .tripUpdate(update(TripDescriptor(tripID: "extra", relationship: .added), at: stop))
        ])
        #expect((dataset.extraTrips.count, dataset.statistics.outsideTrips) == (0, 1))
        #expect(dataset.statistics.unmatchedTripCount == 0)
    }
}
