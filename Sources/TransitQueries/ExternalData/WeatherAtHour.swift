package import TransitModel

/// The weather in one hour at one position. A value that the source does not know is `nil`.
package struct WeatherAtHour: Hashable, Sendable {
    /// The beginning of the hour.
    package var hour: Instant
    package var condition: WeatherCondition?
    /// Degrees Celsius: at the requested time or, for a whole hour, in its middle.
    package var temperature: Double?
    /// The probability of precipitation in percent, 0...100.
    package var rainProbability: Int?
    /// Rain, showers and melted snow in millimeters.
    package var rain: Double?
    /// Centimeters.
    package var snowfall: Double?
    /// Kilometers per hour.
    package var windSpeed: Double?
    /// The number of seconds since the forecast was received, 0 or more.
    package var age = 0
}

/// A group of weather codes of WMO table 4677. The raw values are used on the wire.
package enum WeatherCondition: String, Hashable, Sendable, CaseIterable {
    case clear
    case partlyCloudy = "partly_cloudy"
    case overcast
    case fog
    case drizzle
    case freezingRain = "freezing_rain"
    case rain
    case showers
    case snow
    case thunderstorm

    /// The condition of a code that Open-Meteo uses; `nil` for another code.
    package init?(code: Int) {
        switch code {
        case 0, 1: self = .clear
        case 2: self = .partlyCloudy
        case 3: self = .overcast
        case 45, 48: self = .fog
        case 51, 53, 55: self = .drizzle
        case 56, 57, 66, 67: self = .freezingRain
        case 61, 63, 65: self = .rain
        case 80, 81, 82: self = .showers
        case 71, 73, 75, 77, 85, 86: self = .snow
        case 95, 96, 99: self = .thunderstorm
        default: return nil
        }
    }
}

/// The forecasts of the last response of the weather service.
package struct WeatherSnapshot: Hashable, Sendable {
    package private(set) var forecasts: [RoundedPosition: [HourlyWeather]]
    /// The time at which the response was received.
    package var received: Instant

    package init(_ forecasts: [WeatherForecast], received: Instant) {
        self.forecasts = Dictionary(forecasts.map { ($0.position, $0.hours) }) { first, _ in first }
        self.received = received
    }

    /// The maximum age in seconds of a forecast from which notifications are decided.
    package static let maximumAge = 6 * 3600

    /// The maximum distance in meters between a position and the position of its forecast. Weather models have grids of
    /// one to ten kilometers.
    private static let maximumDistance = 5000.0

    /// Whether there is a forecast for a position.
    package func covers(_ coordinate: Coordinate) -> Bool { rows(of: coordinate) != nil }

    /// Returns the weather at a time, such as that of an arrival: the temperature at that time, and the rain of the hour
    /// that contains it. `nil` if the forecast does not cover the position or the time.
    package func weather(at coordinate: Coordinate, time: Instant, now: Instant) -> WeatherAtHour? {
        rows(of: coordinate).flatMap { weather($0, at: time, now: now) }
    }

    /// Returns the weather of consecutive hours, beginning with the hour that contains a time. Hours that the forecast
    /// does not cover are omitted.
    package func hours(at coordinate: Coordinate, from time: Instant, count: Int, now: Instant) -> [WeatherAtHour] {
        guard let rows = rows(of: coordinate) else { return [] }
        let first = Self.hour(of: time)
        return (0..<max(0, count)).compactMap { number in
            weather(rows, at: first.advanced(by: number * 3600 + 1800), now: now)
        }
    }

    private func rows(of coordinate: Coordinate) -> [HourlyWeather]? {
        if let exact = forecasts[RoundedPosition(coordinate)] { return exact }
        let near = forecasts.keys.compactMap { position in
            position.coordinate.map { (distance: $0.distance(to: coordinate), position: position) }
        }
        // Positions at the same distance are compared, so that the choice does not depend on the order of a dictionary.
        guard let nearest = near.min(by: { ($0.distance, $0.position) < ($1.distance, $1.position) }),
            nearest.distance <= Self.maximumDistance
        else { return nil }
        return forecasts[nearest.position]
    }

    private func weather(_ rows: [HourlyWeather], at time: Instant, now: Instant) -> WeatherAtHour? {
        let hour = Self.hour(of: time)
        // The precipitation and the code of a row are those of the hour before its time.
        let begin = rows.first { $0.time == hour }
        let end = rows.first { $0.time == hour.advanced(by: 3600) }
        guard begin != nil || end != nil else { return nil }
        let share = Double(hour.seconds(to: time)) / 3600
        return WeatherAtHour(
            hour: hour, condition: (end ?? begin)?.code.flatMap { WeatherCondition(code: $0) },
            temperature: Self.between(begin?.temperature, end?.temperature, share),
            rainProbability: end?.precipitationProbability, rain: end?.precipitation, snowfall: end?.snowfall,
            windSpeed: Self.between(begin?.windSpeed, end?.windSpeed, share), age: max(0, received.seconds(to: now)))
    }

    /// Interpolates between the values at the beginning and the end of an hour.
    private static func between(_ begin: Double?, _ end: Double?, _ share: Double) -> Double? {
        guard let begin, let end else { return begin ?? end }
        return begin + (end - begin) * share
    }

    /// The beginning of the hour that contains a time. Forecasts have whole hours of UTC.
    private static func hour(of time: Instant) -> Instant {
        let seconds = time.secondsSince1970
        let remainder = ((seconds % 3600) + 3600) % 3600
        return Instant(secondsSince1970: seconds - remainder)
    }
}
