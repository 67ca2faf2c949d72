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

/// Tests of `[weather]`: what is requested, what replies show, and that a failure leaves everything else alone.
@Suite(.ownThreads) struct WeatherTests {
    /// 2026-03-27T07:00:00Z: the hour in which the first bus arrives.
    static let hour: Int64 = 1_774_594_800

    /// A weather service whose response a test can replace.
    final class Service: Sendable {
        /// The response to each request; `nil` for a forecast.
        private final class Response: Sendable {
            private let state = Mutex<(status: String, body: String)?>(nil)
            var value: (status: String, body: String)? { state.withLock { $0 } }
            func replace(_ value: (status: String, body: String)?) { state.withLock { $0 = value } }
        }

        private let response = Response()
        let server: LoopbackServer

        init() throws {
            server = try LoopbackServer { [response] request in
                let (status, body) = response.value ?? ("200 OK", Self.forecast(of: request.path))
                return "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
            }
        }

        func answer(_ status: String, _ body: String) { response.replace((status, body)) }
        var url: String { server.url("") }
        var paths: [String] { server.requests.map(\.path) }

        /// A forecast for each requested position: rain in the hour of the first arrival.
        static func forecast(of path: String, from hour: Int64 = WeatherTests.hour) -> String {
            let positions = path.split(separator: "&")[0].split(separator: ",").count
            let one = """
                {"hourly_units":{"temperature_2m":"°C"},"hourly":{"time":[\(hour - 3600),\(hour),\(hour + 3600)],\
                "temperature_2m":[4,5,8],"precipitation_probability":[0,5,80],"precipitation":[0,0,1.25],\
                "snowfall":[0,0,0],"wind_speed_10m":[10,10,20],"weather_code":[0,3,61]}}
                """
            return positions == 1 ? one : "[\(Array(repeating: one, count: positions).joined(separator: ","))]"
        }
    }

    static func daemon(
        _ service: Service, _ change: @escaping (inout Configuration) -> Void = { _ in }
    ) async throws -> TestDaemon {
        try await TestDaemon.imported(["city": .small]) { configuration in
            var weather = WeatherOptions()
            weather.url = service.url
            configuration.weather = weather
            configuration.commutes = [CommuteConfiguration(name: "trip", from: "city:market", to: "city:central")]
            change(&configuration)
        }
    }

    @Test func stationsOfCommutesAreRequestedRounded() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        let outcome = try await daemon.refresh(.weather)
        guard case .content = outcome.result else {
            Issue.record("\(outcome.result)")
            return
        }
        let path = try #require(service.paths.first)
        #expect(service.paths.count == 1)
        #expect(path.hasPrefix("/v1/forecast?latitude=53.55,53.5"), "\(path)")
        #expect(path.contains("&longitude=10.01,9.99&"), "\(path)")
    }

    /// The position of a home is not sent; the nearest station represents it.
    @Test func placeIsRepresentedByItsStation() async throws {
        let service = try Service()
        let home = try #require(Coordinate(latitude: 53.5317, longitude: 9.9712))
        let far = try #require(Coordinate(latitude: 50.1, longitude: 8.6))
        let daemon = try await Self.daemon(service) { configuration in
            configuration.commutes = []
            configuration.places = [
                "home": PlaceConfiguration(location: .coordinate(home)),
                "aunt": PlaceConfiguration(location: .coordinate(far)),
            ]
        }
        _ = try await daemon.refresh(.weather)
        let path = try #require(service.paths.first)
        #expect(path.hasPrefix("/v1/forecast?latitude=53.54&longitude=9.98&"), "\(path)")
        #expect(daemon.error(of: NextParameters(commute: "trip"))?.kind == .commuteNotFound)
    }

    @Test func nothingIsRequestedThatNobodyNeeds() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service) { $0.commutes = [] }
        #expect(try await daemon.refresh(.weather).result == .notModified(Validators()))
        #expect(service.paths.isEmpty)
        let status = try daemon.ask(StatusParameters())
        #expect(status.context.map(\.dataset) == [.weather])
        #expect(status.context.map(\.freshness) == [.empty])
    }

    @Test func replyShowsWeatherInHourOfArrival() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        #expect(try daemon.ask(NextParameters(count: 1)).weather == nil)
        _ = try await daemon.refresh(.weather)
        daemon.clock.advance(by: 300)
        let reply = try daemon.ask(NextParameters(count: 1))
        #expect(reply.departures.map(\.line) == ["24 08:09 market > central:1 08:20"])
        let weather = try #require(reply.weather)
        #expect(weather.stop == "Central Station")
        #expect(weather.age == 300)
        #expect(weather.attribution == DataAttribution.weather)
        #expect(
            weather.weather
                == HourWeather(
                    hour: try #require(Timestamp(rfc3339: "2026-03-27T08:00:00+01:00")), condition: .rain,
                    temperature: 6, precipitationProbability: 80, precipitation: 1.25, snowfall: 0, wind: 13.33))
        // The age alone is not a change.
        daemon.clock.advance(by: 20)
        #expect(reply.content.isSameContent(as: try daemon.ask(NextParameters(count: 1)).content))
    }

    @Test func hoursAreListed() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        _ = try await daemon.refresh(.weather)
        for location in [nil, "Central Station", "city:central"] {
            let reply = try await daemon.askLengthy(WeatherParameters(location: location))
            #expect(reply.location == "Central Station")
            #expect(reply.hours.map(\.hour.clock) == ["07:00", "08:00", "09:00"])
            #expect(reply.hours.map(\.precipitation) == [0, 1.25, nil])
            #expect(reply.age == 0 && reply.notices.isEmpty)
        }
        #expect(
            try await daemon.askLengthy(WeatherParameters(at: "08:30", count: 1)).hours.map(\.hour.clock) == ["08:00"])
        let late = try await daemon.askLengthy(WeatherParameters(at: "2027-01-01T00:00:00Z"))
        #expect(late.hours.isEmpty && late.notices.map(\.kind) == [.missing])
        #expect(service.paths.count == 1)
    }

    /// The forecast of a stop that nobody has used is requested with the first question about it.
    @Test func forecastOfAnotherStopIsFetched() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service) { $0.commutes = [] }
        let reply = try await daemon.running {
            try await daemon.askLengthy(WeatherParameters(location: "Harbor"), uid: 1000)
        }
        #expect(reply.hours.count == 3)
        #expect(service.paths.last?.hasPrefix("/v1/forecast?latitude=53.54&longitude=9.98&") == true)
    }

    @Test func missingStationIsRequestedWhenPlaceIsAdded() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service) { $0.commutes = [] }
        let home = Position(lat: 53.5405, lon: 9.981)
        try await daemon.running {
            daemon.daemon.externalDataDemand.requestMissing()
            _ = try daemon.ask(PlaceSetParameters(place: "home", position: home))
            daemon.daemon.externalDataDemand.requestMissing()
            daemon.wait { daemon.daemon.externalData.weather.snapshot != nil }
        }
        #expect(service.paths.count == 1)
    }

    @Test func withoutSectionNothingIsRequestedOrShown() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        #expect(daemon.daemon.refresh.configuration.datasets.keys.allSatisfy { !$0.kind.isExternal })
        #expect(try await daemon.refresh(.weather).result == .canceled)
        #expect(try daemon.ask(StatusParameters()).context.isEmpty)
        let error = await #expect(throws: ControlError.self) { try await daemon.askLengthy(WeatherParameters()) }
        #expect(error?.kind == .externalDataNotConfigured)
        #expect(error?.hint?.contains("[weather]") == true)
    }

    @Test func forecastSurvivesRestart() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        _ = try await daemon.refresh(.weather)
        let cache = try RealtimeCache(directory: daemon.daemon.directories.realtimeResponses)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let restored = ExternalData(cache: cache, corruptFiles: CorruptFileLog(), logger: logger)
        restored.apply(daemon.daemon.configuration.current, now: daemon.clock.now())
        #expect(
            restored.weather.snapshot != nil && restored.weather.snapshot == daemon.daemon.externalData.weather.snapshot
        )
        // A feed that is removed does not remove it, but the removal of the section does.
        daemon.controller.apply([])
        #expect(try cache.response(feed: "open-meteo", dataset: "weather") != nil)
        restored.apply(Configuration(), now: daemon.clock.now())
        #expect(restored.weather.snapshot == nil)
        #expect(try cache.response(feed: "open-meteo", dataset: "weather") == nil)
    }

    @Test func damagedFileIsSetAside() async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        _ = try await daemon.refresh(.weather)
        let path = daemon.daemon.directories.realtimeResponses + "/open-meteo.weather.live"
        try Data("damage".utf8).write(to: URL(fileURLWithPath: path))
        let cache = try RealtimeCache(directory: daemon.daemon.directories.realtimeResponses)
        let (files, logger) = (CorruptFileLog(), Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let restored = ExternalData(cache: cache, corruptFiles: files, logger: logger)
        restored.apply(daemon.daemon.configuration.current, now: daemon.clock.now())
        #expect(restored.weather.snapshot == nil)
        #expect(files.entries.map(\.name) == ["open-meteo weather"])
    }

    /// Each unusable response leaves the last forecast in use, is named by `status` and `doctor`, and affects nothing
    /// else.
    @Test(arguments: [
        ("200 OK", "", "empty"), ("200 OK", "null", "text"), ("200 OK", "{}", "hourly.time"),
        ("200 OK", "[[[[[[", "ends"), ("200 OK", "<html>sorry</html>", "HTML"),
        ("200 OK", #"{"error":true,"reason":"no"}"#, "could not process"),
        ("200 OK", "PAST", "does not cover the present"), ("200 OK", "HUGE", "larger than"),
        ("429 Too Many Requests", #"{"error":true,"reason":"Daily API request limit exceeded."}"#, "429"),
        ("503 Service Unavailable", "", "503"), ("500 Oops", "", "500"), ("204 No Content", "", "204"),
    ])
    func unusableResponseLeavesForecastInUse(status: String, body: String, word: String) async throws {
        let service = try Service()
        let daemon = try await Self.daemon(service)
        try await daemon.running {
            let first = try await daemon.askLengthy(RefreshParameters(feed: "open-meteo"))
            #expect(first.datasets.map(\.outcome) == [.updated])
            let known = daemon.daemon.externalData.weather.snapshot
            switch body {
            case "PAST":
                service.answer(
                    status,
                    "[\(Array(repeating: Service.forecast(of: "x", from: 1_600_000_000), count: 2).joined(separator: ","))]"
                )
            case "HUGE": service.answer(status, "[" + String(repeating: " ", count: 3 << 20) + "]")
            default: service.answer(status, body)
            }
            daemon.clock.advance(by: 60)
            let second = try await daemon.askLengthy(RefreshParameters(feed: "open-meteo", force: true))
            #expect(second.datasets.count == 1)
            #expect(second.datasets[0].message.contains(word), "\(second.datasets[0])")
            #expect(daemon.daemon.externalData.weather.snapshot == known)
            let reply = try daemon.ask(NextParameters(count: 1))
            #expect(reply.weather?.age == 60)
            #expect(reply.notices.isEmpty)
            let notices = try daemon.ask(StatusParameters()).notices.map(\.message)
            #expect(
                notices.contains { $0.contains("weather") && $0.contains(word) && $0.contains("1 min old") },
                "\(notices)")
            let doctor = try await daemon.askLengthy(DoctorParameters())
            let check = try #require(doctor.checks.first { $0.check == "weather" })
            #expect(check.outcome == .warning && check.message.contains(word), "\(check)")
        }
    }
}
