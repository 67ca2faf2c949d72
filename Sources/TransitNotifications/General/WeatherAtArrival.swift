package import TransitModel

/// The forecast for the hour in which the user arrives. A value that the source does not know is `nil`.
package struct WeatherAtArrival: Hashable, Sendable {
    /// The time of the arrival.
    package var at: Instant
    /// In percent, 0...100.
    package var probability: Int?
    /// Rain, showers and melted snow in millimeters.
    package var millimeters: Double?
    /// In centimeters.
    package var snowfall: Double?

    package init(at: Instant, probability: Int? = nil, millimeters: Double? = nil, snowfall: Double? = nil) {
        self.at = at
        self.probability = probability
        self.millimeters = millimeters
        self.snowfall = snowfall
    }

    /// Returns the line for the body of a notification: "Snow around 08:40", "Rain likely around 08:40 (80%)". `nil` if
    /// the weather is not worth a line.
    func line(_ settings: WeatherRule.Settings, _ zone: ServiceZone) -> String? {
        let time = NotificationText.clock(at, zone)
        if let snowfall, snowfall > 0 { return "Snow around \(time)" }
        guard let probability, let millimeters, probability >= settings.probability,
            millimeters >= settings.millimeters
        else { return nil }
        return "Rain likely around \(time) (\(min(100, probability))%)"
    }
}

extension NotificationRule {
    package static let weather = NotificationRule("weather", "Adds a line about rain or snow at your arrival.")
}

/// Adds a line to notices to leave. It has no notifications of its own.
enum WeatherRule: GeneralRule {
    static let rules: [NotificationRule] = [.weather]

    struct Settings: RuleSettings {
        /// The minimum probability of precipitation in percent.
        let probability: Int
        /// The minimum precipitation in millimeters.
        let millimeters: Double

        init(_ read: inout SettingReader) {
            probability = read.number(
                "probability", "%", 60, 1...100, "Mention rain if it is at least this probable.")
            millimeters = read.tenths(
                "amount", "mm", 5, 1...500, "Mention rain if at least this much falls in an hour.")
        }
    }

    /// Returns the line about rain or snow at the arrival of a departure; `nil` if none is likely.
    static func line(_ context: DepartureRuleContext) -> String? {
        guard context.isOn(.weather) else { return nil }
        let departure = context.departure
        return departure.weather?.line(context.settings[Self.self], departure.names.zone).map { $0 + "." }
    }
}
