import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// The APIs of `Tests/Upstream/hongkong_city.py`, queried over loopback connections.
@Suite(.enabled(if: UpstreamServer.isAvailable))
struct HongKongUpstreamTests {
    /// The city has as many routes and stops as Hong Kong.
    @Test func collectsTheWholeCity() throws {
        let upstream = try UpstreamServer()
        let provider = HongKongProvider(ProviderOptions(base: upstream.url("/hongkong/685x400", .plain)))
        var collection = try #require(provider.collection())
        var requests = 0
        while let step = collection.next(), requests < 6_000 {
            let response = try upstream.get(step.request.url)
            try #require(response.status == 200, "\(step.request.url)")
            try collection.add(response.body, for: step)
            requests += 1
        }
        #expect(requests == 3 + 1 + 800 + 2_700)
        #expect(requests * provider.traits.rateLimits.collectionSpacing <= 90_000, "milliseconds of virtual time")
        #expect(try upstream.log().count == requests)
        let reading = try collection.finish()
        #expect(reading.draft.stops.count > 9_400)
        #expect(reading.draft.routes.count == 685 + 400)
        #expect(reading.draft.trips.count == 2_357, "variants with their service types")
        let found = Dictionary(reading.report.findings.map { ($0.rule, $0.count) }, uniquingKeysWith: +)
        #expect(found["unused_route"] == 1, "9C has no stops")
        #expect(
            (found["foreign_key_violation"] ?? 0) > 0, "90X is not in the list, and a Citybus stop no longer exists")
    }

    /// Fetches all buses at the first stop of the circular route from the APIs of both operators.
    @Test func arrivalsAreFetched() throws {
        let upstream = try UpstreamServer()
        try upstream.setClock(1_774_656_000, rate: 0)
        let provider = HongKongProvider(ProviderOptions(base: upstream.url("/hongkong/6x5", .plain)))
        let source = try #require(provider.arrivals)
        let kmb = RouteVariant(
            route: "KMB/1", trip: "KMB/1/O/1",
            calls: [.init(sequence: 1), .init(sequence: 24, isLast: true)])
        let citybus = RouteVariant(route: "CTB/1000", trip: "CTB/1000/O/1", calls: [.init(sequence: 2)])
        let received = Instant(secondsSince1970: 1_774_656_000)
        for (stop, variant) in [("0000000000000001", kmb), ("000003", citybus)] {
            let queries = source.queries(at: StopID(stop), for: [variant], now: received)
            #expect(queries.count == 1)
            let message = try source.message(
                upstream.get(source.request(for: queries[0]).url).body, of: queries[0], received: received)
            let own = message.entities.compactMap { entity -> TripUpdate? in
                guard case .tripUpdate(let update) = entity, update.trip.routeID == variant.route else { return nil }
                return update
            }
            #expect(own.count == 3)
            #expect(own.allSatisfy { $0.updates[0].sequence == variant.calls[0].sequence })
        }
    }

    @Test(arguments: [403, 422, 429]) func rejectionThrows(status: Int) throws {
        let upstream = try UpstreamServer()
        let provider = HongKongProvider(ProviderOptions(base: upstream.url("/hongkong/6x5", .plain)))
        let source = try #require(provider.arrivals)
        let variants = [RouteVariant(route: "CTB/1000", trip: "CTB/1000/O/1")]
        let query = source.queries(at: "000003", for: variants, now: Instant(secondsSince1970: 0))[0]
        let path = "/hongkong/6x5/v2/transport/citybus/eta/CTB/000003/1000"
        try upstream.answer(path, with: "/hongkong/refuse?code=\(status)")
        let response = try upstream.get(source.request(for: query).url)
        #expect(response.status == status)
        #expect(throws: FeedError.self) {
            try source.message(response.body, of: query, received: Instant(secondsSince1970: 0))
        }
        try upstream.answer(path, with: "/hongkong/empty")
        let empty = try source.message(
            upstream.get(source.request(for: query).url).body, of: query, received: Instant(secondsSince1970: 0))
        #expect(empty.entities.isEmpty)
    }
}
