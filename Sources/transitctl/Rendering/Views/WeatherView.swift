internal import TransitControl
internal import TransitModel

extension View where Result == WeatherResult {
    /// The weather, one hour per line, with the age and the attribution of the forecast.
    static func weather(in units: DisplayUnits) -> View {
        View(page: { page(&$0, $1, $1.units.units(locale: units)) }, rows: { $0.hours.map(\.row) })
    }

    private static func page(_ page: inout Page, _ result: WeatherResult, _ units: DisplayUnits) {
        page.line(Line(result.location, .strong))
        guard !result.hours.isEmpty else {
            page.line("The weather is unknown.")
            return
        }
        var table = Table(
            [
                "hour", .shrinking("weather"), .trailing("temperature"), .trailing("rain"), .trailing("amount"),
                .trailing("wind"),
            ], indent: 2)
        for hour in result.hours { table.add(hour.cells(from: result.at, units)) }
        page.table(table)
        page.line(ForecastText.source(age: result.age, result.attribution), indent: 2)
    }
}

extension HourWeather {
    fileprivate func cells(from now: Timestamp, _ units: DisplayUnits) -> [Line] {
        let amount =
            if let snowfall, snowfall > 0 {
                "\(units.snow(snowfall)) snow"
            } else {
                precipitation.map { units.rain($0) } ?? ""
            }
        let style: Style = isWet ? .caution : .normal
        return [
            Line(hour.words(from: now)), Line(condition.map { $0 == .other ? "" : $0.words } ?? "", style),
            Line(temperature.map { units.temperature($0) } ?? ""),
            Line(precipitationProbability.map { "\($0) %" } ?? "", style), Line(amount, style),
            Line(wind.map { units.speed($0) } ?? ""),
        ]
    }

    /// The row for scripts, in metric units: hour, condition, temperature, probability of precipitation, precipitation,
    /// snowfall, wind.
    fileprivate var row: [String] {
        [
            hour.rfc3339, condition?.rawValue ?? "", temperature.map { "\($0)" } ?? "",
            precipitationProbability.map(String.init) ?? "", precipitation.map { "\($0)" } ?? "",
            snowfall.map { "\($0)" } ?? "", wind.map { "\($0)" } ?? "",
        ]
    }
}

/// The source of a forecast.
enum ForecastText {
    /// Returns the age and the attribution of a forecast, such as "forecast 10 minutes old · Weather data by …".
    static func source(age: Int?, _ attribution: String) -> Line {
        let age = age.map { "forecast \(DurationText.of(seconds: max(0, $0))) old · " } ?? ""
        return Line(age + attribution, .faint)
    }
}

extension ArrivalWeather {
    /// Appends the weather at the arrival.
    func add(to page: inout Page, _ units: DisplayUnits) {
        let words = weather.words(in: units)
        guard !words.isEmpty else { return }
        page.line(
            Line("Weather at \(stop) after \(weather.hour.clock): ")
                + Line(words, weather.isWet ? .caution : .normal))
        page.line(ForecastText.source(age: age, attribution), indent: 2)
    }
}
