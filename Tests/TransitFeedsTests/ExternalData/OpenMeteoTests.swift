import Foundation
import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite("Open-Meteo")
struct OpenMeteoTests {
    private static func position(_ latitude: Double, _ longitude: Double) throws -> RoundedPosition {
        RoundedPosition(try #require(Coordinate(latitude: latitude, longitude: longitude)))
    }

    private static func positions(_ count: Int) throws -> [RoundedPosition] {
        try (0..<count).map { try position(37.39 + Double($0), -122.0764) }
    }

    @Test(arguments: GoldenPair.all("OpenMeteo"))
    func goldenPairMatches(_ pair: GoldenPair) throws {
        let positions = try Self.positions(pair.name.hasPrefix("two") ? 2 : 1)
        let forecasts = try OpenMeteo().forecasts(try pair.input(), for: positions)
        try pair.expect(
            forecasts.map { forecast in
                [
                    "position": "\(forecast.position.latitudeText),\(forecast.position.longitudeText)",
                    "hours": forecast.hours.map { hour in
                        let values: [String: Any?] = [
                            "time": hour.time.rfc3339(), "temperature": hour.temperature,
                            "probability": hour.precipitationProbability, "precipitation": hour.precipitation,
                            "snowfall": hour.snowfall, "wind": hour.windSpeed, "code": hour.code,
                        ]
                        return values.compactMapValues { $0 }
                    },
                ] as [String: Any]
            })
    }

    @Test func goldenPairsExist() { #expect(GoldenPair.all("OpenMeteo").count == 3) }

    @Test func requestContainsRoundedPositions() throws {
        let request = OpenMeteo(url: "http://127.0.0.1:8080").request([
            try Self.position(37.394249, -122.076449), try Self.position(-0.004, 0.096),
        ])
        #expect(
            request.url
                == "http://127.0.0.1:8080/v1/forecast?latitude=37.39,0.00&longitude=-122.08,0.10"
                + "&hourly=temperature_2m,precipitation_probability,precipitation,snowfall,wind_speed_10m,weather_code"
                + "&timeformat=unixtime&forecast_days=4")
    }

    @Test func requestIsLimited() throws {
        let request = OpenMeteo().request(try Self.positions(52))
        #expect(request.url.split(separator: "&")[0].split(separator: ",").count == OpenMeteo.maximumPositions)
    }

    @Test(arguments: [
        ("", "empty"), ("null", "text"), ("[]", "each position"), ("<html>", "HTML"), ("Too many requests", "text"),
        (#"{"error":true,"reason":"Invalid timezone"}"#, "source reports"),
        (#"{"reason":"no","error":"true"}"#, "source reports"),
        (#"{"current":{"temperature_2m":3}}"#, "hourly.time"), (#"{"hourly":null}"#, "hourly.time"),
        (#"{"hourly":{"time":[1774623600]"#, "ends"), (#"[{"hourly":{"time":[]}},{}]"#, "each position"),
        ("[7]", "object"),
    ])
    func unusableResponseIsRejectedWithItsReason(body: String, word: String) throws {
        let positions = try Self.positions(1)
        let error = #expect(throws: FeedError.self) { try OpenMeteo().forecasts(Array(body.utf8), for: positions) }
        #expect(error.map { "\($0)".contains(word) } == true, "\(String(describing: error))")
    }

    @Test func excessRowsAreDropped() throws {
        let times = (0..<5000).map { "\(1_774_623_600 + $0 * 3600)" }.joined(separator: ",")
        let values = Array(repeating: "1", count: 5000).joined(separator: ",")
        let body = #"{"hourly":{"time":[\#(times)],"temperature_2m":[\#(values)]}}"#
        let forecasts = try OpenMeteo().forecasts(Array(body.utf8), for: try Self.positions(1))
        #expect(forecasts[0].hours.count == OpenMeteo.maximumHours)
    }

    @Test(.enabled(if: SharedData.isAvailable)) func recordedForecastIsDecoded() throws {
        let body = try Data(contentsOf: URL(fileURLWithPath: SharedData.path("openmeteo", "open_meteo.json")))
        let forecasts = try OpenMeteo().forecasts(Array(body), for: try Self.positions(1))
        let hours = forecasts[0].hours
        #expect(hours.map { $0.time.rfc3339() } == ["06", "07", "08"].map { "2026-04-10T\($0):00:00Z" })
        #expect(hours.map(\.temperature) == [20.8, 21.5, 22.0])
        #expect(hours.map(\.precipitationProbability) == [20, 35, 40])
        #expect(hours.map(\.windSpeed) == [12.0, 14.5, 15.1])
    }

    @Test(.enabled(if: SharedData.isAvailable)) func recordedErrorsAreRejected() throws {
        let names = SharedData.files("openmeteo/errors", withExtension: ".json")
        #expect(names.count == 8)
        // The quoted responses have only current values.
        for name in names.map({ "errors/" + $0 })
            + SharedData.files("openmeteo/quoted", withExtension: ".json").map({ "quoted/" + $0 })
        {
            let body = try Data(contentsOf: URL(fileURLWithPath: SharedData.path("openmeteo", name)))
            let positions = try Self.positions(1)
            #expect(throws: FeedError.self, "\(name)") { try OpenMeteo().forecasts(Array(body), for: positions) }
        }
    }
}
