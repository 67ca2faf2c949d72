import Foundation
import Logging
import Synchronization
import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitQueries
import TransitRefresh
import TransitReplies
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `[events]`: what is requested, what the reply shows, the key, and that a failure leaves everything else
/// alone.
@Suite(.ownThreads) struct EventsTests {
    /// A source of events whose response a test can replace. It accepts only the key "g00d".
    final class Service: Sendable {
        private final class Response: Sendable {
            private let state = Mutex<(status: String, body: String)?>(nil)
            var value: (status: String, body: String)? { state.withLock { $0 } }
            func replace(_ value: (status: String, body: String)?) { state.withLock { $0 = value } }
        }

        private let response = Response()
        let server: LoopbackServer

        init(pages: [String] = [EventsTests.page]) throws {
            server = try LoopbackServer { [response] request in
                var (status, body) = response.value ?? ("200 OK", "{}")
                if !request.path.contains("apikey=g00d") {
                    (status, body) = ("401 Unauthorized", #"{"fault":{"faultstring":"Invalid ApiKey"}}"#)
                } else if response.value == nil {
                    let number = request.path.split(separator: "page=").last.flatMap { Int($0.prefix { $0.isNumber }) }
                    body = pages[min(number ?? 0, pages.count - 1)]
                }
                return "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
            }
        }

        func answer(_ status: String, _ body: String) { response.replace((status, body)) }
        var paths: [String] { server.requests.map(\.path) }
    }

    static func event(
        _ name: String, _ start: String, venue: String = "Arena", at position: (Double, Double) = (53.556, 10.01),
        more: String = ""
    ) -> String {
        """
        {"name":"\(name)","id":"\(name)","url":"https://tickets.example/\(name.count)","dates":{"start":\
        {"dateTime":"\(start)"}\(more)},"classifications":[{"segment":{"name":"Sports"}}],"_embedded":{"venues":[\
        {"name":"\(venue)","location":{"latitude":"\(position.0)","longitude":"\(position.1)"}}]}}
        """
    }

    static func page(_ events: [String], number: Int = 0, of pages: Int = 1) -> String {
        #"{"_embedded":{"events":[\#(events.joined(separator: ","))]},"page":{"number":\#(number),"totalPages":\#(pages)}}"#
    }

    static let page = page([
        event("Game", "2026-03-27T18:30:00Z"), event("Parking - Game", "2026-03-27T18:30:00Z"),
        event("Reading", "2026-03-27T19:00:00Z", venue: "Bookshop"),
        event("Far game", "2026-03-27T18:00:00Z", at: (53.7, 10.3)),
        event("Later", "2026-03-30T18:00:00Z", more: #","status":{"code":"cancelled"}"#),
    ])

    static func daemon(
        _ service: Service, key: String? = "g00d", _ change: @escaping (inout Configuration) -> Void = { _ in }
    ) async throws -> TestDaemon {
        let daemon = try await TestDaemon.imported(["city": .small]) { configuration in
            var events = EventsOptions()
            events.url = service.server.url("")
            events.venues = VenueTable(capacities: ["Arena": 30_000], alwaysListed: [])
            configuration.events = events
            configuration.commutes = [CommuteConfiguration(name: "trip", from: "city:market", to: "city:central")]
            change(&configuration)
        }
        if let key { _ = try await daemon.askLengthy(KeySetParameters(feed: "ticketmaster", key: key)) }
        return daemon
    }

    /// The requests for events, without those that check a key.
    private func searches(_ service: Service) -> [String] { service.paths.filter { !$0.contains("?size=1&") } }

    @Test func stationsInUseAreSearchedTogether() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        let outcome = try await daemon.refresh(.events)
        guard case .content = outcome.result else {
            Issue.record("\(outcome.result)")
            return
        }
        let path = try #require(searches(service).first)
        #expect(searches(service).count == 1)
        #expect(
            path.hasPrefix(
                "/discovery/v2/events.json?latlong=53.55,10.01&radius=15&unit=miles&startDateTime=2026-03-26T"),
            "\(path)")
    }

    @Test func eventsOfLargeVenuesNearStationsAreListed() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        _ = try await daemon.refresh(.events)
        let reply = try daemon.ask(EventsParameters())
        #expect(reply.events.map(\.name) == ["Game", "Later"])
        #expect(reply.total == 2 && reply.days == 7 && reply.age == 0 && reply.notices.isEmpty)
        #expect(reply.attribution == DataAttribution.events)
        let game = try #require(reply.events.first)
        #expect(game.start?.text == "2026-03-27T19:30:00+01:00")
        #expect("\(game.date, default: "-")" == "2026-03-27")
        #expect(game.station.name == "Central Station")
        #expect((300...500).contains(game.distance))
        #expect(game.venue.capacity == 30_000 && game.venue.isLarge)
        #expect(game.url == "https://tickets.example/4")
        #expect(reply.events.map(\.status) == [.scheduled, .canceled])
    }

    @Test func parametersLimitEvents() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        _ = try await daemon.refresh(.events)
        func names(_ parameters: EventsParameters) throws -> [String] { try daemon.ask(parameters).events.map(\.name) }
        #expect(try names(EventsParameters(date: "today")) == ["Game"])
        #expect(try names(EventsParameters(date: "mon")) == ["Later"])
        #expect(try names(EventsParameters(date: "2026-03-28", days: 2)).isEmpty)
        #expect(try names(EventsParameters(date: "today", allVenues: true)) == ["Game", "Reading"])
        #expect(try names(EventsParameters(date: "today", category: "SPORT")) == ["Game"])
        #expect(try names(EventsParameters(category: "opera")).isEmpty)
        #expect(try names(EventsParameters(date: "today", stop: "Harbor")).isEmpty)
        #expect(try names(EventsParameters(date: "today", stop: "Harbor", radius: 5000)) == ["Game"])
        #expect(try names(EventsParameters(count: 1)) == ["Game"])
        #expect(daemon.error(of: EventsParameters(date: "someday"))?.kind == .timeInvalid)
        #expect(daemon.error(of: EventsParameters(radius: 799))?.kind == .invalidParameters)
        #expect(daemon.error(of: EventsParameters(stop: "Nowhere"))?.kind == .stopNotFound)
    }

    /// The stadium is 3.6 km from the park, its nearest station.
    @Test func venueThatIsAlwaysListedIsShownWithItsNearestStation() async throws {
        let stadium = Self.event("Final", "2026-03-27T18:30:00Z", venue: "Stadium", at: (53.5917, 10.006))
        let service = try Service(pages: [Self.page([stadium])])
        let daemon = try await Self.daemon(service) { configuration in
            configuration.events?.venues = VenueTable(capacities: ["Arena": 30_000], alwaysListed: ["Stadium"])
        }
        _ = try await daemon.refresh(.events)
        let event = try #require(try daemon.ask(EventsParameters()).events.first)
        #expect(event.station.name == "City Park")
        #expect((3400...3800).contains(event.distance))
        #expect(try daemon.ask(EventsParameters(stop: "City Park")).events.map(\.name) == ["Final"])
        // Another station is nearer, and an own radius is meant.
        #expect(try daemon.ask(EventsParameters(stop: "Harbor")).events.isEmpty)
        #expect(try daemon.ask(EventsParameters(radius: 2414)).events.isEmpty)
        #expect(try daemon.ask(EventsParameters(radius: 5000)).events.map(\.name) == ["Final"])
    }

    /// Events are requested for 30 days, until April 26, 07:30.
    @Test(
        arguments: [
            ("today", nil, []), ("2026-04-25", nil, []), ("2026-04-26", nil, [.missing]),
            ("2026-05-20", nil, [.missing]),
            ("2026-04-20", 7, [.partial]), ("2026-03-26", nil, [.missing]), (nil, 60, [.partial]),
        ] as [(String?, Int?, [NoticeKind])])
    func datesThatWereNotRequestedAreUnknown(_ date: String?, _ days: Int?, _ notices: [NoticeKind]) async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        #expect(try daemon.ask(EventsParameters()).knownUntil == nil)
        _ = try await daemon.refresh(.events)
        let reply = try daemon.ask(EventsParameters(date: date, days: days))
        #expect(reply.notices.map(\.kind) == notices)
        #expect(reply.notices.allSatisfy { $0.message.contains("from 2026-03-27 to 2026-04-25") })
        #expect("\(reply.knownFrom, default: "-") \(reply.knownUntil, default: "-")" == "2026-03-27 2026-04-25")
    }

    @Test func stationIsNamedAndNotItsPlatform() async throws {
        let feed = FeedBuilder.small.file(
            "stops.txt",
            FeedBuilder.small["stops.txt"].split(separator: "central:1,102,Central Station").joined(
                separator: "central:1,102,Central Station Northbound"))
        #expect(feed["stops.txt"].contains("Northbound"))
        let service = try Service()
        let daemon = try await Self.daemon(service)
        try daemon.publish(feed, as: "city")
        try await daemon.update("city", force: true)
        _ = try await daemon.refresh(.events)
        let station = try #require(try daemon.ask(EventsParameters()).events.first?.station)
        #expect(station.name == "Central Station" && station.id == "central")
    }

    @Test func pagesAreCollectedAndBounded() async throws {
        let pages = (0..<9).map {
            Self.page([Self.event("Game \($0)", "2026-03-27T18:30:00Z", venue: "Arena \($0)")], number: $0, of: 9)
        }
        let service = try Service(pages: pages)
        let daemon = try await Self.daemon(service)
        async let outcome = daemon.refresh(.events)
        daemon.wait { daemon.daemon.externalData.events.snapshot != nil }
        #expect(try await outcome.status == 200)
        #expect(searches(service).count == Ticketmaster.maximumPages)
        let reply = try daemon.ask(EventsParameters())
        #expect(reply.events.count == Ticketmaster.maximumPages)
        #expect(reply.notices.map(\.kind) == [.partial])
    }

    @Test func keyIsNeverShown() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service, key: nil)
        await #expect(throws: ControlError.self) {
            try await daemon.askLengthy(KeySetParameters(feed: "ticketmaster", key: "wr0ng"))
        }
        #expect(
            try await daemon.refresh(.events).result
                == .failed(.unsent("the feed ticketmaster needs a key: set it with `transitctl key set ticketmaster`")))
        #expect(searches(service).isEmpty)
        let set = try await daemon.askLengthy(KeySetParameters(feed: "ticketmaster", key: "g00d"))
        #expect(set.state == .accepted && !"\(set)".contains("g00d"))
        let check = try await daemon.askLengthy(KeyCheckParameters(feed: "ticketmaster"))
        #expect(check.state == .accepted && check.origin == .store)
        _ = try await daemon.refresh(.events)
        let replies = [
            "\(try daemon.ask(EventsParameters(allVenues: true)))",
            "\(try daemon.ask(StatusParameters(updates: true)))",
            "\(try daemon.ask(BudgetParameters()))",
        ]
        #expect(replies.allSatisfy { !$0.contains("g00d") })
        let stored = try Data(
            contentsOf: URL(fileURLWithPath: daemon.daemon.directories.realtimeResponses + "/ticketmaster.events.live"))
        #expect(!String(decoding: stored, as: UTF8.self).contains("g00d"))
        #expect(try await daemon.askLengthy(KeyRemoveParameters(feed: "ticketmaster")).state == .removed)
    }

    @Test func withoutSectionNothingIsRequestedOrShown() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        #expect(try await daemon.refresh(.events).result == .canceled)
        let error = daemon.error(of: EventsParameters())
        #expect(error?.kind == .externalDataNotConfigured)
        #expect(error?.hint?.contains("transitctl key set ticketmaster") == true)
        #expect(
            await Self.kind { try await daemon.askLengthy(KeySetParameters(feed: "ticketmaster", key: "x")) }
                == .feedNotFound)
    }

    private static func kind(_ body: () async throws -> some Sendable) async -> ErrorKind? {
        do { _ = try await body() } catch { return (error as? ControlError)?.kind }
        return nil
    }

    @Test func listSurvivesRestart() async throws {
        let service = try Service(pages: [Self.page([Self.event("Game", "2026-03-27T18:30:00Z")], of: 2)])
        let daemon = try await Self.daemon(service)
        async let outcome = daemon.refresh(.events)
        daemon.wait { daemon.daemon.externalData.events.snapshot != nil }
        #expect(try await outcome.status == 200)
        #expect(daemon.daemon.externalData.events.snapshot?.isIncomplete == true)
        let cache = try RealtimeCache(directory: daemon.daemon.directories.realtimeResponses)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let restored = ExternalData(cache: cache, corruptFiles: CorruptFileLog(), logger: logger)
        restored.apply(daemon.daemon.configuration.current, now: daemon.clock.now())
        #expect(
            restored.events.snapshot != nil && restored.events.snapshot == daemon.daemon.externalData.events.snapshot)
        restored.apply(Configuration(), now: daemon.clock.now())
        #expect(try cache.response(feed: "ticketmaster", dataset: "events") == nil)
    }

    /// Each unusable response leaves the last list in use, is named by `status` and `doctor`, and affects nothing else.
    @Test(arguments: [
        ("200 OK", "", "empty"), ("200 OK", "null", "text"), ("200 OK", "{}", "page is missing"),
        ("200 OK", "[]", "JSON"),
        ("200 OK", #"{"_embedded":{"events":["#, "ends"), ("200 OK", #"{"fault":{}}"#, "could not process"),
        ("200 OK", "PAST", "outside of the requested period"), ("200 OK", "HUGE", "larger than"),
        ("429 Too Many Requests", #"{"fault":{"faultstring":"Rate limit quota violation."}}"#, "429"),
        ("401 Unauthorized", #"{"fault":{"faultstring":"Invalid ApiKey"}}"#, "key was rejected"),
        ("404 Not Found", #"{"errors":[{"code":"DIS1004"}]}"#, "404"), ("500 Oops", "", "500"),
    ])
    func unusableResponseLeavesListInUse(status: String, body: String, word: String) async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        try await daemon.running {
            let first = try await daemon.askLengthy(RefreshParameters(feed: "ticketmaster"))
            #expect(first.datasets.map(\.outcome) == [.updated])
            let known = daemon.daemon.externalData.events.snapshot
            switch body {
            case "PAST": service.answer(status, Self.page([Self.event("Old", "2019-03-27T18:30:00Z")]))
            case "HUGE": service.answer(status, "{" + String(repeating: " ", count: 9 << 20) + "}")
            default: service.answer(status, body)
            }
            daemon.clock.advance(by: 60)
            let second = try await daemon.askLengthy(RefreshParameters(feed: "ticketmaster", force: true))
            #expect(second.datasets.count == 1)
            #expect(second.datasets[0].message.contains(word), "\(second.datasets[0])")
            #expect(daemon.daemon.externalData.events.snapshot == known)
            let reply = try daemon.ask(EventsParameters())
            #expect(reply.age == 60 && reply.events.count == 2)
            #expect(reply.notices.contains { $0.message.contains(word) })
            #expect(try daemon.ask(NextParameters(count: 1)).notices.isEmpty)
            let notices = try daemon.ask(StatusParameters()).notices.map(\.message)
            #expect(
                notices.contains { $0.contains("events") && $0.contains(word) && $0.contains("1 min old") },
                "\(notices)")
            let doctor = try await daemon.askLengthy(DoctorParameters())
            let check = try #require(doctor.checks.first { $0.check == "events" })
            #expect(check.outcome == .warning && check.message.contains(word), "\(check)")
        }
    }

    /// A list without any event is usable: nothing takes place.
    @Test func emptyListReplacesEvents() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        _ = try await daemon.refresh(.events)
        service.answer("200 OK", #"{"_links":{},"page":{"size":20,"totalElements":0,"totalPages":0,"number":0}}"#)
        _ = try await daemon.refresh(.events)
        #expect(try daemon.ask(EventsParameters()).events.isEmpty)
    }
}
