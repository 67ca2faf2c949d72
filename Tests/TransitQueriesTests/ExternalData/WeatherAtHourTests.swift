import Testing
import TransitModel

@testable import TransitQueries

@Suite struct WeatherAtHourTests {
    /// 2026-03-28T08:00:00-07:00.
    private static let eight = Instant(secondsSince1970: 1_774_710_000)

    private static func snapshot() throws -> WeatherSnapshot {
        let station = try #require(Coordinate(latitude: 37.39, longitude: -122.08))
        let rows = [
            HourlyWeather(
                time: eight, temperature: 10, precipitationProbability: 5, precipitation: 0, snowfall: 0, windSpeed: 10,
                code: 0),
            HourlyWeather(
                time: eight.advanced(by: 3600), temperature: 12, precipitationProbability: 70, precipitation: 1.5,
                snowfall: 0, windSpeed: 20, code: 61),
        ]
        return WeatherSnapshot(
            [WeatherForecast(position: RoundedPosition(station), hours: rows)], received: eight.advanced(by: -600))
    }

    private static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    /// A row's rain is that of the hour before it, so an arrival at 08:30 is described by the row of 09:00.
    @Test func arrivalHasRainOfItsHour() throws {
        let found = try Self.snapshot().weather(
            at: Self.place(37.3942, -122.0764), time: Self.eight.advanced(by: 1800), now: Self.eight)
        #expect(
            found
                == WeatherAtHour(
                    hour: Self.eight, condition: .rain, temperature: 11, rainProbability: 70, rain: 1.5, snowfall: 0,
                    windSpeed: 15, age: 600))
    }

    @Test func hourWithoutItsEndHasNoRain() throws {
        let found = try #require(
            try Self.snapshot().weather(
                at: Self.place(37.39, -122.08), time: Self.eight.advanced(by: 3700), now: Self.eight))
        #expect(found.temperature == 12)
        #expect(found.rain == nil && found.rainProbability == nil)
    }

    @Test(arguments: [-3601, 7200, 86_400 * 365]) func timeOutsideForecastHasNoWeather(offset: Int) throws {
        let found = try Self.snapshot().weather(
            at: Self.place(37.39, -122.08), time: Self.eight.advanced(by: offset), now: Self.eight)
        #expect(found == nil)
    }

    @Test func forecastAppliesOnlyNearItsPosition() throws {
        let snapshot = try Self.snapshot()
        #expect(try snapshot.covers(Self.place(37.42, -122.09)))
        #expect(try !snapshot.covers(Self.place(37.45, -122.08)))
        #expect(
            try snapshot.hours(at: Self.place(37.39, -122.08), from: Self.eight, count: 12, now: Self.eight).count == 2)
    }

    @Test(
        arguments: [
            (0, .clear), (2, .partlyCloudy), (3, .overcast), (45, .fog), (51, .drizzle), (66, .freezingRain),
            (65, .rain),
            (80, .showers), (86, .snow), (96, .thunderstorm), (4, nil), (100, nil), (-1, nil),
        ] as [(Int, WeatherCondition?)])
    func codes(_ code: Int, _ condition: WeatherCondition?) { #expect(WeatherCondition(code: code) == condition) }
}
