package import TransitModel

/// The forecast for the hour in which the user arrives. A value that the source does not know is `nil`.
package struct ArrivalForecast: Hashable, Sendable {
    /// The weather that is worth a line.
    package struct Thresholds: Hashable, Sendable {
        /// The minimum probability of precipitation in percent.
        package var probability = 60
        /// The minimum precipitation in millimeters.
        package var millimeters = 0.5

        package init() {}
    }

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
    package func line(_ thresholds: Thresholds, _ zone: ServiceZone) -> String? {
        let time = NotificationText.clock(at, zone)
        if let snowfall, snowfall > 0 { return "Snow around \(time)" }
        guard let probability, let millimeters, probability >= thresholds.probability,
            millimeters >= thresholds.millimeters
        else { return nil }
        return "Rain likely around \(time) (\(min(100, probability))%)"
    }
}
