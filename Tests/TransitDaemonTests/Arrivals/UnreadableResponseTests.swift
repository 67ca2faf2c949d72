import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// A response whose rows cannot be read does not mean that there are no departures.
@Suite(.ownThreads) struct UnreadableResponseTests {
    private static let now = Instant(secondsSince1970: 1_774_656_000)

    private func fault(_ provider: String, _ body: String, _ trip: TripID) throws -> String? {
        let options = ProviderOptions(base: "http://127.0.0.1:9")
        let source = try #require(ProviderCatalog.provider(provider, options)?.arrivals)
        let query = try #require(
            source.queries(at: "S1", for: [RouteVariant(route: "R", trip: trip)], now: Self.now).last)
        return UnreadableResponse(try source.message(Array(body.utf8), of: query, received: Self.now)).map { "\($0)" }
    }

    private static func row(_ eta: String, dir: String = "O") -> String {
        #"{"co":"KMB","route":"1A","dir":"\#(dir)","service_type":1,"seq":1,"eta":\#(eta)}"#
    }

    @Test(arguments: [
        (row("\"tomorrow\""), "data.eta (\"tomorrow\") at byte "), (row("5"), "data.eta (\"5\") at byte "),
        (row("[]"), "data.eta at byte "), (row("null", dir: "X"), "data.dir"), ("null,5,\"x\"", "data.row at byte "),
    ])
    func hongKongNamesMemberAndPosition(rows: String, place: String) throws {
        let words = try #require(try fault("hongkong", #"{"data":[\#(rows)]}"#, "KMB/1A/O/1"))
        #expect(words.hasPrefix("None of the response's entries can be used: "))
        #expect(words.contains(place), "\(words)")
    }

    @Test func hongKongResponseWithoutBusesIsValid() throws {
        for rows in ["", Self.row("null"), Self.row("\"\"")] {
            #expect(try fault("hongkong", #"{"data":[\#(rows)]}"#, "KMB/1A/O/1") == nil)
        }
    }

    @Test(arguments: [
        (#"[{"trip_id":"t","departure_time":"later"},5,null]"#, "stop_times.departure_time (\"later\") at byte "),
        (#"[{"trip_id":"t"}]"#, "stop_times.departure_time at byte "), ("{}", "stop_times.trip_id at byte "),
    ])
    func warsawNamesMemberAndPosition(rows: String, place: String) throws {
        let words = try #require(try fault("wabus", #"{"stop_times":\#(rows)}"#, "t"))
        #expect(words.contains(place), "\(words)")
        #expect(try fault("wabus", #"{"stop_times":[]}"#, "t") == nil)
        #expect(try fault("wabus", #"{"stop_times":null}"#, "t") == nil)
    }

    /// A board of all trains is a realtime dataset like any other: if a new response is unreadable, the data in use
    /// ages.
    @Test func unreadableBoardIsRefused() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small]) { configuration in
            configuration.feeds[0].provider = "siri511"
            configuration.feeds[0].realtime[.tripUpdates] = .file(path: "/none")
        }
        try await daemon.update("city")
        let now = daemon.clock.now()
        func taken(_ visits: String) -> RealtimeFeed.ReceiveResult {
            daemon.daemon.realtimeFeeds.receive(
                Array(
                    (#"{"ServiceDelivery":{"ResponseTimestamp":"\#(now.rfc3339())","#
                        + #""StopMonitoringDelivery":{"MonitoredStopVisit":\#(visits)}}}"#).utf8),
                of: DatasetID("city", .tripUpdates), received: now, now: now)
        }
        #expect(taken("[]").isUsed)
        guard case .refused(let reason) = taken(#"{"0":"x"}"#) else {
            Issue.record("An unreadable response was applied.")
            return
        }
        #expect(reason.contains("MonitoredCall.StopPointRef at byte "))
    }
}
