import Synchronization
import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Routes and stops without trips: those that are kept, and the memory that the others take.
@Suite struct UnusedRowTests {
    private func routes(_ count: Int, _ prefix: String = "x") -> String {
        (0..<count).map { "\(prefix)\($0),city,\(prefix)\($0),,3,,,\n" }.joined()
    }

    private func stops(_ count: Int) -> String {
        (0..<count).map { "x\($0),,Stop \($0),53.5,9.9,0,,\n" }.joined()
    }

    @Test func routesWithoutTripsBeyondLimitAreCountedAndLeftOut() throws {
        let small = try GTFSFixture(.small)
        let used = small.draft.routes.count
        // The routes in use come last, so that their numbers change.
        let own = FeedBuilder.small["routes.txt"].split(separator: "\n", omittingEmptySubsequences: false)
        let table = "\(own[0])\n" + routes(30_000) + own.dropFirst().joined(separator: "\n")
        let feed = try GTFSFixture(.small.file("routes.txt", table))
        #expect(feed.draft.routes.count == used + used + 10_000)
        #expect(feed.count("too_many_unused_routes", "routes.txt") == 30_000 - used - 10_000)
        #expect(feed.draft.routes[0].id == "x0")
        #expect(feed.draft.routes.suffix(used) == small.draft.routes.suffix(used))
        #expect(namedTrips(feed) == namedTrips(small))
    }

    @Test func stopsWithoutTripsBeyondLimitAreCountedAndLeftOut() throws {
        let small = try GTFSFixture(.small)
        let own = FeedBuilder.small["stops.txt"].split(separator: "\n", omittingEmptySubsequences: false)
        let table = "\(own[0])\n" + stops(30_000) + own.dropFirst().joined(separator: "\n")
        let transfers =
            "from_stop_id,to_stop_id,transfer_type\nharbor,market,2\nx29999,harbor,2\nx0,harbor,2\nnone,harbor,2\n"
        let feed = try GTFSFixture(.small.file("stops.txt", table).file("transfers.txt", transfers))
        let kept = feed.draft.stops.count
        #expect((10_000..<10_050).contains(kept))
        #expect(feed.count("too_many_unused_stops", "stops.txt") == 30_000 + small.draft.stops.count - kept)
        #expect(feed.count("stop_without_stop_time", "stops.txt") >= 30_000)
        // Stations of used stops are kept, and references to stops that are left out are no errors.
        for stop in small.draft.stops where stop.kind == .station { #expect(feed.stop(stop.id.rawValue) != nil) }
        for stop in feed.draft.stops where !stop.id.rawValue.hasPrefix("x") {
            let before = try #require(small.stop(stop.id.rawValue))
            #expect(stop.name == before.name && stop.coordinate == before.coordinate)
            #expect(
                stop.parent.map { feed.draft.stops[$0.position].id }
                    == before.parent.map { small.draft.stops[$0.position].id })
        }
        #expect(feed.count("foreign_key_violation", "transfers.txt") == 1)
        #expect(feed.draft.transfers.count == 2)
        #expect(namedTrips(feed) == namedTrips(small))
    }

    @Test func fewUnusedRowsAreAllKept() throws {
        let feed = try GTFSFixture(
            .small.adding(routes(10_000), to: "routes.txt").adding(stops(10_000), to: "stops.txt"))
        let small = try GTFSFixture(.small)
        #expect(feed.draft.routes.count == small.draft.routes.count + 10_000)
        #expect(feed.draft.stops.count == small.draft.stops.count + 10_000)
        #expect(feed.count("too_many_unused_routes", "routes.txt") == 0)
        #expect(feed.count("too_many_unused_stops", "stops.txt") == 0)
    }

    /// The trips with the identifiers of their stops and routes, which do not depend on positions.
    private func namedTrips(_ feed: GTFSFixture) -> [String: [String]] {
        var trips: [String: [String]] = [:]
        for (id, trip) in feed.trips {
            trips[id] =
                [feed.draft.routes[Int(trip.route)].id.rawValue]
                + trip.calls.map { "\(feed.draft.stops[Int($0.stop)].id) \($0.departure)" }
        }
        return trips
    }
}
