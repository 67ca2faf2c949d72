internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitServer
internal import TransitSystem
internal import TransitWire

/// Handles `weather`. If there is no forecast for a stop yet, it is requested, and the request waits a few seconds for
/// it.
struct WeatherHandler: LongRunningMethodHandler {
    let data: ExternalData
    let refresh: RefreshService
    let clock: any DaemonClock

    /// The maximum number of seconds that a request waits for a forecast.
    private static let timeout = 5

    func reply(
        to parameters: WeatherParameters, _ context: RequestContext, progress: ProgressReporter
    ) async throws -> WeatherResult {
        guard context.configuration.weather != nil else {
            throw ControlError(
                .externalDataNotConfigured, "No weather service is configured.",
                hint: "Add the section [weather] to the configuration (transitd.toml(5)). It sends the rounded "
                    + "positions of your stations to the service.")
        }
        let location = try ForecastLocation(parameters.location, language: parameters.language, context.query)
        if data.weather.snapshot?.covers(location.coordinate) != true {
            data.weather.request(RoundedPosition(location.coordinate), at: context.now)
            await refresh.waiters.refresh(.weather, atMost: Self.timeout, clock)
        }
        let source = ExternalDataStatusReader(data: data, refresh: refresh, clock: clock)
        return try WeatherReply(location, parameters, data.weather.snapshot).result(
            context.query, now: clock.now(), sourceNotices: source.notices(of: [.weather], zone: location.zone))
    }
}

/// Handles `events`.
struct EventsHandler: MethodHandler {
    let data: ExternalData
    let refresh: RefreshService
    let clock: any DaemonClock

    func reply(to parameters: EventsParameters, _ context: RequestContext) throws -> EventsResult {
        guard let options = context.configuration.events else {
            throw ControlError(
                .externalDataNotConfigured, "No source of events is configured.",
                hint: "Add the section [events] to the configuration (transitd.toml(5)), and set a key with: "
                    + "transitctl key set \(DatasetID.events.feed).")
        }
        let query = try EventsQuery(parameters, venues: options.venues, context.query)
        let source = ExternalDataStatusReader(data: data, refresh: refresh, clock: clock)
        return try EventsReply(query, parameters, data.events.snapshot).result(
            context.query, sourceNotices: source.notices(of: [.events], zone: query.zone))
    }
}
