import Testing
import TransitControl
import TransitModel
import TransitQueries
import TransitServer
import TransitStore
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon
@testable import TransitWire

/// Tests of connections that `hello` restricts to reading, or to public data.
@Suite(.ownThreads) struct RestrictedConnectionTests {
    private static let user: UInt32 = 1000
    private static let stranger: UInt32 = 2000

    /// A daemon with a user who has a commute, places and a favorite, whose names occur nowhere else.
    private static func daemon() async throws -> TestDaemon {
        let daemon = try await TestDaemon.imported(["city": .small])
        _ = try daemon.ask(PlaceSetParameters(place: "zzplace", stop: "city:market"), uid: user)
        _ = try daemon.ask(PlaceSetParameters(place: "home", stop: "city:market"), uid: user)
        _ = try daemon.ask(PlaceSetParameters(place: "work", stop: "city:central"), uid: user)
        _ = try daemon.ask(CommuteAddParameters(name: "zzcommute", from: "zzplace", to: "city:central"), uid: user)
        _ = try daemon.ask(CommuteUseParameters(commute: "zzcommute"), uid: user)
        _ = try daemon.ask(FavoriteAddParameters(stop: "city:market", name: "zzfavorite"), uid: user)
        return daemon
    }

    /// Answers a request as JSON: the result or the error.
    private func answer(
        _ daemon: TestDaemon, _ method: String, _ parameters: JSONValue, _ restriction: CallerRestriction,
        uid: UInt32 = user
    ) async throws -> JSONValue {
        var caller = daemon.caller(uid)
        caller.restriction = restriction
        let encoded: [UInt8]
        do throws(ControlError) {
            let call = MethodCall(method: method, parameters: parameters)
            guard case .handled(let request) = try daemon.handlers.resolve(call, from: caller) else { return "session" }
            let reply: any WireValue =
                request.responseTime == .lengthy
                ? try await daemon.handlers.answerLongRunning(
                    request, from: caller, progress: ProgressReporter { _ in })
                : try daemon.handlers.answer(request, from: caller, slowWork: SlowWorkSignal {})
            encoded = reply.encoded
        } catch {
            encoded = error.encoded
        }
        return try JSONValue(parsing: encoded)
    }

    /// Requests of every public query, of which some only have an answer with personal data.
    private static let requests: [(method: String, parameters: JSONValue)] = [
        ("next", [:]), ("next", ["commute": "zzcommute"]), ("next", ["commute": "home-to-work"]),
        ("next", ["from": "zzplace", "to": "central"]), ("next", ["from": "home", "to": "work"]),
        ("next", ["from": "city:market", "to": "city:central"]), ("journeys", ["from": "zzplace", "to": "central"]),
        ("journeys", ["from": "city:market", "to": "city:park"]),
        ("next", ["from": "zzplace", "to": "central", "changes": 3]), ("next", ["changes": 3]),
        ("journeys.last", [:]), ("journeys.last", ["commute": "zzcommute"]),
        ("journeys.last", ["from": "zzplace", "to": "central"]),
        ("journeys.last", ["from": "city:market", "to": "city:park"]), ("departures", ["stop": "zzplace"]),
        ("departures", ["stop": "home"]), ("departures", ["stop": "city:market", "interactive": true]),
        ("stops.search", ["text": "market", "favorite": "zzfavorite"]), ("stops.search", ["text": "zzplace"]),
        ("stops.search", ["text": "market"]), ("stops.near", ["place": "zzplace"]), ("stops.near", ["place": "home"]),
        ("stops.near", ["position": ["lat": 53.545, "lon": 9.99], "favorite": "zzfavorite"]),
        ("stops.show", ["stop": "zzplace"]), ("stops.show", ["stop": "market"]), ("routes.search", ["text": "24"]),
        ("routes.show", ["route": "24"]), ("routes.stops", ["route": "24"]), ("trip.show", ["trip": "08:09"]),
        ("trip.show", ["trip": "b1"]), ("address.search", ["text": "zzplace"]), ("provider.list", [:]),
        ("feed.list", [:]), ("feed.validate", ["feed": "city"]), ("feed.versions", ["feed": "city"]),
        ("feed.diff", ["feed": "city"]), ("feed.history", [:]), ("budget", [:]),
        ("explain", ["departure": "08:09"]),
        ("explain", ["departure": "24 08:09 from market"]), ("vehicles", [:]), ("vehicles", ["stop": "zzplace"]),
        ("alerts", [:]), ("alerts", ["commute": "zzcommute"]), ("alerts", ["stop": "zzplace"]), ("weather", [:]),
        ("weather", ["location": "zzplace"]), ("events", [:]), ("events", ["stop": "zzplace"]),
    ]

    @Test func everyPublicQueryIsRequested() {
        let requested = Set(Self.requests.map(\.method)).union(["feed.find"])
        #expect(requested == Set(ControlMethod.allCases.filter { $0.purpose == .query }.map(\.rawValue)))
    }

    /// A user on an anonymous connection gets what a user without any data gets.
    @Test func anonymousRepliesAreThoseOfStranger() async throws {
        let daemon = try await Self.daemon()
        var differing = 0
        for (method, parameters) in Self.requests {
            let stranger = try await answer(daemon, method, parameters, .none, uid: Self.stranger)
            let anonymous = try await answer(daemon, method, parameters, .anonymous)
            #expect(anonymous == stranger, "\(method) \(parameters)")
            #expect(anonymous["code"] != -32603, "\(method) \(parameters): \(anonymous)")
            if try await answer(daemon, method, parameters, .none) != stranger { differing += 1 }
        }
        // Otherwise, the requests would prove nothing.
        #expect(differing > 10)
    }

    @Test func placesOfConfigurationDoNotExistForAnonymousConnections() async throws {
        let daemon = try await TestDaemon.imported(["city": .small]) { configuration in
            configuration.places["zzplace"] = PlaceConfiguration(
                location: .stop(QualifiedStop(feed: "city", stop: "market")))
            configuration.commutes = [CommuteConfiguration(name: "zzcommute", from: "zzplace", to: "city:central")]
        }
        for (method, parameters) in Self.requests where method == "next" || method == "departures" {
            let text = try await answer(daemon, method, parameters, .anonymous).encoded
            let named = (try JSONValue(parsing: parameters.encoded)).description.contains("zz")
            #expect(named || !String(decoding: text, as: UTF8.self).contains("zz"), "\(method) \(parameters)")
        }
        #expect(try await answer(daemon, "next", [:], .anonymous)["data"]?["kind"] == "commute.not_set")
        #expect(try await answer(daemon, "next", [:], .readOnly)["commute"]?["name"] == "zzcommute")
    }

    @Test(arguments: ControlMethod.allCases) func onlyAllowedMethodsAreHandled(method: ControlMethod) async throws {
        let daemon = try TestDaemon()
        for (restriction, onWire) in [
            (CallerRestriction.readOnly, ConnectionRestriction.readOnly), (.anonymous, .anonymous),
        ] {
            let reply = try await answer(daemon, method.rawValue, [:], restriction, uid: 0)
            let isRefused = reply["data"]?["kind"] == "not_allowed"
            #expect(isRefused == !method.isAllowed(with: onWire), "\(method.rawValue): \(reply)")
        }
    }

    @Test func restrictedRequestsLeaveNoTrace() async throws {
        let daemon = try await Self.daemon()
        for restriction in [CallerRestriction.readOnly, .anonymous] {
            for (method, parameters) in Self.requests {
                _ = try await answer(daemon, method, parameters, restriction)
            }
            _ = try await answer(daemon, "next", ["commute": "zzcommute", "interactive": true], restriction)
            _ = try await answer(daemon, "favorite.show", ["interactive": true], restriction)
        }
        #expect(try daemon.ask(RecentListParameters()).searches.isEmpty)
        let travel = daemon.daemon.travel
        #expect(travel.recentlyViewed(by: Self.user, now: daemon.clock.now()).isEmpty)
        try travel.save()
        #expect(try daemon.daemon.state.asks(of: Self.user).isEmpty)
        // The same requests without a restriction are recorded.
        _ = try await answer(daemon, "next", ["commute": "zzcommute", "interactive": true], .none)
        _ = try await answer(daemon, "stops.search", ["text": "market"], .none)
        #expect(!travel.recentlyViewed(by: Self.user, now: daemon.clock.now()).isEmpty)
        #expect(try daemon.ask(RecentListParameters()).searches.count == 1)
    }

    @Test func helloRestrictsConnection() throws {
        let daemon = try TestDaemon()
        let call = MethodCall(method: "hello", parameters: ["restriction": "anonymous"])
        guard case .restricted(.anonymous, let request) = try daemon.handlers.resolve(call, from: daemon.caller(1))
        else {
            Issue.record("not restricted")
            return
        }
        #expect(request.method == .hello)
    }
}
