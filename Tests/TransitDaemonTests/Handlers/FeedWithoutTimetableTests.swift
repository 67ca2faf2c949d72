import Testing
import TransitControl
import TransitEngine
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests with two feeds, one of which has no timetable, so that nothing is known about its stops.
@Suite(.ownThreads) struct FeedWithoutTimetableTests {
    private static func daemon() async throws -> TestDaemon {
        let daemon = try TestDaemon(feeds: ["city": .small]) { configuration in
            configuration.feeds.append(
                FeedConfiguration(id: "dns", source: .remote(url: "http://127.0.0.1:1/gtfs.zip")))
        }
        try await daemon.update("city")
        return daemon
    }

    private static let calls: [any ControlParameters] = [
        DeparturesParameters(stop: "dns:a"), StopsShowParameters(stop: "dns:a"), RoutesShowParameters(route: "dns:1"),
        RoutesStopsParameters(route: "dns:1"), TripShowParameters(trip: "dns:t"), AlertsParameters(stop: "dns:a"),
        VehiclesParameters(route: "dns:1"), FavoriteAddParameters(stop: "dns:a"), FavoriteAddParameters(route: "dns:1"),
        PlaceSetParameters(place: "home", stop: "dns:a"), CommuteAddParameters(name: "x", from: "dns:a", to: "harbor"),
    ]

    @Test(arguments: calls)
    func requestForFeedWithoutTimetableFails(call: any ControlParameters) async throws {
        let error = try await Self.daemon().error(of: call)
        #expect(error?.kind == .feedNoData)
        #expect(error?.message == "The timetable of dns has not been imported yet.")
    }

    @Test func otherFeedIsUnaffected() async throws {
        let daemon = try await Self.daemon()
        #expect(daemon.error(of: DeparturesParameters(stop: "city:a"))?.kind == .stopNotFound)
        #expect(try !daemon.ask(DeparturesParameters(stop: "harbor")).departures.isEmpty)
    }
}
