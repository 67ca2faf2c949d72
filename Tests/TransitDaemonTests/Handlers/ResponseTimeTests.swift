import Foundation
import Glibc
import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitModel
import TransitQueries
import TransitRefresh
import TransitServer
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Checks ``ControlMethod/responseTime`` of each method with a large timetable and as much realtime data as a source
/// may send, and with the largest of the recorded feeds.
///
/// Measures the thread's CPU time and uses the best of several runs, so that a busy machine does not affect the result.
@Suite("Response times", .ownThreads)
struct ResponseTimeTests {
    /// The limit of ``ResponseTime/quick`` in milliseconds. Without the optimizer, the same code takes many times as
    /// long.
    private static let limit = _isDebugAssertConfiguration() ? 50.0 * 12 : 50.0

    private struct Measured {
        var request: ControlRequest
        var milliseconds: Double
    }

    @Test("A generated timetable: 10,000 calls in one trip, 3,000 stops, 200 routes, all with realtime data")
    func generatedTimetableMeetsLimits() async throws {
        let folder = try TestFolder()
        let daemon = try TestDaemon(feeds: ["large": LargeFeed.feed]) { configuration in
            configuration.feeds[0].realtime[.tripUpdates] = .file(path: folder("updates.pb"))
            configuration.feeds[0].realtime[.vehicles] = .file(path: folder("vehicles.pb"))
            configuration.feeds[0].realtime[.alerts] = .file(path: folder("alerts.pb"))
        }
        #expect(try await daemon.update("large").outcome == .updated)
        for (kind, entities) in LargeFeed.realtime(at: daemon.clock.now()) {
            let bytes = RealtimeWriter.bytes(
                RealtimeHeader(version: "2.0", timestamp: daemon.clock.now()), entities)
            let name = [DatasetKind.tripUpdates: "updates", .vehicles: "vehicles", .alerts: "alerts"][kind] ?? ""
            try Data(bytes).write(to: URL(fileURLWithPath: folder("\(name).pb")))
            guard case .content = try await daemon.refresh(DatasetID("large", kind)).result else {
                Issue.record("\(kind.rawValue) was not applied")
                continue
            }
        }
        try check(daemon, stop: "s0", other: "s29", route: "r0", trip: "endless", text: "stop")
        // This is the largest reply. The time must grow linearly with the length of the trip.
        let trip = try daemon.ask(TripShowParameters(trip: "endless"))
        #expect(trip.calls.count == 10_000)
        #expect(trip.source == .live)
    }

    @Test("The largest recorded feed", .enabled(if: SharedData.isAvailable))
    func recordedFeedMeetsLimits() async throws {
        let zips = SharedData.zips("gtfs/large").map { SharedData.path("gtfs/large", $0) }
        let sizes = try zips.map { try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int ?? 0 }
        let path = try #require(zip(sizes, zips).max { $0.0 < $1.0 }?.1)
        let daemon = try TestDaemon { $0.feeds = [FeedConfiguration(id: "large", source: .file(path: path))] }
        #expect(try await daemon.update("large").outcome == .updated)
        let file = try #require(daemon.daemon.feeds.snapshot("large")?.timetable?.file)
        let trip = try file.trip(TripIndex(0))
        let place = try #require(try file.locate(TripIndex(0)))
        let calls = place.pattern.calls
        try check(
            daemon, stop: file.stop(calls[0].stop).id.rawValue,
            other: file.stop(calls[calls.count - 1].stop).id.rawValue,
            route: file.routes[place.pattern.route.position].id.rawValue, trip: trip.id.rawValue, text: "st")
    }

    /// Sends a request for every method that declares a short response time, and reports the slow methods.
    private func check(
        _ daemon: TestDaemon, stop: String, other: String, route: String, trip: String, text: String
    ) throws {
        try Data("[[feed]]\nid = \"large\"\nprovider = \"demo\"\n".utf8).write(
            to: URL(fileURLWithPath: daemon.folder("config.toml")))
        let file = try #require(daemon.daemon.feeds.snapshot("large")?.timetable?.file)
        for number in 0..<UInt32(20) {
            let stop = try file.stop(StopIndex(number)).id
            _ = try daemon.ask(FavoriteAddParameters(stop: "large:\(stop)", name: "f\(number)"))
        }
        _ = try daemon.ask(CommuteAddParameters(name: "far", from: "large:\(stop)", to: "large:\(other)"))
        let board = try daemon.ask(DeparturesParameters(stop: "large:\(stop)", count: 100))
        var requests: [ControlRequest] = [
            daemon.made(HelloParameters()), daemon.made(DescribeParameters()),
            daemon.made(StatusParameters(updates: true)),
            daemon.made(NextParameters(commute: "far", count: 50, interactive: true)),
            daemon.made(DeparturesParameters(stop: "large:\(stop)", count: 100)),
            daemon.made(StopsSearchParameters(text: text, count: 100)),
            daemon.made(StopsNearParameters(position: Position(lat: 53.5, lon: 10), count: 100)),
            daemon.made(StopsShowParameters(stop: "large:\(stop)")),
            daemon.made(RoutesSearchParameters(text: "", directions: true, count: 100)),
            daemon.made(RoutesShowParameters(route: route)), daemon.made(RoutesStopsParameters(route: route)),
            daemon.made(TripShowParameters(trip: trip)), daemon.made(CommuteListParameters()),
            daemon.made(PlaceListParameters()), daemon.made(FavoriteListParameters()),
            daemon.made(RecentListParameters()), daemon.made(UsualListParameters()),
            daemon.made(NotificationsParameters()), daemon.made(NotifyListParameters(log: true, suppressed: true)),
            daemon.made(ProviderListParameters()), daemon.made(FeedListParameters()),
            daemon.made(FeedHistoryParameters()),
            daemon.made(ConfigCheckParameters()),
            daemon.made(ConfigProposeParameters(action: .remove, feed: "large")),
            daemon.made(BudgetParameters()), daemon.made(VehiclesParameters(count: 100)),
            daemon.made(AlertsParameters(count: 100)),
        ]
        if let departure = board.departures.first {
            _ = try daemon.ask(UsualPinParameters(departure: departure.id))
            requests.append(daemon.made(ExplainParameters(departure: departure.id)))
        }
        // The server handles these methods itself.
        let own: [ControlMethod] = [.cancel, .subscribe, .unsubscribe]
        let declared = ControlMethod.allCases.filter {
            [.instant, .quick].contains($0.responseTime) && !own.contains($0)
        }
        #expect(Set(requests.map(\.method)).union([.explain]) == Set(declared), "each has a request here")
        let measured = try requests.map { try measure($0, daemon) }.sorted { $0.milliseconds > $1.milliseconds }
        let slow = measured.filter { $0.milliseconds > Self.limit }
        for answer in measured.prefix(5) {
            print("\(answer.request.method.rawValue): \((answer.milliseconds * 100).rounded() / 100) ms")
        }
        #expect(
            slow.isEmpty,
            "longer than \(Self.limit) ms: \(slow.map { "\($0.request.method.rawValue) \($0.milliseconds)" })")
    }

    private func measure(_ request: ControlRequest, _ daemon: TestDaemon) throws -> Measured {
        // Only root and the daemon's own user may read the configuration.
        let caller = daemon.caller([.configCheck, .configPropose].contains(request.method) ? 0 : 1000)
        var best = Double.infinity
        for _ in 0..<3 {
            let began = Self.threadTime()
            let reply = try daemon.handlers.answer(request, from: caller, slowWork: SlowWorkSignal {})
            var writer = JSONWriter()
            reply.write(to: &writer)
            best = min(best, Self.threadTime() - began)
        }
        return Measured(request: request, milliseconds: best)
    }

    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }
}

/// A timetable with one trip of the maximum length and many trips of the usual length.
private enum LargeFeed {
    static let (stops, routes, tripsOfARoute, calls, endless) = (3000, 200, 8, 30, 10_000)

    static let feed = FeedBuilder()
        .file(
            "agency.txt",
            "agency_id,agency_name,agency_url,agency_timezone\nlarge,Large,https://large.example,Europe/Berlin\n"
        )
        .file("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\n" + stopRows)
        .file("routes.txt", "route_id,agency_id,route_short_name,route_type\n" + routeRows)
        .file(
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "daily,1,1,1,1,1,1,1,20260101,20261231\n"
        )
        .file(
            "trips.txt", "route_id,service_id,trip_id,trip_headsign,direction_id\nr0,daily,endless,Far,0\n" + tripRows
        )
        .file(
            "stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + endlessRows + callRows)

    private static func rows(_ count: Int, _ row: (Int) -> String) -> String { (0..<count).map(row).joined() }

    private static let stopRows = rows(stops) { number in
        "s\(number),Stop \(number) Street,53.\(5000 + number / 60),\(10 + number % 60 / 10).\(number % 10)00\n"
    }
    private static let routeRows = rows(routes) { "r\($0),large,\($0),3\n" }
    private static let tripRows = rows(routes * tripsOfARoute) { "r\($0 / tripsOfARoute),daily,t\($0),End \($0),0\n" }
    /// Five seconds between stops, from 06:00 to about 20:00.
    private static let endlessRows = rows(endless) { "endless,\(time(5 * $0)),\(time(5 * $0)),s\($0 % stops),\($0)\n" }
    private static let callRows = rows(routes * tripsOfARoute * calls) { number in
        let (trip, call) = number.quotientAndRemainder(dividingBy: calls)
        let at = time(trip % tripsOfARoute * 600 + call * 90 + 3600)
        return "t\(trip),\(at),\(at),s\((trip / tripsOfARoute * 7 + call) % stops),\(call)\n"
    }

    private static func time(_ seconds: Int) -> String {
        let seconds = seconds + 6 * 3600
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// Realtime data with delays for every trip and for every stop of the long trip, a vehicle for each trip, and
    /// thousands of alerts.
    static func realtime(at now: Instant) -> [(DatasetKind, [RealtimeEntity])] {
        let date = ServiceDate(year: 2026, month: 3, day: 27)
        let long = TripUpdate(
            id: "endless", trip: TripDescriptor(tripID: "endless", startDate: date),
            updates: (0..<endless).map {
                StopTimeUpdate(
                    sequence: UInt32($0), arrival: StopTimeEvent(delay: 60), departure: StopTimeEvent(delay: 60))
            }, timestamp: now)
        let others = (0..<routes * tripsOfARoute).map { number in
            TripUpdate(
                id: EntityID("t\(number)"), trip: TripDescriptor(tripID: TripID("t\(number)"), startDate: date),
                updates: [StopTimeUpdate(sequence: 0, departure: StopTimeEvent(delay: 120))], timestamp: now)
        }
        let vehicles = (0..<routes * tripsOfARoute).map { number in
            VehiclePosition(
                id: EntityID("v\(number)"), trip: TripDescriptor(tripID: TripID("t\(number)"), startDate: date),
                coordinate: Coordinate(latitude: 53.5, longitude: 10), timestamp: now)
        }
        let alerts = (0..<2000).map { number in
            Alert(
                id: EntityID("a\(number)"),
                informed: number < 20
                    ? [InformedEntity(agencyID: "large")] : [InformedEntity(stopID: StopID("s\(number % stops)"))],
                header: TranslatedText([TranslatedText.Translation("Alert \(number)")]))
        }
        // The message is filled to its maximum size with alerts that become active later. They would slow down a linear
        // search for each departure.
        let later = (2000..<20_000).map { number in
            Alert(
                id: EntityID("a\(number)"),
                activePeriods: [Alert.ActivePeriod(start: now.advanced(by: 90 * 86_400), end: nil)],
                informed: Array(repeating: InformedEntity(agencyID: "large"), count: 11),
                header: TranslatedText([TranslatedText.Translation("Alert \(number)")]))
        }
        return [
            (.tripUpdates, ([long] + others).map { .tripUpdate($0) }), (.vehicles, vehicles.map { .vehicle($0) }),
            (.alerts, (alerts + later).map { .alert($0) }),
        ]
    }
}
