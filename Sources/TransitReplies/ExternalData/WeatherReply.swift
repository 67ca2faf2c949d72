package import TransitControl
package import TransitModel
package import TransitQueries
internal import TransitWire

/// The reply of `weather`.
package struct WeatherReply {
    private let location: ForecastLocation
    private let parameters: WeatherParameters
    private let weather: WeatherSnapshot?

    /// - Parameter weather: The forecasts; `nil` if there are none.
    package init(_ location: ForecastLocation, _ parameters: WeatherParameters, _ weather: WeatherSnapshot?) {
        self.location = location
        self.parameters = parameters
        self.weather = weather
    }

    /// - Parameters:
    ///   - now: The time after the wait for a forecast.
    ///   - sourceNotices: The notices about the source.
    package func result(_ context: QueryContext, now: Instant, sourceNotices: [Notice]) throws -> WeatherResult {
        let moment = try context.moment(parameters.at, zone: location.zone)
        let hours =
            weather?.hours(at: location.coordinate, from: moment, count: parameters.count, now: now) ?? []
        var notices = sourceNotices
        if hours.isEmpty, notices.isEmpty {
            notices.append(Notice(kind: .missing, message: Self.reason(weather, location, moment)))
        }
        return WeatherResult(
            at: context.at.moved(to: location.zone), location: location.name,
            hours: hours.map { HourWeather($0, zone: location.zone) }, age: hours.first?.age,
            attribution: DataAttribution.weather, units: context.units, notices: notices)
    }

    private static func reason(_ weather: WeatherSnapshot?, _ location: ForecastLocation, _ moment: Instant) -> String {
        guard let weather, weather.covers(location.coordinate) else {
            return "The forecast for \(location.name) has been requested. Ask again in a moment."
        }
        return "The forecast does not cover that time."
    }
}

extension HourWeather {
    /// - Parameter zone: The time zone of the location.
    init(_ weather: WeatherAtHour, zone: ServiceZone) {
        self.init(
            hour: Timestamp(weather.hour, in: zone), condition: weather.condition.map { WeatherConditionName($0) },
            temperature: weather.temperature.map(Self.rounded), precipitationProbability: weather.rainProbability,
            precipitation: weather.rain.map(Self.rounded), snowfall: weather.snowfall.map(Self.rounded),
            wind: weather.windSpeed.map(Self.rounded))
    }

    /// Rounds to a hundredth, because interpolation produces many digits.
    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

extension WeatherConditionName {
    init(_ condition: WeatherCondition) {
        switch condition {
        case .clear: self = .clear
        case .partlyCloudy: self = .partlyCloudy
        case .overcast: self = .overcast
        case .fog: self = .fog
        case .drizzle: self = .drizzle
        case .freezingRain: self = .freezingRain
        case .rain: self = .rain
        case .showers: self = .showers
        case .snow: self = .snow
        case .thunderstorm: self = .thunderstorm
        }
    }
}

extension Timestamp {
    /// The same instant with the offset of another zone.
    fileprivate func moved(to zone: ServiceZone) -> Timestamp { Timestamp(instant, in: zone) }
}
