internal import TransitControl
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitServer
internal import TransitSystem
internal import TransitWire

/// Handles `weather`. The forecast of a stop that nobody has used before is requested, and the request waits a few
/// seconds for it.
struct WeatherHandler: LongRunningMethodHandler {
    let data: ContextData
    let refresh: RefreshService
    let clock: any DaemonClock

    /// The maximum number of seconds that a request waits for a forecast.
    private static let timeout = 5

    func reply(
        to parameters: WeatherParameters, _ context: RequestContext, progress: ProgressReporter
    ) async throws -> WeatherResult {
        guard context.configuration.weather != nil else {
            throw ControlError(
                .contextNotConfigured, "No weather service is configured.",
                hint: "Add the section [weather] to the configuration (transitd.toml(5)). It sends the rounded "
                    + "positions of your stations to the service.")
        }
        let location = try ForecastLocation(parameters.location, language: parameters.language, context.query)
        if data.weather?.covers(location.coordinate) != true {
            data.request(RoundedPosition(location.coordinate), at: context.now)
            await fetchForecast()
        }
        let now = clock.now()
        let moment = try context.query.moment(parameters.at, zone: location.zone)
        let weather = data.weather
        let hours =
            weather?.hours(at: location.coordinate, from: moment, count: parameters.count, now: now) ?? []
        var notices = ContextStatusReader(data: data, refresh: refresh, clock: clock).notices(
            of: [.weather], zone: location.zone)
        if hours.isEmpty, notices.isEmpty {
            notices.append(Notice(kind: .missing, message: Self.reason(weather, location, moment)))
        }
        return WeatherResult(
            at: context.at.moved(to: location.zone), location: location.name,
            hours: hours.map { HourWeather($0, zone: location.zone) }, age: hours.first?.age,
            attribution: OpenMeteo.attribution, units: context.units, notices: notices)
    }

    private static func reason(_ weather: WeatherSnapshot?, _ location: ForecastLocation, _ moment: Instant) -> String {
        guard let weather, weather.covers(location.coordinate) else {
            return "The forecast for \(location.name) has been requested. Ask again in a moment."
        }
        return "The forecast does not cover that time."
    }

    /// Requests a refresh and waits until it ends, but no longer than ``timeout``.
    private func fetchForecast() async {
        let end = clock.reading().boot.advanced(by: Int(Double(Self.timeout) * max(1, clock.rate)))
        await withTaskGroup(of: Void.self) { [refresh, clock] group in
            group.addTask { _ = await refresh.waiters.refresh(.dataset(.weather), force: true) }
            group.addTask { try? await clock.sleep(until: end) }
            await group.next()
            group.cancelAll()
        }
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
